extends RefCounted
## The levels that the demo is played on: a pack for each style, and what each floor takes of it.

const FOLDER := "res://demo/levels"
## What each floor's level is like.
const FLOORS := {
	"isaac": [{"stage": 1}, {"stage": 2}, {"stage": 3}],
	"rebirth": [{"stage": 1}, {"stage": 2}, {"stage": 3}],
	"gungeon": [{"rooms": 7}, {"rooms": 9}, {"rooms": 12}],
}


static func styles() -> PackedStringArray:
	return PackedStringArray(FLOORS.keys())


## How many floors a run has.
static func floors(style: String) -> int:
	var wanted: Array = FLOORS[style]
	return wanted.size()


## The level of a floor, which counts from 1. A seed that the pack was made with has its own
## levels; for any other, [param roll] decides. Null, and a line in the log, where there is none.
static func scene(style: String, floor_number: int, seed_text: String, roll: int) -> Node2D:
	var pack := UndercroftPack.open("%s/%s.ucpack" % [FOLDER, style])
	if pack == null:
		return null
	var wanted: Dictionary = FLOORS[style][floor_number - 1]
	var index := pack.pick(seed_text.to_int(), wanted)
	if index >= 0 and pack.seed_of(index) != seed_text:
		index = pack.pick(roll, wanted)
	if index < 0:
		push_error("%s: no level for floor %d" % [style, floor_number])
		return null
	return pack.build(index)
