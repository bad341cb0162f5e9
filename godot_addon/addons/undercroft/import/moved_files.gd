extends RefCounted
## Finds the files that a resource refers to after a folder was moved outside the editor, which
## would have updated the paths. If the image of a TileSet is missing, Godot loads it without its
## tiles, and saving it then loses everything drawn on them.
##
## Another file may have the same name. So the file must have the picture's digest in the ledger of
## the TileSet or, if the ledger has none, be the only candidate.

const Problem := preload("../runtime/problem.gd")
const SourceFile := preload("source_file.gd")

# The value ends at the next property or at the end of the file.
const _LEDGER := r"(?ms)^metadata/undercroft = (\{.*?^\})(?=\s*\z|\n[\w/]+ = )"


## Updates the paths in a resource to existing files. Returns the first path that cannot be found,
## or "".
static func mend(path: String) -> String:
	var moved: Dictionary = {}
	var digests: Dictionary = {}
	for dependency: String in ResourceLoader.get_dependencies(path):
		var parts := dependency.split("::")
		var written := parts[-1] if parts.size() > 1 else dependency
		if _exists(_meant(parts[0], written)):
			continue
		if digests.is_empty():
			digests = _digests(path)
		var found := _find(path.get_base_dir(), written, digests)
		if not found:
			return written
		moved[written] = found
	if not moved.is_empty() and not _rewrite(path, moved):
		return moved.keys()[0]
	for lost: String in moved:
		print("Undercroft: %s: %s is now %s" % [path, lost, moved[lost]])
	return ""


## Where Godot looks for the file: by the uid if it knows it.
static func _meant(uid: String, written: String) -> String:
	if uid.begins_with("uid://"):
		var id := ResourceUID.text_to_id(uid)
		if ResourceUID.has_id(id):
			return ResourceUID.get_id_path(id)
	return written


static func _exists(path: String) -> bool:
	return FileAccess.file_exists(path)


## The digests of pictures in a TileSet's ledger, by file name; see [TileSetParts].
static func _digests(path: String) -> Dictionary:
	var found: Dictionary = {}
	var written := RegEx.create_from_string(_LEDGER)
	var ledger := written.search(SourceFile.text(path, Problem.new()))
	var table := _table(str_to_var(ledger.get_string(1)) if ledger else null)
	var parts := _table(table.get("parts"))
	for id: Variant in parts:
		var part := _table(parts[id])
		var looks: Variant = part.get("looks")
		var digest := str(part.get("image", ""))
		if looks is Array and digest:
			var listed: Array = looks
			var name := str(listed[1]) if listed.size() > 1 else ""
			var known: Array = found.get_or_add(name, [])
			known.append(digest)
	return found


static func _table(value: Variant) -> Dictionary:
	return value if value is Dictionary else {}


## The file at the same relative place, seen from the folder or a parent: the longest end of, say,
## `res://old/art/a.png` that exists with the right digest; "" if that is not certain.
static func _find(folder: String, lost: String, digests: Dictionary) -> String:
	var candidates := _candidates(folder, lost)
	if not digests.has(lost.get_file()):
		return candidates[0] if candidates.size() == 1 else ""
	var wanted: Array = digests[lost.get_file()]
	for candidate: String in candidates:
		if wanted.has(FileAccess.get_md5(candidate)):
			return candidate
	return ""


## The candidates for a lost file, most likely first.
static func _candidates(folder: String, lost: String) -> PackedStringArray:
	var found: PackedStringArray = []
	var names := lost.trim_prefix("res://").split("/")
	for from: int in names.size():
		var end := "/".join(names.slice(from))
		var above := folder
		while true:
			var path := above.path_join(end)
			if _exists(path) and not found.has(path):
				found.append(path)
			if above == "res://" or not above:
				break
			above = above.get_base_dir()
	return found


## Replaces paths in a text resource, and drops their uids, which lead to the old places.
static func _rewrite(path: String, moved: Dictionary) -> bool:
	if path.get_extension() != "tres":
		return false
	var problem := Problem.new()
	var text := SourceFile.text(path, problem)
	if problem.found:
		return false
	var uid := RegEx.create_from_string(' uid="[^"]*"')
	for line: RegExMatch in RegEx.create_from_string(r"(?m)^\[ext_resource .*\]$").search_all(text):
		for old: String in moved:
			var written := ' path="%s"' % old
			if line.get_string().contains(written):
				var made := uid.sub(line.get_string(), "")
				text = text.replace(
					line.get_string(), made.replace(written, ' path="%s"' % moved[old])
				)
	return SourceFile.replace(path, text) == OK
