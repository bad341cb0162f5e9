extends Node2D
## The title screen: a new run with a style and a given or random seed, or the saved run.

const Levels := preload("levels.gd")
const Problem := preload("../addons/undercroft/runtime/problem.gd")
const Run := preload("run.gd")
const Saves := preload("saves.gd")

const GAME := "res://demo/game.tscn"
const HINT := "Move: WASD, left stick   Shoot: arrows, mouse, right stick   Bomb: space, A"
const GIVE_UP := "Press again to give up the saved run"

## Why the game returned here, if there is a reason.
static var news := ""

var _buttons: Array[Button] = []
var _behind: Node2D
var _style := ""
var _saved: Run
var _asked := false

@onready var _camera: Camera2D = $Camera
@onready var _styles: HBoxContainer = %Styles
@onready var _seed: LineEdit = %Seed
@onready var _new: Button = %New
@onready var _continue: Button = %Continue
@onready var _note: Label = %Note


func _ready() -> void:
	for style: String in Levels.styles():
		var button := Button.new()
		button.text = style
		button.toggle_mode = true
		button.custom_minimum_size.x = 52.0
		button.pressed.connect(_choose.bind(style))
		button.focus_entered.connect(_choose.bind(style))
		_styles.add_child(button)
		_buttons.append(button)
	_seed.max_length = Run.MAX_SEED
	_seed.text_submitted.connect(_start.unbind(1))
	if _seed.has_method("edit"):  # since Godot 4.4, a field focused by keys waits for Enter
		_seed.focus_entered.connect(_seed.call.bind("edit"))
	_new.pressed.connect(_start)
	_continue.pressed.connect(_go_on)
	_note.text = news if news else HINT
	news = ""
	_look_for_saved_run()
	_choose(Run.current.style if Run.current else Levels.styles()[0])


func _process(_delta: float) -> void:
	_camera.position += Vector2.from_angle(Time.get_ticks_msec() / 9000.0) * 0.15


func _look_for_saved_run() -> void:
	var problem := Problem.new()
	_saved = Saves.read(problem)
	_continue.visible = _saved != null
	if _saved:
		_continue.text = "Continue: %s, floor %d" % [_saved.style, _saved.floor_number]
		_continue.grab_focus()
	else:
		_new.grab_focus()
	if problem.found:
		_note.text = problem.text


## Shows a level of the style behind the title.
func _choose(style: String) -> void:
	for button: Button in _buttons:
		button.set_pressed_no_signal(button.text == style)
	if style == _style:
		return
	_style = style
	if _behind:
		_behind.queue_free()
		_behind = null
	var run := Levels.run_of(style, str(randi()))
	if run:
		run.place = run.count
		_behind = run.enter()
	if _behind:
		add_child(_behind)
		move_child(_behind, 0)
		var size: Vector2i = _behind.get_meta("size")
		_camera.position = Vector2(size * 8)


func _start() -> void:
	if _saved and not _asked:
		_asked = true
		_note.text = GIVE_UP
		return
	if _saved == null:
		Saves.set_aside()
	var typed := _seed.text.strip_edges()
	Run.current = Run.begin(_style, typed if typed else "%d" % randi())
	get_tree().change_scene_to_file(GAME)


func _go_on() -> void:
	Run.current = _saved
	get_tree().change_scene_to_file(GAME)
