extends RefCounted
## Text objects as labels.

const Fields := preload("../import/fields.gd")
const Grid := preload("grid.gd")
const TileShapes := preload("tile_shapes.gd")

const _ACROSS := {
	"left": HORIZONTAL_ALIGNMENT_LEFT,
	"center": HORIZONTAL_ALIGNMENT_CENTER,
	"right": HORIZONTAL_ALIGNMENT_RIGHT,
	"justify": HORIZONTAL_ALIGNMENT_FILL,
}
const _DOWN := {
	"top": VERTICAL_ALIGNMENT_TOP,
	"center": VERTICAL_ALIGNMENT_CENTER,
	"bottom": VERTICAL_ALIGNMENT_BOTTOM,
}


## Sets up a label from a text object; a node of another class only gets its place.
static func give(object: Fields, node: Node, grid: Grid) -> void:
	var words := object.sub("text")
	var at := grid.px(TileShapes.position_of(object))
	var angle := deg_to_rad(object.number("rotation", 0))
	var label := node as Label
	if label == null:
		var other := node as Node2D
		if other:
			other.position = at
			other.rotation = angle
		return
	label.position = at
	label.rotation = angle
	label.size = TileShapes.size_of(object)
	label.clip_text = true
	label.text = words.text("text", "")
	if words.boolean("wrap", false):
		label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	label.horizontal_alignment = _ACROSS[words.choice(
		"halign", ["left", "center", "right", "justify"], "left"
	)]
	label.vertical_alignment = _DOWN[words.choice("valign", ["top", "center", "bottom"], "top")]
	label.uppercase = false
	label.add_theme_color_override("font_color", words.color("color", Color.BLACK))
	label.add_theme_font_size_override("font_size", words.integer("pixelsize", 1, 4096, 16))
	var font := SystemFont.new()
	font.font_names = PackedStringArray([words.text("fontfamily", "sans-serif").left(200)])
	font.font_weight = 700 if words.boolean("bold", false) else 400
	font.font_italic = words.boolean("italic", false)
	label.add_theme_font_override("font", font)
