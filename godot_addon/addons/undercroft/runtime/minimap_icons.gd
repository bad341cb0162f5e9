extends RefCounted
## The signs on the minimap as textures: of rooms, keys, locks and doors.

const ShippedSigns := preload("shipped_signs.gd")

const _SIDE := 9
# The columns and rows of a letter that those of a sign show.
const _COLUMNS: PackedInt32Array = [0, 0, 1, 1, 2, 2]
const _ROWS: PackedInt32Array = [0, 0, 1, 1, 2, 3, 3, 4, 4]

static var _drawn: Dictionary = {}


## A texture for each kind of room; null for kinds without an icon.
static func textures() -> Dictionary:
	var drawn: Dictionary = {}
	for kind: String in ShippedSigns.ROOMS:
		drawn[kind] = named(_row(kind)[0], colour_of(kind))
	return drawn


## The picture for unknown kinds of rooms, from other styles or kits.
static func other() -> Texture2D:
	return _picture(_sign("dot"), colour_of(""))


## The colour of a kind of room on maps.
static func colour_of(kind: String) -> Color:
	return Color(_row(kind)[1]) if ShippedSigns.ROOMS.has(kind) else Color(ShippedSigns.OTHER)


## The pictures of a key, or a lever, and of a lock, for the key with this number.
static func key(number: int, is_lever := false) -> Texture2D:
	var signs := ShippedSigns.LEVERS if is_lever else ShippedSigns.KEYS
	return _picture(signs[number % signs.size()], key_colour(number))


static func lock(number: int) -> Texture2D:
	var signs := ShippedSigns.LOCKS
	return _picture(signs[number % signs.size()], key_colour(number))


## The picture of the exit of a run's level.
static func way_on() -> Texture2D:
	return _picture(_sign("stairs"), Color(ShippedSigns.PLAIN))


static func key_colour(number: int) -> Color:
	return Color(ShippedSigns.KEY_COLOURS[number % ShippedSigns.KEY_COLOURS.size()])


## The picture of a door that only lets through in a direction, or, if [param is_barred], only opens
## in it.
static func way(direction: Vector2i, is_barred: bool) -> Texture2D:
	var turns: Array[Vector2i] = [Vector2i.RIGHT, Vector2i.DOWN, Vector2i.LEFT, Vector2i.UP]
	var signs := ShippedSigns.BARRED if is_barred else ShippedSigns.ONE_WAY
	return _picture(signs[maxi(turns.find(direction), 0)], Color(ShippedSigns.PLAIN))


## The picture of a door by its kind, null if it has none.
static func of_door(kind: String) -> Texture2D:
	if not ShippedSigns.DOORS.has(kind):
		return null
	var icon: String = ShippedSigns.DOORS[kind]
	return _picture(_sign(icon), Color(ShippedSigns.PLAIN))


## The numbers of a level's keys, by name: as locks name them, then as they lie.
static func key_numbers(plan: UndercroftPlan) -> Dictionary:
	var numbers: Dictionary = {}
	for door: UndercroftDoor in plan.doors:
		for name: String in door.needs:
			numbers.get_or_add(name, numbers.size())
	for marker: UndercroftMarker in plan.markers:
		if marker.kind == "key":
			numbers.get_or_add(marker.text("opens"), numbers.size())
	return numbers


## The colours of a level's keys, by the names in its locks.
static func key_colours(plan: UndercroftPlan) -> Dictionary:
	var colours := key_numbers(plan)
	for name: String in colours:
		var number: int = colours[name]
		colours[name] = key_colour(number)
	return colours


## Whether rooms of a kind have this icon and colour by default.
static func is_usual(kind: String, icon: String, colour: Color) -> bool:
	return ShippedSigns.ROOMS.has(kind) and _row(kind)[0] == icon and colour_of(kind) == colour


## The picture for a kit's icon name or letter; null for an empty text.
static func named(icon: String, colour: Color) -> Texture2D:
	if icon.is_empty():
		return null
	if ShippedSigns.SIGNS.has(icon):
		return _picture(_sign(icon), colour)
	var letter := icon[0].to_upper()
	return _picture(_letter(letter) if ShippedSigns.LETTERS.has(letter) else _sign("dot"), colour)


static func _sign(icon: String) -> String:
	return ShippedSigns.SIGNS[icon]


static func _row(kind: String) -> PackedStringArray:
	return ShippedSigns.ROOMS[kind]


static func _letter(letter: String) -> String:
	var digits: String = ShippedSigns.LETTERS[letter]
	var dots := ""
	for row: int in _ROWS:
		dots += ".."
		for column: int in _COLUMNS:
			dots += "#" if int(digits[row]) >> (2 - column) & 1 else "."
		dots += "."
	return dots


# A sign's dots in its colour, with a dark edge around them. It is kept, as drawing needs it later.
static func _picture(dots: String, colour: Color) -> Texture2D:
	var key := [dots, colour]
	if not _drawn.has(key):
		_drawn[key] = _new_picture(dots, colour)
	return _drawn[key]


# A colour, or a lighter one with enough contrast with the edge.
static func _ink_of(colour: Color) -> Color:
	var edge := Color(ShippedSigns.EDGE).srgb_to_linear().get_luminance() + 0.05
	for step: int in 20:
		var ink := colour.lerp(Color.WHITE, step / 20.0)
		if ink.srgb_to_linear().get_luminance() + 0.05 >= ShippedSigns.EDGE_CONTRAST * edge:
			return ink
	return Color.WHITE


static func _new_picture(dots: String, colour: Color) -> Texture2D:
	var ink := _ink_of(colour)
	var image := Image.create_empty(_SIDE + 2, _SIDE + 2, false, Image.FORMAT_RGBA8)
	for i: int in dots.length():
		if dots[i] == "#":
			image.fill_rect(Rect2i(i % _SIDE, i / _SIDE, 3, 3), Color(ShippedSigns.EDGE))
	for i: int in dots.length():
		if dots[i] == "#":
			image.set_pixel(i % _SIDE + 1, i / _SIDE + 1, ink)
	return ImageTexture.create_from_image(image)
