## Answers questions one after the other: each is a line of JSON on standard input,
## `[SCRIPT, ARGUMENT...]`.
##
## After each, a line that begins with MARK stands on standard output and standard error: what was
## written between two of them belongs to the question. The line holds the status, and whether the
## project is as it was before.
extends SceneTree

const Probe := preload("probe.gd")
const MARK := "--- answered "
const END := "\u0004"  # of a question: a line may come in parts, and without its line break

var _status := -1
var _kept: Array[Node]  # below the root before the first question


func _initialize() -> void:
	if DisplayServer.get_name() != "headless":
		Engine.time_scale = 0.0  # animations stay at their first frame
	_serve.call_deferred()


func _serve() -> void:
	await process_frame
	_kept = root.get_children()
	_mark(0, true)
	var question := _read()
	while question:
		var asked: Array = JSON.parse_string(question)
		var path: String = asked.pop_front()
		await _answer(path, PackedStringArray(asked))
		question = _read()
	quit()


## Waits for a question; it is empty when no more will come.
func _read() -> String:
	var line := ""
	while not line.contains(END):
		var part := OS.read_string_from_stdin()
		if part.is_empty():
			return ""
		line += part
	return line.get_slice(END, 0)


func _answer(path: String, arguments: PackedStringArray) -> void:
	await process_frame  # the one that makes up for the wait
	var orphans := _orphans()
	var script: GDScript = load(path)
	if script == null or not script.can_instantiate():
		_mark(1, false)
		return
	var probe: Probe = script.new()
	probe.arguments = arguments
	probe.ended.connect(_end)
	_status = -1
	root.add_child(probe)
	probe._initialize()
	while _status < 0:
		await process_frame
	await _clean()
	if _orphans() > orphans:
		printerr("ERROR: %s left %d nodes" % [path, _orphans() - orphans])
	_mark(_status, _is_clean(arguments))


func _end(status: int) -> void:
	if _status < 0:
		_status = status


## Takes away what a probe added or set.
func _clean() -> void:
	current_scene = null
	for node: Node in root.get_children():
		if node not in _kept:
			node.free()
	for tween: Tween in get_processed_tweens():
		tween.kill()
	for action: StringName in InputMap.get_actions():
		Input.action_release(action)
	paused = false
	root.world_2d = World2D.new()
	await process_frame  # in which ends what was to be ended later


## Whether nothing is left that a later question would notice: a server that is not clean ends.
func _is_clean(arguments: PackedStringArray) -> bool:
	for path: String in arguments:
		if path.begins_with("res://") and ResourceLoader.has_cached(path):
			return false
	return not Input.is_anything_pressed() and root.get_children() == _kept


func _orphans() -> int:
	return int(Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT))


func _mark(status: int, is_clean: bool) -> void:
	var line := MARK + JSON.stringify([status, is_clean])
	print(line)
	printerr(line)
