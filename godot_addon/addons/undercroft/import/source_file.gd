extends RefCounted
## Reads and replaces files of the project only: paths that leave it are refused, sizes are limited,
## and text that is not UTF-8 is refused before Godot reports its own errors.

const Problem := preload("../runtime/problem.gd")

## No map that Godot can show is larger; a damaged or hostile file must not fill the memory.
const LARGEST_BYTES := 512 * 1024 * 1024

# The highest bit of each of eight bytes.
const _HIGH_BITS := -9187201950435737472


## The path in the project of [param relative], as written in [param file]; "" and a problem if it
## is outside.
static func beside(file: String, relative: String, problem: Problem) -> String:
	var path := relative.replace("\\", "/")
	if not path.is_absolute_path():
		path = file.get_base_dir().path_join(path)
	path = path.simplify_path()
	if path.begins_with("res://") and not path.contains("/../") and not path.ends_with("/.."):
		return path
	problem.note(file, "", "%s is outside the project; copy it into the project" % relative)
	return ""


## The text (UTF-8) of a file in the project; "" and a problem if it cannot be read.
static func text(path: String, problem: Problem) -> String:
	var data := bytes(path, problem)
	if problem.found:
		return ""
	if data.find(0) >= 0 or not _is_utf8(data):
		var declared := _encoding(data)
		var what := "is encoded as %s; save it as UTF-8" % declared
		problem.note(path, "", what if declared else "is not UTF-8 text; is it damaged?")
		return ""
	return data.get_string_from_utf8()


## Replaces the text of a file. It is written beside it first, so that the file is never incomplete,
## and stays as it was if that fails.
static func replace(path: String, content: String) -> Error:
	var beside := path + ".tmp"
	var file := FileAccess.open(beside, FileAccess.WRITE)
	if file == null:
		return FileAccess.get_open_error()
	file.store_string(content)
	var error := file.get_error()
	file.close()
	if error == OK:
		error = DirAccess.rename_absolute(beside, path)
	if error != OK:
		DirAccess.remove_absolute(beside)
	return error


## The message about a missing file: its folder if that is missing too, which is the same for all
## files there, or the name of a file that differs only in case.
static func absence(path: String) -> String:
	var folder := path.get_base_dir()
	if not DirAccess.dir_exists_absolute(folder):
		return "the folder %s is missing; copy it there" % folder
	for name: String in DirAccess.get_files_at(folder):
		if name.nocasecmp_to(path.get_file()) == 0:
			return "%s is missing; did you mean %s?" % [path, name]
	return "%s is missing" % path


## The encoding in the first line of an XML file; "" if that is UTF-8 or missing.
static func _encoding(data: PackedByteArray) -> String:
	var head := data.slice(0, 256).get_string_from_ascii()
	var declaration := RegEx.create_from_string("^<\\?xml[^>]* encoding=[\"']([A-Za-z0-9._-]+)")
	var found := declaration.search(head)
	var name := found.get_string(1) if found else ""
	return "" if name.to_upper() == "UTF-8" else name


## The bytes of a file in the project; empty and a problem if it cannot be read.
static func bytes(path: String, problem: Problem) -> PackedByteArray:
	var file := FileAccess.open(path, FileAccess.READ)
	if file == null:
		problem.note(path, "", "cannot be read (%s)" % error_string(FileAccess.get_open_error()))
		return PackedByteArray()
	if file.get_length() > LARGEST_BYTES:
		problem.note(path, "", "has more than %d MB" % (LARGEST_BYTES / 1024.0 / 1024.0))
		return PackedByteArray()
	return file.get_buffer(file.get_length())


## Whether the bytes are UTF-8. Checks 64 bytes at a time, because most files are ASCII.
static func _is_utf8(data: PackedByteArray) -> bool:
	var whole := data.size() - data.size() % 64
	var words := data.slice(0, whole).to_int64_array()
	var next := 0
	for word: int in range(0, words.size(), 8):
		var bits := words[word] | words[word + 1] | words[word + 2] | words[word + 3]
		bits |= words[word + 4] | words[word + 5] | words[word + 6] | words[word + 7]
		if bits & _HIGH_BITS and next < word * 8 + 64:
			next = _past_sequences(data, maxi(next, word * 8), word * 8 + 64)
			if next < 0:
				return false
	return _past_sequences(data, maxi(next, whole), data.size()) >= 0


## Starting at the beginning of a character, the first byte at or after [param end] that begins a
## character; -1 if a sequence is not UTF-8.
static func _past_sequences(data: PackedByteArray, from: int, end: int) -> int:
	var at := from
	while at < end:
		var lead := data[at]
		var more := 0
		var least := 0
		if lead >= 0xF0 and lead < 0xF5:
			more = 3
			least = 0x10000
		elif lead >= 0xE0 and lead < 0xF0:
			more = 2
			least = 0x800
		elif lead >= 0xC2 and lead < 0xE0:
			more = 1
		elif lead >= 0x80:
			return -1
		var point := lead & (0x3F >> more)
		for place: int in range(at + 1, at + 1 + more):
			if place >= data.size() or data[place] & 0xC0 != 0x80:
				return -1
			point = point << 6 | data[place] & 0x3F
		if point < least or point > 0x10FFFF or (point >= 0xD800 and point < 0xE000 and more):
			return -1
		at += 1 + more
	return at
