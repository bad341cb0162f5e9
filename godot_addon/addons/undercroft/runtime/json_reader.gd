extends RefCounted
## Reads a level.json into a plan. The file is not trusted: sizes are checked before memory is used,
## and ids before they are followed.

const DoorFacts := preload("door_facts.gd")
const JsonNode := preload("json_node.gd")
const LiftedJson := preload("lifted_json.gd")
const MinimapIcons := preload("minimap_icons.gd")
const Problem := preload("problem.gd")

const FORMAT := "undercroft-level"
const FORMAT_VERSION := 1
## A parsed file takes many times its size in memory.
const MAX_BYTES := 1 << 26

# The plan does not need the tiles, so these arrays are cut out before the text is parsed.
const _TILES := {"terrain": r"\]", "decor": r"\]"}
const _MAX_SIDE := 1 << 15
const _FAR := 1 << 20
# JSON's numbers are exact up to here.
const _MAX_ID := (1 << 53) - 1


## The plan of a file; null and a problem if it is not a level.
static func read_file(path: String, problem: Problem) -> UndercroftPlan:
	var file := FileAccess.open(path, FileAccess.READ)
	if file == null:
		problem.note(path, "", "cannot be read (%s)" % error_string(FileAccess.get_open_error()))
		return null
	if file.get_length() > MAX_BYTES:
		problem.note(path, "", "has more than %d MB" % (MAX_BYTES >> 20))
		return null
	return read(path, file.get_buffer(file.get_length()).get_string_from_utf8(), problem)


## The plan of the text of [param file]; null and a problem if it is not a level.
static func read(file: String, text: String, problem: Problem) -> UndercroftPlan:
	if text.length() > MAX_BYTES:
		problem.note(file, "", "has more than %d MB" % (MAX_BYTES >> 20))
		return null
	var lifted := LiftedJson.parse(file, text, _TILES, problem)
	if lifted == null:
		return null
	var root := JsonNode.new(lifted.root, "", file, problem)
	if not root.value is Dictionary or root.at("format").value != FORMAT:
		problem.note(file, "format", "is not %s; give a NAME.level.json" % FORMAT)
		return null
	root.at("format_version").number(FORMAT_VERSION, FORMAT_VERSION)
	var plan := UndercroftPlan.new()
	plan.style = root.at("style").text()
	plan.seed_text = root.at("seed").text()
	plan.fingerprint = root.at("fingerprint").text()
	plan.facts = root.at("facts").facts()
	var size := root.at("size")
	plan.size = Vector2i(
		size.at("width").number(1, _MAX_SIDE), size.at("height").number(1, _MAX_SIDE)
	)
	if plan.size.x * plan.size.y > UndercroftPlan.MAX_TILES:
		size.fail("is more than %d tiles" % UndercroftPlan.MAX_TILES)
	if problem.found:
		return null
	_read_rooms(root.at("rooms").items(), plan)
	if not problem.found and plan.is_overfull():
		root.at("rooms").fail("are larger, or have more corners, than a level allows")
	_read_doors(root.at("doors").items(), plan)
	_read_hallways(root.at("hallways").items(), plan)
	_read_markers(root.at("markers").items(), plan, root.at("hallways").items().size())
	if problem.found:
		return null
	_read_kinds(root.value, plan)
	plan.finish()
	return plan


# What kinds are like: as the level's kit says, or as usual. Values that are not tables are ignored.
static func _read_kinds(root: Variant, plan: UndercroftPlan) -> void:
	var kinds := _table(root, "kinds")
	var rooms := _table(kinds, "room")
	for room: UndercroftRoom in plan.rooms:
		if rooms.has(room.kind):
			var row := _table(rooms, room.kind)
			room.icon = str(row.get("icon", "dot"))
			room.colour = Color.from_string(str(row.get("color", "")), MinimapIcons.colour_of(""))
			room.has_icon = not MinimapIcons.is_usual(room.kind, room.icon, room.colour)
	var doors := _table(kinds, "door")
	for door: UndercroftDoor in plan.doors:
		if doors.has(door.kind):
			var row := _table(doors, door.kind)
			door.tell(_is_true(row, "starts_shut"), _is_true(row, "secret"))
		else:
			door.tell(DoorFacts.kind_starts_shut(door.kind), DoorFacts.kind_is_secret(door.kind))


static func _table(holder: Variant, key: String) -> Dictionary:
	if not holder is Dictionary:
		return {}
	var table: Dictionary = holder
	var value: Variant = table.get(key)
	return value if value is Dictionary else {}


static func _is_true(row: Dictionary, key: String) -> bool:
	var value: Variant = row.get(key)
	return value is bool and value


static func _read_rooms(items: Array[JsonNode], plan: UndercroftPlan) -> void:
	for item: JsonNode in items:
		var room := UndercroftRoom.new()
		room.id = item.at("id").number(plan.rooms.size(), plan.rooms.size())
		room.kind = item.at("kind").text()
		room.shape = item.at("shape").text()
		room.distance = item.at("distance").maybe(0, _FAR)
		room.depth = item.at("depth").number(0, _FAR)
		room.difficulty = item.at("difficulty").number(0, _FAR)
		room.layout = item.at("layout").text()
		room.zone = item.at("zone").text() if item.has("zone") else ""
		room.name = item.at("name").text() if item.has("name") else ""
		for cell: JsonNode in item.at("cells").items():
			var pair := cell.items(2)
			if pair.size() == 2:
				room.cells.append(
					Vector2i(pair[0].number(-_FAR, _FAR), pair[1].number(-_FAR, _FAR))
				)
		room.bounds = _bounds(item.at("bounds"), plan.size)
		for ring: JsonNode in item.at("outline").items():
			var points: PackedVector2Array = []
			for corner: Vector2i in ring.tiles(plan.size + Vector2i.ONE):
				points.append(corner)
			room.outline.append(points)
		plan.rooms.append(room)


static func _bounds(node: JsonNode, size: Vector2i) -> Rect2i:
	var parts := node.items(4)
	if parts.size() != 4:
		return Rect2i()
	var position := Vector2i(parts[0].number(0, size.x - 1), parts[1].number(0, size.y - 1))
	var width := parts[2].number(1, size.x - position.x)
	return Rect2i(position, Vector2i(width, parts[3].number(1, size.y - position.y)))


static func _read_doors(items: Array[JsonNode], plan: UndercroftPlan) -> void:
	for item: JsonNode in items:
		var door := UndercroftDoor.new()
		door.id = item.at("id").number(plan.doors.size(), plan.doors.size())
		door.kind = item.at("kind").text()
		door.side = item.at("side").text()
		door.tiles = item.at("tiles").tiles(plan.size)
		var pair := item.at("rooms").items(2)
		if pair.size() == 2:
			door.room_ids.append(pair[0].number(0, plan.rooms.size() - 1))
			if pair[1].value != null:
				door.room_ids.append(pair[1].number(0, plan.rooms.size() - 1))
		_read_gate(item, door)
		plan.doors.append(door)


# What a door requires of the player, and its class; missing if it requires nothing and is plain.
static func _read_gate(item: JsonNode, door: UndercroftDoor) -> void:
	if item.has("needs"):
		for key: JsonNode in item.at("needs").items():
			door.needs.append(key.text())
	if item.has("one_way"):
		door.one_way = item.at("one_way").truth()
	if item.has("opens_from"):
		var room := item.at("opens_from").number(0, UndercroftPlan.MAX_TILES)
		if not room in door.room_ids:
			item.at("opens_from").fail("is not a room of the door")
		door.opens_from = room
	if item.has("joins"):
		door.joins = item.at("joins").text()


static func _read_hallways(items: Array[JsonNode], plan: UndercroftPlan) -> void:
	for item: JsonNode in items:
		var hallway := UndercroftHallway.new()
		hallway.id = item.at("id").number(plan.hallways.size(), plan.hallways.size())
		for door: JsonNode in item.at("doors").items(2):
			hallway.door_ids.append(door.number(0, plan.doors.size() - 1))
		hallway.tiles = item.at("tiles").tiles(plan.size)
		plan.hallways.append(hallway)


static func _read_markers(items: Array[JsonNode], plan: UndercroftPlan, hallways: int) -> void:
	var least := 0
	for item: JsonNode in items:
		var marker := UndercroftMarker.new()
		# The ids are ascending, with gaps where rooms were rolled again.
		marker.id = item.at("id").number(least, _MAX_ID)
		least = marker.id + 1
		marker.kind = item.at("kind").text()
		marker.tile = Vector2i(
			item.at("x").number(0, plan.size.x - 1), item.at("y").number(0, plan.size.y - 1)
		)
		marker.room_id = item.at("room").maybe(0, plan.rooms.size() - 1)
		marker.hallway_id = item.at("hallway").maybe(0, hallways - 1)
		marker.properties = item.at("properties").facts()
		plan.markers.append(marker)
