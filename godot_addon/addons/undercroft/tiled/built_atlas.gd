extends RefCounted
## Composed pictures for things that Godot's atlases do not support: animations whose frames are not
## side by side, and hexagons rotated by 60 degrees. One row each, all in cells of one size.

const Textures := preload("textures.gd")

## Many machines do not support larger textures.
const MAX_PX := 8192

var cell := Vector2i.ZERO
## The rows: arrays of [Image].
var rows: Array[Array] = []


## Adds a row of pictures and returns its number; -1 if there is no space.
func add(images: Array[Image]) -> int:
	var most := cell
	for image: Image in images:
		most = most.max(image.get_size())
	if most.y * (rows.size() + 1) > MAX_PX or most.x * images.size() > MAX_PX:
		return -1
	cell = most
	rows.append(images)
	return rows.size() - 1


## The texture of all rows. Pictures are at the bottom left of their cells, as in Tiled.
func texture() -> Texture2D:
	var most := 1
	for row: Array in rows:
		most = maxi(most, row.size())
	var sheet := Image.create_empty(cell.x * most, cell.y * rows.size(), false, Image.FORMAT_RGBA8)
	for y: int in rows.size():
		for x: int in rows[y].size():
			var image: Image = rows[y][x]
			var corner := Vector2i(x * cell.x, (y + 1) * cell.y - image.get_height())
			sheet.blit_rect(image, Rect2i(Vector2i.ZERO, image.get_size()), corner)
	return Textures.of_image(sheet, [hash(sheet.get_data())])


## A part of an image; null if it is not available.
static func cut(image: Image, region: Rect2i) -> Image:
	if image == null or not Rect2i(Vector2i.ZERO, image.get_size()).encloses(region):
		return null
	return image.get_region(region)


## The size that fits a picture in any rotation, with equal margins.
static func canvas_of(size: Vector2i) -> Vector2i:
	var side := ceili(Vector2(size).length())
	return Vector2i(side + (side - size.x) % 2, side + (side - size.y) % 2)


## An image, flipped and then rotated around its centre by 60 degrees, [param sixths] times.
static func turned(image: Image, sixths: int, flip_h: bool, flip_v: bool) -> Image:
	var size := image.get_size()
	var canvas := canvas_of(size)
	var made := Image.create_empty(canvas.x, canvas.y, false, Image.FORMAT_RGBA8)
	var back := Transform2D(-TAU * sixths / 6.0, Vector2.ZERO)
	for y: int in canvas.y:
		for x: int in canvas.x:
			var at := Vector2(x + 0.5, y + 0.5) - canvas / 2.0
			at = back * at * Vector2(-1.0 if flip_h else 1.0, -1.0 if flip_v else 1.0)
			var from := Vector2i((at + size / 2.0).floor())
			if Rect2i(Vector2i.ZERO, size).has_point(from):
				made.set_pixelv(Vector2i(x, y), image.get_pixelv(from))
	return made
