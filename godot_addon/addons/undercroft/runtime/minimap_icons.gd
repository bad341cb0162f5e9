extends RefCounted
## The pictures of rooms on the minimap, one letter per pixel; `.` is transparent.

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
const _DOT: PackedStringArray = [".....", "..w..", ".www.", "..w..", "....."]

const _KEY: PackedStringArray = [".ww..", "w..w.", ".ww..", "..w..", "..ww."]
const _LOCK: PackedStringArray = [".www.", "w...w", "wwwww", "wwkww", "wwwww"]

## Colours for a level's keys, in the order in which locks and markers name them.
const KEY_COLOURS: PackedColorArray = [
	Color("fbe27a"),
	Color("a9e0ee"),
	Color("ff8ad8"),
	Color("9dbb55"),
	Color("f08a4b"),
	Color("b983d0"),
]

# Letters of three by five pixels: one digit per row, whose bits are the pixels.
const _LETTERS := {
	"A": 25755,
	"B": 65656,
	"C": 34443,
	"D": 65556,
	"E": 74647,
	"F": 74644,
	"G": 34553,
	"H": 55755,
	"I": 72227,
	"J": 11152,
	"K": 55655,
	"L": 44447,
	"M": 57755,
	"N": 65555,
	"O": 25552,
	"P": 65644,
	"Q": 25563,
	"R": 65655,
	"S": 34216,
	"T": 72222,
	"U": 55557,
	"V": 55552,
	"W": 55775,
	"X": 55255,
	"Y": 55222,
	"Z": 71247,
	"0": 75557,
	"1": 26227,
	"2": 61247,
	"3": 61216,
	"4": 55711,
	"5": 74616,
	"6": 34757,
	"7": 71222,
	"8": 75757,
	"9": 75716,
}

## The pictures by their names in a kit's rows.
const NAMED := {
	"skull": _SKULL,
	"crown": _CROWN,
	"coin": _COIN,
	"chest": _CHEST,
	"what": _WHAT,
	"horns": _HORNS,
	"book": _BOOK,
	"sword": _SWORD,
	"star": _STAR,
	"bed": _BED,
	"dot": _DOT,
}

## Kinds of rooms without an icon.
const PLAIN: PackedStringArray = ["start", "normal", "red"]

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


## A texture for each kind of room; null for kinds without an icon.
static func textures() -> Dictionary:
	var drawn: Dictionary = {}
	for kind: String in ICONS:
		var rows: PackedStringArray = ICONS[kind]
		drawn[kind] = _picture(rows)
	for kind: String in PLAIN:
		drawn[kind] = null
	return drawn


## The picture for unknown kinds of rooms, from other styles or kits.
static func other() -> Texture2D:
	return _picture(_DOT)


## The pictures of a key in a room and of a lock; white, to be drawn in the key's colour.
static func key() -> Texture2D:
	return _picture(_KEY)


static func lock() -> Texture2D:
	return _picture(_LOCK)


## The colours of a level's keys, by the names in its locks.
static func key_colours(plan: UndercroftPlan) -> Dictionary:
	var names: Dictionary = {}
	for door: UndercroftDoor in plan.doors:
		for key: String in door.needs:
			names[key] = true
	for marker: UndercroftMarker in plan.markers:
		if marker.kind == "key":
			names[marker.text("opens")] = true
	var colours: Dictionary = {}
	for name: String in names:
		colours[name] = KEY_COLOURS[colours.size() % KEY_COLOURS.size()]
	return colours


## Whether rooms of a kind have this icon by default.
static func is_usual(kind: String, icon: String) -> bool:
	if kind in PLAIN:
		return icon.is_empty()
	return ICONS.has(kind) and NAMED.has(icon) and ICONS[kind] == NAMED[icon]


## The picture for a kit's icon name or letter; null for an empty text.
static func named(icon: String) -> Texture2D:
	if icon.is_empty():
		return null
	if NAMED.has(icon):
		var rows: PackedStringArray = NAMED[icon]
		return _picture(rows)
	return _letter(icon[0].to_upper())


static func _letter(letter: String) -> Texture2D:
	if not _LETTERS.has(letter):
		return other()
	var rows: PackedStringArray = []
	var digits := "%05d" % _LETTERS[letter]
	for digit: String in digits:
		var row := "."
		for bit: int in [4, 2, 1]:
			row += "w" if int(digit) & bit else "."
		rows.append(row + ".")
	return _picture(rows)


static func _picture(rows: PackedStringArray) -> Texture2D:
	var image := Image.create_empty(rows[0].length(), rows.size(), false, Image.FORMAT_RGBA8)
	for y: int in rows.size():
		for x: int in rows[y].length():
			if COLOURS.has(rows[y][x]):
				var colour: Color = COLOURS[rows[y][x]]
				image.set_pixel(x, y, colour)
	return ImageTexture.create_from_image(image)
