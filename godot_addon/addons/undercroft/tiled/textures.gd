extends RefCounted
## Images that files of Tiled name, as Godot imported them.

const Fields := preload("../import/fields.gd")
const SourceFile := preload("../import/source_file.gd")


## The texture of an image of the project, as Godot imported it; null and a problem where it is not.
static func at(from: Fields, image: String) -> Texture2D:
	var path := SourceFile.beside(from.file, image, from.problem)
	if not path:
		return null
	var found: Texture2D = null
	if ResourceLoader.exists(path, "Texture2D"):
		found = ResourceLoader.load(path, "Texture2D") as Texture2D
	if found == null:
		from.problem.missing.append(path + ".import")
		var why := "Godot has not imported it" if FileAccess.file_exists(path) else "is not there"
		from.bad("image", "%s: %s" % [path, why])
	return found
