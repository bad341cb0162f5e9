extends RefCounted
## What a resource of the project refers to, found again after a folder was moved outside of the
## editor, which would have changed the paths. Godot loads a TileSet whose image is missing without
## its tiles: whoever saves it then has lost all that was drawn on them.


## Makes the paths in a resource lead to what is there; the first one that cannot be found, or "".
static func mend(path: String) -> String:
	var moved: Dictionary = {}
	for dependency: String in ResourceLoader.get_dependencies(path):
		var parts := dependency.split("::")
		var written := parts[-1] if parts.size() > 1 else dependency
		if _exists(_meant(parts[0], written)):
			continue
		var found := _find(path.get_base_dir(), written)
		if not found:
			return written
		moved[written] = found
	return "" if moved.is_empty() or _rewrite(path, moved) else moved.keys()[0]


## Where Godot looks: by the uid if it knows it.
static func _meant(uid: String, written: String) -> String:
	if uid.begins_with("uid://"):
		var id := ResourceUID.text_to_id(uid)
		if ResourceUID.has_id(id):
			return ResourceUID.get_id_path(id)
	return written


static func _exists(path: String) -> bool:
	return FileAccess.file_exists(path)


## The file that lies to the folder or one above it as the lost one did: of `res://old/art/a.png`
## the longest end that is there.
static func _find(folder: String, lost: String) -> String:
	var names := lost.trim_prefix("res://").split("/")
	for from: int in names.size():
		var end := "/".join(names.slice(from))
		var above := folder
		while true:
			if _exists(above.path_join(end)):
				return above.path_join(end)
			if above == "res://" or not above:
				break
			above = above.get_base_dir()
	return ""


## Writes other paths into a text resource, without the uids, which lead to where the files were.
static func _rewrite(path: String, moved: Dictionary) -> bool:
	if path.get_extension() != "tres":
		return false
	var text := FileAccess.get_file_as_string(path)
	var uid := RegEx.create_from_string(' uid="[^"]*"')
	for line: RegExMatch in RegEx.create_from_string(r"(?m)^\[ext_resource .*\]$").search_all(text):
		for old: String in moved:
			var written := ' path="%s"' % old
			if line.get_string().contains(written):
				var made := uid.sub(line.get_string(), "")
				text = text.replace(
					line.get_string(), made.replace(written, ' path="%s"' % moved[old])
				)
	var file := FileAccess.open(path, FileAccess.WRITE)
	return file != null and file.store_string(text)
