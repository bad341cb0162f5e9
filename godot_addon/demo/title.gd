extends Node2D
## The title screen: choose a style and, where the generator is there, a seed.

const Choice := preload("choice.gd")
const Generator := preload("generator.gd")

const GAME := "res://demo/game.tscn"
const HINT := "Move: WASD, left stick   Shoot: arrows, mouse, right stick   Bomb: space, A"
const MISSING := "pip install undercroft to play any seed"

var _buttons: Array[Button] = []
var _behind: Node2D

@onready var _camera: Camera2D = $Camera
@onready var _styles: HBoxContainer = %Styles
@onready var _seed: LineEdit = %Seed
@onready var _play: Button = %Play
@onready var _note: Label = %Note
@onready var _generator: Generator = $Generator


func _ready() -> void:
	Choice.made_level = ""
	for style: String in Choice.STYLES:
		var button := Button.new()
		button.text = style
		button.toggle_mode = true
		button.custom_minimum_size.x = 52.0
		button.pressed.connect(_choose.bind(style))
		button.focus_entered.connect(_choose.bind(style))
		_styles.add_child(button)
		_buttons.append(button)
	_seed.editable = Generator.is_there()
	_seed.placeholder_text = "seed, if you like" if _seed.editable else MISSING
	_seed.text_submitted.connect(_start.unbind(1))
	_note.text = HINT
	_play.pressed.connect(_start)
	_generator.made.connect(_on_made)
	_generator.failed.connect(_on_failed)
	_choose(Choice.style)
	_play.grab_focus()


func _process(_delta: float) -> void:
	_camera.position += Vector2.from_angle(Time.get_ticks_msec() / 9000.0) * 0.15


## Shows a level of the style behind the title.
func _choose(style: String) -> void:
	for button: Button in _buttons:
		button.set_pressed_no_signal(button.text == style)
	if _behind and style == Choice.style:
		return
	Choice.style = style
	if _behind:
		_behind.queue_free()
	_behind = Choice.level_scene()
	add_child(_behind)
	move_child(_behind, 0)
	var size: Vector2i = _behind.get_meta("size")
	_camera.position = Vector2(size * 8)


func _start() -> void:
	if _generator.is_busy():
		return
	if _seed.text.strip_edges().is_empty():
		get_tree().change_scene_to_file(GAME)
		return
	_play.disabled = true
	_note.text = "Digging …"
	_generator.make(Choice.style, _seed.text.strip_edges())


func _on_made(path: String) -> void:
	Choice.made_level = path
	get_tree().change_scene_to_file(GAME)


func _on_failed(line: String) -> void:
	_play.disabled = false
	_note.text = line
