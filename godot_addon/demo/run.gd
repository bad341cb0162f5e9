extends RefCounted
## A run: a style, a seed, the floor, and what has happened on this floor.
##
## [method to_table] returns the data to save, and [method from_json] reads it.

const Belongings := preload("belongings.gd")
const JsonNode := preload("../addons/undercroft/runtime/json_node.gd")
const Levels := preload("levels.gd")
const Run := preload("run.gd")

const MAX_SEED := 40
const MAX_KEYS := 1000
const MAX_IDS := 1 << 16
const MAX_LOOSE := 1000
const FAR := 1 << 20

## The run that is played.
static var current: Run

var style := "isaac"
## As it was typed.
var seed_text := ""
## From 1.
var floor_number := 1
var belongings := Belongings.new()

## The fingerprint of this floor's level, to detect saves from other levels; empty until it is
## built.
var fingerprint := ""
## Ids of rooms, doors and markers.
var visited: PackedInt32Array = []
var cleared: PackedInt32Array = []
var opened: PackedInt32Array = []
var taken: PackedInt32Array = []
## The number of each of the level's keys that the player has, by name.
var level_keys: Dictionary = {}
## Loose pickups that belong to no marker: kind, and place in px.
var loose: Array[Dictionary] = []
## Where the player resumes, in px; unused until [member visited] has a room.
var place := Vector2()


static func begin(of_style: String, typed_seed: String) -> Run:
	var run := Run.new()
	run.style = of_style
	run.seed_text = typed_seed
	return run


## Goes to the next floor and resets its state.
func descend() -> void:
	floor_number += 1
	fingerprint = ""
	visited.clear()
	cleared.clear()
	opened.clear()
	taken.clear()
	level_keys.clear()
	loose.clear()


## A random number for a purpose on this floor, always the same for this seed.
func roll(purpose: String) -> int:
	return ("%s/%d/%s" % [seed_text, floor_number, purpose]).hash()


func to_table() -> Dictionary:
	return {
		"style": style,
		"seed": seed_text,
		"floor": floor_number,
		"belongings": belongings.to_table(),
		"fingerprint": fingerprint,
		"visited": visited,
		"cleared": cleared,
		"opened": opened,
		"taken": taken,
		"level_keys": level_keys,
		"loose": loose.map(_loose_to_table),
		"place": _place_to_list(place),
	}


## Never fails, whatever the table contains; its problem says whether the run is valid.
static func from_json(root: JsonNode) -> Run:
	var run := Run.new()
	run.style = root.at("style").text()
	if not run.style in Levels.styles():
		root.at("style").fail("is not one of %s" % ", ".join(Levels.styles()))
		return run
	run.seed_text = root.at("seed").text()
	if run.seed_text.length() > MAX_SEED:
		root.at("seed").fail("has more than %d letters" % MAX_SEED)
	run.floor_number = root.at("floor").number(1, Levels.floors(run.style))
	run.belongings = Belongings.from_json(root.at("belongings"))
	run.fingerprint = root.at("fingerprint").text()
	run.visited = _ids(root.at("visited"))
	run.cleared = _ids(root.at("cleared"))
	run.opened = _ids(root.at("opened"))
	run.taken = _ids(root.at("taken"))
	if root.has("level_keys"):  # older saved runs lack it
		run.level_keys = _keys(root.at("level_keys"))
	run.place = _place(root.at("place"))
	var lying := root.at("loose").items()
	for item: JsonNode in lying.slice(0, MAX_LOOSE):
		run.loose.append({"kind": item.at("kind").text(), "place": _place(item.at("place"))})
	return run


static func _keys(table: JsonNode) -> Dictionary:
	var held: Dictionary = {}
	for key: String in table.facts():
		if held.size() < MAX_KEYS:
			held[key] = table.at(key).number(0, MAX_KEYS)
	return held


static func _ids(list: JsonNode) -> PackedInt32Array:
	var result: PackedInt32Array = []
	for item: JsonNode in list.items():
		result.append(item.number(0, MAX_IDS))
	return result


static func _place(pair: JsonNode) -> Vector2:
	var found := pair.items(2)
	if found.size() != 2:
		return Vector2()
	return Vector2(found[0].number(-FAR, FAR), found[1].number(-FAR, FAR))


static func _place_to_list(where: Vector2) -> Array:
	return [roundi(where.x), roundi(where.y)]


static func _loose_to_table(thing: Dictionary) -> Dictionary:
	var where: Vector2 = thing["place"]
	return {"kind": thing["kind"], "place": _place_to_list(where)}
