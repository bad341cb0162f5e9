extends RefCounted
## A run of the game: a style, a seed, its floors, and what the player has.
##
## [method to_table] returns the data to save, and [method from_json] reads it. What has happened on
## each floor is in [member floors]; what is only the game's is among what that carries.

const Belongings := preload("belongings.gd")
const JsonNode := preload("../addons/undercroft/runtime/json_node.gd")
const Levels := preload("levels.gd")
const Run := preload("run.gd")

const MAX_SEED := 40
const MAX_LOOSE := 1000
const FAR := 1 << 20

## The run that is played.
static var current: Run

var style := "isaac"
## As it was typed.
var seed_text := ""
## Null if the game has no such levels.
var floors: UndercroftRun
var belongings := Belongings.new()
## Loose pickups of this floor that belong to no marker: kind, and place in px.
var loose: Array[Dictionary] = []
## Where the player resumes, in px; unused until a room of the floor was seen.
var place := Vector2()

## From 1.
var floor_number: int:
	get:
		return floors.place if floors else 1


static func begin(of_style: String, typed_seed: String) -> Run:
	var run := Run.new()
	run.style = of_style
	run.seed_text = typed_seed
	run.floors = Levels.run_of(of_style, typed_seed)
	return run


## Whether the player has seen a room of this floor.
func is_begun() -> bool:
	var here: Dictionary = floors.state.get(floor_number, {})
	return here.get("visited", []) != []


## Goes to the next floor.
func descend() -> void:
	floors.place += 1
	loose.clear()


## A random number for a purpose on this floor, always the same for this seed.
func roll(purpose: String) -> int:
	return ("%s/%d/%s" % [seed_text, floor_number, purpose]).hash()


func to_table() -> Dictionary:
	return {
		"style": style,
		"seed": seed_text,
		"floors": floors.save(),
		"belongings": belongings.to_table(),
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
		return run
	run.floors = Levels.run_of(run.style, run.seed_text)
	if run.floors:
		run.floors.read(root.at("floors"))
	run.belongings = Belongings.from_json(root.at("belongings"))
	run.place = _place(root.at("place"))
	var lying := root.at("loose").items()
	for item: JsonNode in lying.slice(0, MAX_LOOSE):
		run.loose.append({"kind": item.at("kind").text(), "place": _place(item.at("place"))})
	return run


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
