extends RefCounted
## The images of Tiled files, as imported by Godot, with the transparent colour (if any) removed.

const Batch := preload("../import/batch.gd")
const Fields := preload("../import/fields.gd")
const Placeholders := preload("placeholders.gd")
const SourceFile := preload("../import/source_file.gd")

## Metadata of a texture made here: its origin, to recognise it later.
const MADE_OF := &"undercroft_made_of"
# The property with the compressed picture of a texture made here.
const _DATA := &"_data"
const _MOST_KNOWN := 16

# By origin: the compressed pictures of sheets without their transparent colour. Several maps often
# use one sheet, and compressing it takes most of the time of a small map.
static var _known: Dictionary = {}


## The texture of the image named in [param from]; null and a flaw if it is missing.
static func at(from: Fields) -> Texture2D:
	var path := from.path("image")
	if not path:
		return null
	var found: Texture2D = Batch.kept(path)
	if found == null and ResourceLoader.exists(path, "Texture2D"):
		found = ResourceLoader.load(path, "Texture2D") as Texture2D
	if found == null:
		from.problem.missing.append(path + ".import")
		var why := SourceFile.absence(path)
		if FileAccess.file_exists(path):
			why = "Godot has not imported %s; save it as PNG if Godot cannot read its format" % path
		from.bad("image", why)
		return null
	if not Batch.has(path):
		Batch.keep(path, found)
	var nothing := from.color("transparentcolor", Color.TRANSPARENT)
	return _without(found, path, nothing) if nothing.a > 0 else found


## The image of a texture, read from its file. The texture itself would ask the main thread, which
## is waiting for the import. Null if there is no file.
static func image_of(texture: Texture2D) -> Image:
	var path := texture.resource_path
	var made_of: Variant = texture.get_meta(MADE_OF, [])
	var parts: Array = made_of if made_of is Array else []
	if parts.size() == 2:
		return Placeholders.image(Vector2i(texture.get_size()))
	if parts.size() == 1:
		return texture.get_image()
	if parts.size() == 3:
		path = str(parts[0])
	if not FileAccess.file_exists(path):
		return null
	var image := Image.load_from_file(ProjectSettings.globalize_path(path))
	if image:
		image.convert(Image.FORMAT_RGBA8)
		if parts.size() == 3:
			_take_out(image, Color.html(str(parts[2])))
	return image


## Whether two textures show the same picture, as far as known.
static func is_same_picture(one: Texture2D, other: Texture2D) -> bool:
	if one == null or other == null or one == other:
		return one == other
	# Godot treats null as a missing default and reports an error.
	var both := one.has_meta(MADE_OF) and other.has_meta(MADE_OF)
	return both and one.get_meta(MADE_OF) == other.get_meta(MADE_OF)


## A texture from an image without a file.
static func of_image(image: Image, made_of: Variant) -> Texture2D:
	var made := _empty(made_of)
	made.create_from_image(image, PortableCompressedTexture2D.COMPRESSION_MODE_LOSSLESS)
	return made


static func _empty(made_of: Variant) -> PortableCompressedTexture2D:
	var made := PortableCompressedTexture2D.new()
	made.keep_compressed_buffer = true
	made.set_meta(MADE_OF, made_of)
	return made


static func _without(texture: Texture2D, path: String, nothing: Color) -> Texture2D:
	var made_of := [path, Batch.digest(path), nothing.to_html(false)]
	if _known.has(made_of):
		# Not the texture itself: it would be saved as a part of the first TileSet that has it.
		var again := _empty(made_of)
		again.set(_DATA, _known[made_of])
		return again
	var image := Image.load_from_file(ProjectSettings.globalize_path(path))
	if image == null:
		return texture
	image.convert(Image.FORMAT_RGBA8)
	_take_out(image, nothing)
	var made := of_image(image, made_of)
	if _known.size() == _MOST_KNOWN:
		_known.clear()
	_known[made_of] = made.get(_DATA)
	return made


## Makes the pixels of a colour transparent.
static func _take_out(image: Image, nothing: Color) -> void:
	var pixels := image.get_data().to_int32_array()
	var wanted := PackedByteArray([nothing.r8, nothing.g8, nothing.b8, 255]).to_int32_array()[0]
	var place := pixels.find(wanted)
	if place < 0:
		return
	while place >= 0:
		pixels[place] = 0
		place = pixels.find(wanted, place + 1)
	var size := image.get_size()
	image.set_data(size.x, size.y, false, Image.FORMAT_RGBA8, pixels.to_byte_array())
