extends Node
## Makes a new level with the generator's command, if this machine has it.
##
## A running game cannot import pictures, so the new scene uses the TileSet that the demo ships,
## and is all that has to be written.

## The scene lies there.
signal made(path: String)
## The generator's own line.
signal failed(line: String)

const Command := preload("../addons/undercroft/dock/command.gd")
const Run := preload("../addons/undercroft/dock/run.gd")

const FOLDER := "user://levels"
const NAME := "level"
const TILESET := "res://demo/levels/undercroft.tres"

var _run: Run


static func is_there() -> bool:
	return Command.find() != ""


func is_busy() -> bool:
	return _run != null


func make(style: String, seed_text: String) -> void:
	var folder := ProjectSettings.globalize_path(FOLDER)
	_run = Run.new()
	add_child(_run)
	_run.finished.connect(_on_finished)
	_run.start(
		Command.find(),
		(
			["generate", style, "--seed=" + seed_text, "--to", "godot", "--quiet", "--name", NAME]
			+ ["--option", "godot.edit=false", "--option", "godot.tileset=" + TILESET]
			+ ["--out", folder]
		)
	)


func _on_finished() -> void:
	var status := _run.status
	var problem := _run.problem()
	_run.queue_free()
	_run = null
	if status == 0:
		made.emit("%s/%s.tscn" % [FOLDER, NAME])
	else:
		failed.emit(problem)
