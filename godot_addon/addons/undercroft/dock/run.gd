@tool
extends Node
## One run of the generator's command, without a shell, in the background.

## The command has ended or could not be started; not emitted if it was stopped.
signal finished
## Lines of the output, as they come.
signal told(line: String)

const _CHUNK := 16 * 1024
const _NEWLINE := 10
# The output of `describe` has 30 KB. A command that prints without end is stopped here.
const _MAX := 64 * 1024 * 1024
# On Windows, Python would write to a pipe in the old code page.
const _ENCODING := "PYTHONIOENCODING"

## The exit status; -1 until it has ended, or if it could not be started.
var status := -1
var output := ""
## Its standard error.
var said := ""

var _pid := -1
var _ended := false
var _readers: Array[Thread] = []


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
		reader.start(_drain.bind(file, pipe == "stdio"))
		_readers.append(reader)


func is_running() -> bool:
	return _pid >= 0


## Kills the command if it is still running, without emitting [signal finished].
func stop() -> void:
	if is_running():
		OS.kill(_pid)
		_collect()


## The error message, without the command's name.
func problem() -> String:
	var lines := said.strip_edges().split("\n")
	var line := _told(lines[-1])
	return line if line else "The generator ended with status %d and no message." % status


## The messages of a successful run, such as those about files that a person has changed.
func remarks() -> PackedStringArray:
	var found: PackedStringArray = []
	for line: String in said.strip_edges().split("\n", false):
		var remark := _told(line)
		if not found.has(remark):  # said of several levels
			found.append(remark)
	return found


# A line without the command's name, with paths of the project.
static func _told(line: String) -> String:
	var place := ProjectSettings.globalize_path("res://")
	return line.strip_edges().trim_prefix("undercroft: ").replace(place, "res://")


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


func _tell(lines: PackedByteArray) -> void:
	for line: String in lines.get_string_from_utf8().split("\n"):
		told.emit(line)


# Reads a pipe to its end. An empty piece is not the end: the command may still be running.
func _drain(pipe: FileAccess, is_output: bool) -> PackedByteArray:
	var begun := 0
	var bytes := PackedByteArray()
	while bytes.size() < _MAX:
		var last := _ended
		var piece := pipe.get_buffer(_CHUNK)
		if piece.is_empty():
			if last:
				break
			OS.delay_msec(4)
		bytes.append_array(piece)
		var end := bytes.rfind(_NEWLINE) if is_output else -1
		if end >= begun:
			_tell.call_deferred(bytes.slice(begun, end))
			begun = end + 1
	if not _ended:
		OS.kill(_pid)
	return bytes
