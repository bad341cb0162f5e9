@tool
extends Node
## One run of the generator's command: no shell, and nobody waits for it.

## The command has ended, or could not be started; not told of one that was stopped.
signal finished

const _CHUNK := 16 * 1024
# What `describe` prints has 30 KB. Whatever runs away is stopped here.
const _MOST := 64 * 1024 * 1024
# On Windows Python would write a pipe in the old code page.
const _ENCODING := "PYTHONIOENCODING"

## The exit status; -1 until it has ended, and where it could not be started.
var status := -1
var output := ""
## What it said on standard error.
var said := ""

var _pid := -1
var _ended := false
var _readers: Array[Thread] = []


## Starts the command at [param path].
func start(path: String, arguments: PackedStringArray) -> void:
	var before := OS.get_environment(_ENCODING)
	OS.set_environment(_ENCODING, "utf-8")
	var given: Array = [path, arguments]
	if Engine.get_version_info()["hex"] >= 0x040400:
		given.append(false)  # Pipes that do not block are new there; before, only the threads wait.
	var started: Dictionary = OS.callv("execute_with_pipe", given)
	if before:
		OS.set_environment(_ENCODING, before)
	else:
		OS.unset_environment(_ENCODING)
	if started.is_empty():
		said = "%s cannot be started" % path
		finished.emit.call_deferred()
		return
	_pid = started["pid"]
	for pipe: String in ["stdio", "stderr"]:
		var file: FileAccess = started[pipe]
		var reader := Thread.new()
		reader.start(_drain.bind(file))
		_readers.append(reader)


func is_running() -> bool:
	return _pid >= 0


## Kills the command, if it still runs. [signal finished] is not told.
func stop() -> void:
	if is_running():
		OS.kill(_pid)
		_collect()


## The line that tells what went wrong, without the command's name.
func problem() -> String:
	var lines := said.strip_edges().split("\n")
	var line := lines[-1].strip_edges().trim_prefix("undercroft: ")
	return line if line else "The generator ended with status %d and said nothing." % status


## What it said of files that a person has changed, and the like, though all went well: a line each.
func remarks() -> PackedStringArray:
	var found: PackedStringArray = []
	for line: String in said.strip_edges().split("\n", false):
		var place := ProjectSettings.globalize_path("res://")
		found.append(line.strip_edges().trim_prefix("undercroft: ").replace(place, "res://"))
	return found


func _process(_delta: float) -> void:
	if not is_running() or OS.is_process_running(_pid):
		return
	status = OS.get_process_exit_code(_pid)
	_collect()
	finished.emit()


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE:
		stop()


func _collect() -> void:
	_ended = true
	var texts: PackedStringArray = []
	for reader: Thread in _readers:
		var bytes: PackedByteArray = reader.wait_to_finish()
		texts.append(bytes.get_string_from_utf8())
	_readers.clear()
	_pid = -1
	output = texts[0]
	said = texts[1]


# Reads a pipe to its end. An empty piece is no end: the command may still be at work.
func _drain(pipe: FileAccess) -> PackedByteArray:
	var bytes := PackedByteArray()
	while bytes.size() < _MOST:
		var last := _ended
		var piece := pipe.get_buffer(_CHUNK)
		if piece.is_empty():
			if last:
				break
			OS.delay_msec(4)
		bytes.append_array(piece)
	if not _ended:
		OS.kill(_pid)
	return bytes
