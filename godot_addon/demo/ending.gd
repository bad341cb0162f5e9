extends CanvasLayer
## The end of a run, with the choice to play it again or go to the title.

const GAME := "res://demo/game.tscn"
const Run := preload("run.gd")
const TITLE := "res://demo/title.tscn"

@onready var _headline: Label = %Headline
@onready var _seed: Label = %Seed
@onready var _again: Button = %Again
@onready var _title: Button = %Title


func _ready() -> void:
	hide()
	_again.pressed.connect(_start_again)
	_title.pressed.connect(_go.bind(TITLE))


func win() -> void:
	_show("You escaped the undercroft!", Color("fbe27a"), "Play again")


func lose() -> void:
	_show("You died", Color("c8443f"), "Try again")


func _show(headline: String, colour: Color, again: String) -> void:
	if visible:
		return
	_headline.text = headline
	_headline.modulate = colour
	_again.text = again
	_seed.text = "%s, seed %s" % [Run.current.style, Run.current.seed_text]
	show()
	_again.grab_focus()
	get_tree().paused = true


func _start_again() -> void:
	Run.current = Run.begin(Run.current.style, Run.current.seed_text)
	_go(GAME)


func _go(scene: String) -> void:
	get_tree().paused = false
	get_tree().change_scene_to_file(scene)
