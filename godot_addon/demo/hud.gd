extends CanvasLayer
## What is drawn over the game: hearts, belongings, the minimap, a line to read, the boss's health.

const Art := preload("art.gd")
const Belongings := preload("belongings.gd")
const Foe := preload("foe.gd")

var _belongings: Belongings
var _boss: Foe

@onready var minimap: UndercroftMinimap = %Minimap
@onready var _hearts: HBoxContainer = %Hearts
@onready var _purse: HBoxContainer = %Purse
@onready var _line: Label = %Line
@onready var _boss_bar: ProgressBar = %BossBar


func watch(belongings: Belongings) -> void:
	_belongings = belongings
	belongings.changed.connect(_show)
	_show()


## Shows a line for a while.
func say(what: String) -> void:
	_line.text = what
	_line.modulate.a = 1.0
	var tween := create_tween()
	tween.tween_interval(1.2)
	tween.tween_property(_line, ^"modulate:a", 0.0, 0.5)


func show_boss(foe: Foe) -> void:
	_boss = foe
	_boss_bar.max_value = foe.most_health
	_boss_bar.show()


func _process(_delta: float) -> void:
	if _boss_bar.visible:
		var lives := is_instance_valid(_boss) and _boss.health > 0
		_boss_bar.visible = lives
		if lives:
			_boss_bar.value = _boss.health


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


func _add_icon(row: HBoxContainer, texture: Texture2D, is_full: bool) -> void:
	var icon := TextureRect.new()
	icon.texture = texture
	icon.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	icon.custom_minimum_size = Vector2(11, 11)
	icon.modulate = Color.WHITE if is_full else Color(0.15, 0.12, 0.2, 0.9)
	row.add_child(icon)
