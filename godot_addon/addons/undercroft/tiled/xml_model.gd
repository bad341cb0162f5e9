extends RefCounted
## Converts Tiled's XML to the tables of its JSON, so that one reader serves both.

const XmlTree := preload("xml_tree.gd")

const _LAYERS := {
	"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group"
}
# Attributes that always stay text, and those that are true or false.
const _TEXT := 1
const _FLAG := 2
const _KINDS := {
	"name": _TEXT,
	"class": _TEXT,
	"type": _TEXT,
	"value": _TEXT,
	"source": _TEXT,
	"template": _TEXT,
	"terrain": _TEXT,
	"version": _TEXT,
	"tiledversion": _TEXT,
	"fontfamily": _TEXT,
	"infinite": _FLAG,
	"visible": _FLAG,
	"locked": _FLAG,
	"repeatx": _FLAG,
	"repeaty": _FLAG,
	"wrap": _FLAG,
	"bold": _FLAG,
	"italic": _FLAG,
	"underline": _FLAG,
	"strikeout": _FLAG,
	"kerning": _FLAG,
}
const _SHAPES: Array[String] = ["ellipse", "point", "capsule"]


## The table of a file's root element: a map, a tileset or a template.
static func table(root: XmlTree) -> Dictionary:
	match root.name:
		"map":
			return _map(root)
		"tileset":
			return _tileset(root)
		"template":
			return _template(root)
	return {"type": root.name}


static func _map(root: XmlTree) -> Dictionary:
	var found := _common(root)
	found.type = "map"
	found.layers = _layers(root)
	found.tilesets = root.all("tileset").map(_tileset)
	return found


static func _layers(root: XmlTree) -> Array:
	var found: Array = []
	for child: XmlTree in root.children:
		if _LAYERS.has(child.name):
			found.append(_layer(child))
	return found


static func _layer(root: XmlTree) -> Dictionary:
	var found := _common(root)
	found.type = _LAYERS[root.name]
	match root.name:
		"layer":
			var data := root.first("data")
			if data:
				_add_data(found, data)
		"objectgroup":
			found.objects = root.all("object").map(_object)
		"imagelayer":
			_add_image(found, root)
		"group":
			found.layers = _layers(root)
	return found


static func _add_data(found: Dictionary, data: XmlTree) -> void:
	var encoding := str(data.attributes.get("encoding", "xml"))
	found.encoding = encoding
	found.compression = data.attributes.get("compression", "")
	var chunks := data.all("chunk")
	if chunks.is_empty():
		found.data = _tiles(data, encoding)
		return
	var listed: Array = []
	for chunk: XmlTree in chunks:
		var one := _attributes(chunk)
		one.data = _tiles(chunk, encoding)
		listed.append(one)
	found.chunks = listed


static func _tiles(data: XmlTree, encoding: String) -> Variant:
	return data.gids if encoding == "xml" else data.text.strip_edges()


static func _object(root: XmlTree) -> Dictionary:
	var found := _common(root)
	for child: XmlTree in root.children:
		if _SHAPES.has(child.name):
			found[child.name] = true
		elif child.name == "polygon" or child.name == "polyline":
			found[child.name] = _points(str(child.attributes.get("points", "")))
		elif child.name == "text":
			var words := _attributes(child)
			words.text = child.text
			found.text = words
	return found


## Points as `x,y x,y`; invalid numbers stay text, which the reader reports.
static func _points(text: String) -> Array:
	var found: Array = []
	for pair: String in text.split(" ", false):
		var cut := pair.split(",")
		if cut.size() == 2 and cut[0].is_valid_float() and cut[1].is_valid_float():
			found.append({"x": cut[0].to_float(), "y": cut[1].to_float()})
		else:
			found.append(pair)
	return found


static func _tileset(root: XmlTree) -> Dictionary:
	var found := _common(root)
	found.type = "tileset"
	_add_image(found, root)
	for key: String in ["tileoffset", "grid", "transformations"]:
		var child := root.first(key)
		if child:
			found[key] = _attributes(child)
	found.tiles = root.all("tile").map(_tile)
	var sets := root.first("wangsets")
	found.wangsets = sets.all("wangset").map(_wang_set) if sets else []
	var terrains := root.first("terraintypes")
	if terrains:
		found.terrains = terrains.all("terrain").map(_common)
	return found


static func _tile(root: XmlTree) -> Dictionary:
	var found := _common(root)
	_add_image(found, root)
	var shapes := root.first("objectgroup")
	if shapes:
		found.objectgroup = _layer(shapes)
	var animation := root.first("animation")
	if animation:
		found.animation = animation.all("frame").map(_attributes)
	return found


static func _wang_set(root: XmlTree) -> Dictionary:
	var found := _common(root)
	found.colors = root.all("wangcolor").map(_common)
	found.cornercolors = root.all("wangcornercolor").map(_common)
	found.edgecolors = root.all("wangedgecolor").map(_common)
	found.wangtiles = root.all("wangtile").map(_wang_tile)
	return found


static func _wang_tile(root: XmlTree) -> Dictionary:
	var text: String = root.attributes.get("wangid", "")
	var found := _attributes(root)
	var colors: Array = []
	if text.begins_with("0x") and text.is_valid_hex_number(true):  # up to Tiled 1.4
		for place: int in 8:
			colors.append(float(text.hex_to_int() >> place * 4 & 0xF))
	else:
		for color: String in text.split(","):
			colors.append(color.to_float() if color.is_valid_float() else -1.0)
	found.wangid = colors
	return found


static func _template(root: XmlTree) -> Dictionary:
	var found: Dictionary = {"type": "template"}
	var tileset := root.first("tileset")
	if tileset:
		found.tileset = _attributes(tileset)
	var object := root.first("object")
	if object:
		found.object = _object(object)
	return found


static func _add_image(found: Dictionary, root: XmlTree) -> void:
	var image := root.first("image")
	if image == null:
		return
	found.image = image.attributes.get("source", "")
	for key: String in ["width", "height"]:
		if image.attributes.has(key):
			found["image" + key] = _value(key, str(image.attributes[key]))
	if image.attributes.has("trans"):
		found.transparentcolor = image.attributes.trans


## Attributes, and the properties below.
static func _common(root: XmlTree) -> Dictionary:
	var found := _attributes(root)
	var listed := root.first("properties")
	if listed:
		found.properties = listed.all("property").map(_property)
	return found


static func _property(root: XmlTree) -> Dictionary:
	var found := _attributes(root)
	var type := str(found.get("type", "string"))
	if type == "qlonglong":  # Tiled's name for numbers in classes read from JSON
		type = "int"
	found.type = type
	var nested := root.first("properties")
	if type == "class":
		found.value = _members(nested)
	elif type == "list":
		found.value = root.all("item").map(_property)
	else:
		# Multi-line text is inside the element.
		var value := str(found.get("value", root.text))
		found.value = value
		if type == "bool":
			found.value = value == "true"
		elif ["int", "float", "object"].has(type):
			found.value = value.to_float() if value.is_valid_float() else 0.0
	return found


## In XML, each member of a class has its type, so they stay a list of properties.
static func _members(nested: XmlTree) -> Array:
	return nested.all("property").map(_property) if nested else []


## The attributes with their types. They are changed where they are: nobody needs them twice.
static func _attributes(root: XmlTree) -> Dictionary:
	var found := root.attributes
	for key: String in found:
		var text: String = found[key]
		found[key] = _value(key, text)
	return found


static func _value(key: String, text: String) -> Variant:
	var kind: int = _KINDS.get(key, 0)
	if kind == _TEXT or not text.is_valid_float() or key.contains("color"):
		return text
	if kind == _FLAG and (text == "0" or text == "1"):
		return text == "1"
	return text.to_float()
