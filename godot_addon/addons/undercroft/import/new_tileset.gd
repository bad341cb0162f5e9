extends RefCounted
## Saves a TileSet that nobody else has changed, many times as fast as Godot, which lists some
## thirty properties of each tile twice. The text is the one that Godot would write, so a tile
## without data is a line:
##
## [codeblock]
## 3:1/0 = 0
## [/codeblock]

const Batch := preload("batch.gd")
const NewTileSet := preload("new_tileset.gd")
const SourceFile := preload("source_file.gd")

# Of a source that is only there to see the properties of tiles without data.
const _SAMPLE := 0xFFFF
# Of a tile's place in its source, with the values of most tiles.
const _PLACE: Dictionary = {
	"size_in_atlas": Vector2i.ONE,
	"next_alternative_id": 1,
	"animation_columns": 0,
}

# The properties of a source without tiles that are saved, with their values in a new one.
static var _of_atlas: Dictionary = {}

var _external: PackedStringArray = []
var _inner: PackedStringArray = []
# How other resources refer to a resource.
var _references: Dictionary = {}
# See [member TileSetFile.plain].
var _without_data: Dictionary = {}
var _has_bytes := false
# Whether an array or a dictionary has resources, which only Godot writes.
var _is_deep := false
var _tile_set: TileSet
var _sample: TileData
# The properties that decide which other properties a tile has, and by their values: the properties
# of a tile without data.
var _deciding: Array[StringName] = []
var _plain: Dictionary = {}


## As [method ResourceSaver.save]. The tiles in [param plain] need not be looked at; see
## [member TileSetFile.plain].
static func save(tile_set: TileSet, path: String, plain: Dictionary = {}) -> Error:
	if path.get_extension() != "tres":
		return ResourceSaver.save(tile_set, path)
	var writer := NewTileSet.new()
	writer._without_data = plain
	var text := writer._text_of(tile_set, _uid_of(path))
	if writer._is_deep:
		return ResourceSaver.save(tile_set, path)
	var error := SourceFile.replace(path, text)
	var files := EditorInterface.get_resource_filesystem()
	if error == OK and not files.is_scanning():  # A scan finds it by itself.
		files.update_file(path)
	return error


static func _uid_of(path: String) -> int:
	var uid := ResourceLoader.get_resource_uid(path) if FileAccess.file_exists(path) else -1
	if uid == ResourceUID.INVALID_ID:
		uid = ResourceUID.create_id()
		ResourceUID.add_id(uid, path)
	return uid


func _text_of(tile_set: TileSet, uid: int) -> String:
	var properties := tile_set.get_property_list()
	_tile_set = tile_set
	var body := _lines(tile_set, properties)
	if _sample:
		tile_set.remove_source(_SAMPLE)
	var head := '[gd_resource type="TileSet" format=%d uid="%s"]\n'
	var all := PackedStringArray([head % [4 if _has_bytes else 3, ResourceUID.id_to_text(uid)]])
	all.append("".join(_external))
	return "\n".join(all + _inner) + "\n[resource]\n" + body


func _add_sample() -> void:
	var atlas := TileSetAtlasSource.new()
	var texture := PlaceholderTexture2D.new()
	texture.size = atlas.texture_region_size
	atlas.texture = texture
	_tile_set.add_source(atlas, _SAMPLE)
	atlas.create_tile(Vector2i.ZERO)
	_sample = atlas.get_tile_data(Vector2i.ZERO, 0)
	_deciding = [&"terrain_set"]
	for property: Dictionary in _sample.get_property_list():
		if str(property.name).ends_with("polygons_count"):
			_deciding.append(StringName(str(property.name)))


## The lines for the properties of a resource that are not as in a new one.
func _lines(resource: Resource, properties: Array[Dictionary]) -> String:
	var lines: PackedStringArray = []
	var fresh: Resource = ClassDB.instantiate(resource.get_class())
	for property: Dictionary in properties:
		var name: String = property.name
		var value: Variant = resource.get(name)
		if property.usage & PROPERTY_USAGE_STORAGE and not _is_equal(value, fresh.get(name)):
			lines.append("%s = %s\n" % [name, _text(value)])
	return "".join(lines)


static func _is_equal(one: Variant, other: Variant) -> bool:
	return typeof(one) == typeof(other) and one == other


func _text(value: Variant) -> String:
	if value is Resource:
		var resource: Resource = value
		return _reference(resource)
	if value is PackedByteArray:
		_has_bytes = true
		var bytes: PackedByteArray = value
		return 'PackedByteArray("%s")' % Marshalls.raw_to_base64(bytes)
	var text := var_to_str(value)
	if value is Array or value is Dictionary:
		_is_deep = _is_deep or text.contains("Object(") or text.contains('Resource("')
	return text


## The reference to a resource, which is written first.
func _reference(resource: Resource) -> String:
	if _references.has(resource):
		return _references[resource]
	var path := resource.resource_path
	var type := resource.get_class()
	var id := str(_references.size() + 1)
	if path and not path.contains("::"):
		var line := '[ext_resource type="%s"%s path="%s" id="%s"]\n'
		var known := _known_uid(path)
		var uid := "" if known < 0 else ' uid="%s"' % ResourceUID.id_to_text(known)
		type = "Texture2D" if resource is Texture2D else type
		_external.append(line % [type, uid, path.c_escape(), id])
		_references[resource] = 'ExtResource("%s")' % id
		return _references[resource]
	var body: String
	if resource is TileSetAtlasSource:
		body = _atlas_lines(resource as TileSetAtlasSource)
		body += _tiles(resource as TileSetAtlasSource)
	else:
		body = _lines(resource, resource.get_property_list())
	id = type + "_" + str(_references.size() + 1)
	_inner.append('[sub_resource type="%s" id="%s"]\n%s' % [type, id, body])
	_references[resource] = 'SubResource("%s")' % id
	return _references[resource]


## As [method _lines] for a source, whose own list would name all tiles.
func _atlas_lines(atlas: TileSetAtlasSource) -> String:
	if _of_atlas.is_empty():
		var fresh := TileSetAtlasSource.new()
		for property: Dictionary in fresh.get_property_list():
			if property.usage & PROPERTY_USAGE_STORAGE:
				_of_atlas[property.name] = fresh.get(str(property.name))
	var lines: PackedStringArray = []
	for name: String in _of_atlas:
		var value: Variant = atlas.get(name)
		if not _is_equal(value, _of_atlas[name]):
			lines.append("%s = %s\n" % [name, _text(value)])
	for name: StringName in atlas.get_meta_list():
		lines.append("metadata/%s = %s\n" % [name, _text(atlas.get_meta(name))])
	return "".join(lines)


## The uid of a file that no import writes: Godot would read it from the file each time.
static func _known_uid(path: String) -> int:
	var key := "uid of " + path
	if not Batch.has(key):
		Batch.keep(key, ResourceLoader.get_resource_uid(path))
	return Batch.kept(key)


func _tiles(atlas: TileSetAtlasSource) -> String:
	var lines: PackedStringArray = []
	var origins: Dictionary = _without_data.get(atlas, {})
	for index: int in atlas.get_tiles_count():
		var at := atlas.get_tile_id(index)
		var tile := "%d:%d/" % [at.x, at.y]
		var alternatives := atlas.get_alternative_tiles_count(at)
		if alternatives == 1 and origins.has(at):
			lines.append(tile + "0 = 0\n")
			if origins[at]:
				lines.append("%s0/texture_origin = %s\n" % [tile, _text(origins[at])])
			continue
		if alternatives > 1 or not _is_still(atlas, at):
			_add_place(lines, atlas, at, tile)
		for number: int in alternatives:
			var id := atlas.get_alternative_tile_id(at, number)
			lines.append("%s%d = %d\n" % [tile, id, id])
			_add_data(lines, atlas.get_tile_data(at, id), "%s%d/" % [tile, id])
	return "".join(lines)


static func _is_still(atlas: TileSetAtlasSource, at: Vector2i) -> bool:
	return (
		atlas.get_tile_animation_frames_count(at) == 1
		and atlas.get_tile_animation_columns(at) == 0
		and atlas.get_tile_size_in_atlas(at) == Vector2i.ONE
	)


func _add_place(
	lines: PackedStringArray, atlas: TileSetAtlasSource, at: Vector2i, tile: String
) -> void:
	for name: String in _PLACE:
		var value: Variant = atlas.get(tile + name)
		if value != _PLACE[name]:
			lines.append("%s%s = %s\n" % [tile, name, _text(value)])
	var frames := atlas.get_tile_animation_frames_count(at)
	for frame: int in frames if frames > 1 else 0:
		var duration := var_to_str(atlas.get_tile_animation_frame_duration(at, frame))
		lines.append("%sanimation_frame_%d/duration = %s\n" % [tile, frame, duration])


## Adds the properties that are not those of a tile without data.
func _add_data(lines: PackedStringArray, data: TileData, tile: String) -> void:
	if _sample == null:
		_add_sample()
	var decided: Array = []
	for name: StringName in _deciding:
		decided.append(data.get(name))
	if not _plain.has(decided):
		_plain[decided] = _properties(decided)
	var usual: Dictionary = _plain[decided]
	for name: StringName in usual:
		var value: Variant = data.get(name)
		# Most are the same, which is found faster.
		if not is_same(value, usual[name]) and not _is_equal(value, usual[name]):
			lines.append("%s%s = %s\n" % [tile, name, _text(value)])


## The properties of a tile without data but with as many polygons.
func _properties(decided: Array) -> Dictionary:
	for index: int in _deciding.size():
		_sample.set(_deciding[index], decided[index])
	var found: Dictionary = {}
	for property: Dictionary in _sample.get_property_list():
		var name := StringName(str(property.name))
		if property.usage & PROPERTY_USAGE_DEFAULT and not _deciding.has(name):
			found[name] = _sample.get(name)
	if decided[0] != -1:
		found = {_deciding[0]: -1}.merged(found)
	return found
