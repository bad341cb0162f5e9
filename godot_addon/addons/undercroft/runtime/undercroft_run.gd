class_name UndercroftRun
extends RefCounted
## The floors of a run, and what has happened on each. A floor that the player comes back to is as
## it was left.
##
## [codeblock]
## var run := UndercroftRun.start(UndercroftPack.open("res://runs.ucpack"), randi())
## add_child(run.enter())      # the first floor; run.level is its UndercroftLevel
## ...
## var below := run.next()     # the player is at the exit
## old_floor.queue_free()
## add_child(below)
## [/codeblock]

## The file format of [method save].
const FORMAT_VERSION := 1

const JsonNode := preload("json_node.gd")
const LevelState := preload("level_state.gd")
const Problem := preload("problem.gd")
const RunFloors := preload("run_floors.gd")

## The number of floors.
var count: int:
	get:
		return _floors.count
## The floor, from 1. To go somewhere, set it and [method enter]: what has happened on the floor
## before is kept.
var place := 1:
	set(value):
		_note()
		level = null
		place = clampi(value, 1, maxi(count, 1))
## The level of the floor that was entered; null before.
var level: UndercroftLevel
## The seed that it was started with.
var seed_number := 0
## What the game carries from floor to floor, such as keys and coins: values that JSON can hold.
var carried: Dictionary = {}
## What has happened on each floor that was entered, by its place: see
## [member UndercroftLevel.state]. The game can add keys of its own to
## [code]state[place]["own"][/code].
var state: Dictionary:
	get:
		_note()
		return _states

# Chooses the floors of a seed.
var _choose: Callable
var _floors: RunFloors
var _states: Dictionary = {}


## Starts a run of a pack that [code]undercroft pack --run[/code] or a manifest's campaign made, the
## one of a seed: with exactly this seed if there is one, else one determined by it. [param wanted]
## are facts that all its levels must have, such as [code]{"style": "isaac"}[/code], if the pack
## has several. If it has none: null, and one line in the log.
static func start(pack: UndercroftPack, seed_number: int, wanted := {}) -> UndercroftRun:
	return _begun(
		func(of_seed: int) -> RunFloors: return RunFloors.of_run(pack, of_seed, wanted),
		seed_number,
		"the pack has no run with these facts; make it with `undercroft pack --run`"
	)


## Starts a run of any pack's levels, with the wanted facts of each floor: see
## [method UndercroftPack.find].
static func start_with(
	pack: UndercroftPack, seed_number: int, floors: Array[Dictionary]
) -> UndercroftRun:
	return _begun(
		func(of_seed: int) -> RunFloors: return RunFloors.of_facts(pack, of_seed, floors),
		seed_number,
		"the pack has no level with the facts of a floor"
	)


## Starts a run of scenes, given in order, such as those of [code]undercroft run --to godot[/code].
static func start_scenes(paths: PackedStringArray) -> UndercroftRun:
	return _begun(
		func(_of_seed: int) -> RunFloors: return RunFloors.of_scenes(paths),
		0,
		"there are no scenes"
	)


static func _begun(choose: Callable, of_seed: int, problem: String) -> UndercroftRun:
	var run := UndercroftRun.new()
	run._choose = choose
	run._floors = choose.call(of_seed)
	run.seed_number = of_seed
	if run.count == 0:
		push_error("Undercroft: UndercroftRun: " + problem)
		return null
	return run


## Builds the floor's scene, as it was left. The caller owns it and adds it to the tree. If it
## cannot be built: null, and one line in the log.
func enter() -> Node2D:
	_note()
	level = null
	var scene := _floors.build(place)
	if scene == null:
		return null
	level = UndercroftLevel.from_scene(scene)
	var before: Dictionary = _states.get(place, {})
	if level == null or (before and not LevelState.read(level, before)):
		level = null
		scene.free()
		return null
	return scene


## Whether there is a floor after this one.
func has_next() -> bool:
	return place < count


## Goes to the next floor and builds its scene; null after the last one.
func next() -> Node2D:
	if not has_next():
		return null
	place += 1
	return enter()


## The exit to the next floor, or out of the run; null if the level has none.
func exit() -> UndercroftMarker:
	for marker: UndercroftMarker in level.plan.markers if level else []:
		if marker.kind == "exit" and marker.text("to", "next") in ["next", "end", str(place + 1)]:
			return marker
	return null


## The whole run, for a saved game; JSON can hold it.
func save() -> Dictionary:
	_note()
	var states := {}
	for floor_place: int in _states:
		states[str(floor_place)] = _states[floor_place]
	var table := {"format_version": FORMAT_VERSION, "seed": str(seed_number), "place": place}
	table.merge({"carried": carried, "state": states})
	return table.duplicate(true)


## Continues a run that was saved, perhaps read from JSON. This one must have been started in the
## same way, but with any seed. Then [method enter] the floor. If it is no such run, or one of other
## levels: false, one line in the log, and this run stays as it is.
func load(saved: Dictionary) -> bool:
	var problem := Problem.new()
	read(JsonNode.new(saved, "", "saved run", problem))
	if problem.found:
		push_error("Undercroft: " + problem.text)
	return not problem.found


## As [method load], for a run that is part of a file; notes what is wrong.
func read(saved: JsonNode) -> void:
	saved.at("format_version").number(FORMAT_VERSION, FORMAT_VERSION)
	var seed_text := saved.at("seed").text()
	if not seed_text.is_valid_int() or seed_text.length() > 20:
		saved.at("seed").fail("is not a seed")
		return
	var saved_seed := seed_text.to_int()
	var floors: RunFloors = _choose.call(saved_seed)
	var saved_place := saved.at("place").number(1, maxi(floors.count, 1))
	var saved_carried := saved.at("carried").table()
	var states := {}
	for key: String in saved.at("state").table():
		var floor_state := saved.at("state").at(key)
		LevelState.check(floor_state)
		var number := key.to_int() if key.length() < 6 else 0
		if number < 1 or number > floors.count or str(number) != key:
			floor_state.fail("is a floor that the run does not have")
			continue
		var fingerprint := floors.fingerprint(number)
		if fingerprint and fingerprint != floor_state.at("fingerprint").text():
			floor_state.at("fingerprint").fail("is that of another level")
		states[number] = floor_state.table()
	if saved.is_bad():
		return
	level = null
	seed_number = saved_seed
	_floors = floors
	place = saved_place
	carried = saved_carried.duplicate(true)
	_states = states.duplicate(true)


# Keeps what has happened on the floor so far.
func _note() -> void:
	if not is_instance_valid(level):
		return
	var now := level.state
	var before: Dictionary = _states.get(place, {})
	now["own"] = before.get("own", {})
	_states[place] = now
