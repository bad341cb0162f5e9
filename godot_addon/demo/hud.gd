extends CanvasLayer
## The display over the game: hearts, belongings, the minimap, messages, the boss's health.

const Art := preload("art.gd")
const Belongings := preload("belongings.gd")
const Foe := preload("foe.gd")
const MinimapIcons := preload("../addons/undercroft/runtime/minimap_icons.gd")

const RED := Color("ff5a6e")

var _belongings: Belongings
var _bosses: Array[Foe] = []
var _level: UndercroftLevel
var _key_colours: Dictionary = {}

@onready var minimap: UndercroftMinimap = %Minimap
@onready var _hearts: HBoxContainer = %Hearts
@onready var _purse: HBoxContainer = %Purse
@onready var _line: Label = %Line
@onready var _boss_bar: ProgressBar = %BossBar
@onready var _boss_name: Label = %BossName


func watch(belongings: Belongings) -> void:
	_belongings = belongings
	belongings.changed.connect(_show)
	_show()


## Shows the player's keys for the level's locks.
func watch_keys(level: UndercroftLevel) -> void:
	_level = level
	_key_colours = MinimapIcons.key_colours(level.plan)
	level.key_given.connect(_show.unbind(2))
	level.key_used.connect(_show.unbind(2))
	_show()


## Shows a message for a while.
func say(what: String) -> void:
	_line.text = what
	_line.modulate.a = 1.0
	var tween := create_tween()
	tween.tween_interval(1.2)
	tween.tween_property(_line, ^"modulate:a", 0.0, 0.5)


## Several bosses share the bar, which shows their total health.
func show_boss(foe: Foe) -> void:
	if not _boss_bar.visible:
		_bosses.clear()
		_boss_bar.max_value = 0
	_bosses.append(foe)
	_boss_bar.max_value += foe.most_health
	_boss_bar.show()
	_show_bosses()


func _process(_delta: float) -> void:
	if _boss_bar.visible:
		_show_bosses()


func _show_bosses() -> void:
	var left := 0
	var names := PackedStringArray()
	for boss: Variant in _bosses:
		if is_instance_valid(boss):
			var foe: Foe = boss
			if foe.health > 0:
				left += foe.health
				names.append(foe.title)
	_boss_bar.value = left
	_boss_name.text = " and ".join(names)
	_boss_bar.visible = left > 0


func _show() -> void:
	for child: Node in _hearts.get_children() + _purse.get_children():
		child.queue_free()
	for i: int in ceili(_belongings.most_health / 2.0):
		var left := _belongings.health - i * 2
		_add_icon(_hearts, Art.half_heart() if left == 1 else Art.icon("heart"), left > 0)
	for kind: String in ["coin", "key", "bomb"]:
		_add_icon(_purse, Art.icon(kind), true)
		var count := Label.new()
		count.text = "%d" % _belongings.get(kind + "s")
		_purse.add_child(count)
	if _belongings.red_keys > 0:
		_add_icon(_purse, Art.icon("key"), true)
		(_purse.get_child(-1) as TextureRect).modulate = RED
	_show_keys()


func _show_keys() -> void:
	if _level == null:
		return
	for key: String in _level.keys:
		var colour: Color = _key_colours.get(key, Color.WHITE)
		_add_icon(_purse, Art.tinted("level_key", colour), true)


func _add_icon(row: HBoxContainer, texture: Texture2D, is_full: bool) -> void:
	var icon := TextureRect.new()
	icon.texture = texture
	icon.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	icon.custom_minimum_size = Vector2(11, 11)
	icon.modulate = Color.WHITE if is_full else Color(0.15, 0.12, 0.2, 0.9)
	row.add_child(icon)
