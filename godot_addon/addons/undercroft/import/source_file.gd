extends RefCounted
## Reads what lies in the project, and nothing else: paths that leave it are refused, sizes are
## bounded.

const Problem := preload("problem.gd")

## No map that Godot could show is larger; a damaged or hostile file must not fill the memory.
const LARGEST_BYTES := 512 * 1024 * 1024


## Where [param relative], as written in [param file], lies in the project; "" and a problem if
## outside of it.
static func beside(file: String, relative: String, problem: Problem) -> String:
	var path := relative.replace("\\", "/")
	if not path.begins_with("res://"):
		path = file.get_base_dir().path_join(path)
	path = path.simplify_path()
	if path.begins_with("res://") and not path.contains("/../") and not path.ends_with("/.."):
		return path
	problem.note(file, "", "%s lies outside of the project; copy it into the project" % relative)
	return ""


## The text of a file of the project (UTF-8); "" and a problem where there is none.
static func text(path: String, problem: Problem) -> String:
	return bytes(path, problem).get_string_from_utf8()


static func bytes(path: String, problem: Problem) -> PackedByteArray:
	var file := FileAccess.open(path, FileAccess.READ)
	if file == null:
		problem.note(path, "", "cannot be read (%s)" % error_string(FileAccess.get_open_error()))
		return PackedByteArray()
	if file.get_length() > LARGEST_BYTES:
		problem.note(path, "", "has more than %d MB" % (LARGEST_BYTES / 1024.0 / 1024.0))
		return PackedByteArray()
	return file.get_buffer(file.get_length())
