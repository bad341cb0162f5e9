extends CanvasLayer
## How it ended, and what next: the same level again, or the title.

const GAME := "res://demo/game.tscn"
const TITLE := "res://demo/title.tscn"

@onready var _headline: Label = %Headline
@onready var _again: Button = %Again
@onready var _title: Button = %Title


func _ready() -> void:
	hide()
	_again.pressed.connect(_go.bind(GAME))
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
	show()
	_again.grab_focus()
	get_tree().paused = true


func _go(scene: String) -> void:
	get_tree().paused = false
	get_tree().change_scene_to_file(scene)
