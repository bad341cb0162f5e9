extends RefCounted
## The floors of a run: levels of a pack, or scenes.

const RunFloors := preload("run_floors.gd")

## In runs of [code]undercroft run[/code] there are 12.
const MAX_FLOORS := 10000

var count: int:
	get:
		return maxi(_indexes.size(), _scenes.size())

var _pack: UndercroftPack
var _indexes: PackedInt32Array = []
var _scenes: PackedStringArray = []


## The levels of one seed that belong to a run, by their places in it. [param wanted] are further
## facts.
static func of_run(pack: UndercroftPack, seed_number: int, wanted: Dictionary) -> RunFloors:
	var floors := RunFloors.new()
	floors._pack = pack
	if pack == null:
		return floors
	var facts := wanted.duplicate()
	facts["place"] = [1, MAX_FLOORS]
	var found: Array[Vector2i] = []  # the place in a run and the index in the pack
	for index: int in pack.find(facts):
		var place: int = pack.facts_of(index)["place"]
		found.append(Vector2i(place, index))
	if found.is_empty():
		return floors
	found.sort()
	facts["place"] = found[0].x
	var chosen := pack.seed_of(pack.pick(seed_number, facts))
	var last := 0
	for level: Vector2i in found:
		if level.x > last and pack.seed_of(level.y) == chosen:
			floors._indexes.append(level.y)
			last = level.x
	return floors


## A level for each of the wanted facts: with the seed of the first one, if there is such a level.
static func of_facts(
	pack: UndercroftPack, seed_number: int, wanted: Array[Dictionary]
) -> RunFloors:
	var floors := RunFloors.new()
	floors._pack = pack
	for facts: Dictionary in wanted if pack else []:
		var number := seed_number
		if floors._indexes:
			number = pack.seed_number_of(floors._indexes[0])
		var index := pack.pick(number, facts)
		if index < 0:
			floors._indexes.clear()
			return floors
		floors._indexes.append(index)
	return floors


static func of_scenes(paths: PackedStringArray) -> RunFloors:
	var floors := RunFloors.new()
	floors._scenes = paths
	return floors


## The scene of a floor, counted from 1; the caller owns it. Null, and a line in the log, if it
## cannot be built.
func build(place: int) -> Node2D:
	if _pack:
		return _pack.build(_indexes[place - 1])
	var packed := load(_scenes[place - 1]) as PackedScene
	return packed.instantiate() as Node2D if packed else null


## The fingerprint of a floor's level; empty for a scene, which has to be built first.
func fingerprint(place: int) -> String:
	return _pack.fingerprint_of(_indexes[place - 1]) if _pack else ""
