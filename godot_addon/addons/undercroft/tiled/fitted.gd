extends RefCounted
## Tiles in the size of the map's cells, if the tileset asks for it (`tilerendersize` "grid"). Godot
## draws tiles in the size of their pictures, so they get pictures of that size.

const BuiltAtlas := preload("built_atlas.gd")
const Textures := preload("textures.gd")
const Tileset := preload("tileset.gd")

## Many machines do not support larger textures.
const MAX_PX := 8192


## Whether a tileset's tiles must be stretched for cells of this size.
static func is_wanted(tileset: Tileset, size: Vector2i, cell: Vector2i) -> bool:
	return tileset.fields.text("tilerendersize", "tile") == "grid" and size != cell


## A tileset's texture with its tiles in the size of the cells; the tileset is updated for it. If
## that is not possible, the unchanged texture and a warning.
static func sheet(texture: Texture2D, tileset: Tileset, cell: Vector2i) -> Texture2D:
	var image := Textures.image_of(texture)
	var made := _sheet(image, tileset, cell) if image else null
	if made == null:
		tileset.fields.warn("tilerendersize", "the tiles cannot be stretched; they keep their size")
		return texture
	tileset.fit = _fit(tileset, tileset.tile_size, cell)
	tileset.offset = Vector2i((Vector2(tileset.offset) * tileset.fit.get_scale()).round())
	tileset.tile_size = cell
	tileset.margin = 0
	tileset.spacing = 0
	return Textures.of_image(made, [hash(made.get_data())])


## The texture of one tile of a collection in the size of the cells; null if that is not possible.
static func picture(
	texture: Texture2D, region: Rect2i, tileset: Tileset, id: int, cell: Vector2i
) -> Texture2D:
	var image := BuiltAtlas.cut(Textures.image_of(texture), region)
	var size := region.size
	var scale := _scale(tileset, size, cell)
	var across := _places(1, 0, size.x, size.x, cell.x, scale.x)
	var down := _places(1, 0, size.y, size.y, cell.y, scale.y)
	var made := _resampled(image, across, down) if image else null
	if made == null:
		tileset.fields.warn("tilerendersize", "the tiles cannot be stretched; they keep their size")
		return null
	tileset.fits[id] = _fit(tileset, size, cell)
	return Textures.of_image(made, [hash(made.get_data())])


static func _fit(tileset: Tileset, size: Vector2i, cell: Vector2i) -> Transform2D:
	var scale := _scale(tileset, size, cell)
	return Transform2D(0, scale, 0, (Vector2(cell) - Vector2(size) * scale) / 2.0)


static func _sheet(image: Image, tileset: Tileset, cell: Vector2i) -> Image:
	var rows := ceili(tileset.count / float(tileset.columns))
	var gap := tileset.margin * Vector2i.ONE
	var step := tileset.tile_size + tileset.spacing * Vector2i.ONE
	var scale := _scale(tileset, tileset.tile_size, cell)
	var across := _places(tileset.columns, gap.x, step.x, tileset.tile_size.x, cell.x, scale.x)
	var down := _places(rows, gap.y, step.y, tileset.tile_size.y, cell.y, scale.y)
	return _resampled(image, across, down)


static func _scale(tileset: Tileset, size: Vector2i, cell: Vector2i) -> Vector2:
	var scale := Vector2(cell) / Vector2(size)
	if tileset.fields.text("fillmode", "stretch") == "preserve-aspect-fit":
		scale = Vector2.ONE * minf(scale.x, scale.y)
	return scale


## For each px along an axis of the new image: the px of the old one to show there, or -1.
static func _places(
	count: int, from: int, step: int, size: int, cell: int, scale: float
) -> PackedInt32Array:
	var found := PackedInt32Array()
	if count * cell > MAX_PX:
		return found
	var before := (cell - size * scale) / 2.0
	for index: int in count:
		for px: int in cell:
			var at := floori((px + 0.5 - before) / scale)
			found.append(from + index * step + at if at >= 0 and at < size else -1)
	return found


static func _resampled(image: Image, across: PackedInt32Array, down: PackedInt32Array) -> Image:
	if not across or not down:
		return null
	var height := image.get_height()
	var wide := Image.create_empty(across.size(), height, false, Image.FORMAT_RGBA8)
	for x: int in across.size():
		if across[x] >= 0:
			wide.blit_rect(image, Rect2i(across[x], 0, 1, height), Vector2i(x, 0))
	var made := Image.create_empty(across.size(), down.size(), false, Image.FORMAT_RGBA8)
	for y: int in down.size():
		if down[y] >= 0:
			made.blit_rect(wide, Rect2i(0, down[y], across.size(), 1), Vector2i(0, y))
	return made
