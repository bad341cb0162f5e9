extends RefCounted
## The little pictures of rooms on the minimap, a letter a pixel; `.` is clear.

const COLOURS := {
	"w": Color("eef3f0"),
	"k": Color("14111f"),
	"r": Color("c8443f"),
	"y": Color("fbe27a"),
	"o": Color("e3a833"),
	"b": Color("5ba3d4"),
	"v": Color("b983d0"),
	"g": Color("9dbb55"),
}

const _SKULL: PackedStringArray = [".www.", "wkwkw", "wwwww", ".www.", ".w.w."]
const _CROWN: PackedStringArray = [".....", "y.y.y", "yyyyy", "yoyoy", "....."]
const _COIN: PackedStringArray = [".yyy.", "yyoyy", "yoyyy", "yyoyy", ".yyy."]
const _CHEST: PackedStringArray = [".....", "ooooo", "yykyy", "ooooo", "....."]
const _WHAT: PackedStringArray = [".www.", "...w.", "..w..", ".....", "..w.."]
const _HORNS: PackedStringArray = ["r...r", "rr.rr", ".rrr.", ".rkr.", "..r.."]
const _BOOK: PackedStringArray = [".....", "bb.bb", "bbwbb", "bbwbb", "....."]
const _SWORD: PackedStringArray = ["....w", "...w.", "o.w..", ".o...", "o.o.."]
const _STAR: PackedStringArray = ["..v..", ".vvv.", "vvvvv", ".vvv.", "..v.."]
const _BED: PackedStringArray = [".....", "w....", "wgggg", "w...w", "....."]

const ICONS := {
	"boss": _SKULL,
	"mini_boss": _SKULL,
	"treasure": _CROWN,
	"shop": _COIN,
	"chest": _CHEST,
	"vault": _CHEST,
	"secret": _WHAT,
	"super_secret": _WHAT,
	"ultra_secret": _WHAT,
	"curse": _HORNS,
	"sacrifice": _HORNS,
	"library": _BOOK,
	"challenge": _SWORD,
	"boss_challenge": _SWORD,
	"arcade": _COIN,
	"dice": _STAR,
	"planetarium": _STAR,
	"clean_bedroom": _BED,
	"dirty_bedroom": _BED,
	"grave": _SKULL,
}


## The picture of each kind of room that has one, as textures.
static func textures() -> Dictionary:
	var drawn: Dictionary = {}
	for kind: String in ICONS:
		var rows: PackedStringArray = ICONS[kind]
		drawn[kind] = ImageTexture.create_from_image(_picture(rows))
	return drawn


static func _picture(rows: PackedStringArray) -> Image:
	var image := Image.create_empty(rows[0].length(), rows.size(), false, Image.FORMAT_RGBA8)
	for y: int in rows.size():
		for x: int in rows[y].length():
			if COLOURS.has(rows[y][x]):
				var colour: Color = COLOURS[rows[y][x]]
				image.set_pixel(x, y, colour)
	return image
