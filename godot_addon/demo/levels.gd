extends RefCounted
## The levels that the demo is played on: a pack for each style, and what each floor takes of it.

const FOLDER := "res://demo/levels"
## What each floor's level is like.
const FLOORS := {
	"isaac": [{"stage": 1}, {"stage": 2}, {"stage": 3}],
	"rebirth": [{"stage": 1}, {"stage": 2}, {"stage": 3}],
	"gungeon": [{"rooms": 7}, {"rooms": 9}, {"rooms": 12}],
	"locked": [{"group": "locked-1"}, {"group": "locked-2"}, {"group": "locked-3"}],
}


static func styles() -> PackedStringArray:
	return PackedStringArray(FLOORS.keys())


## How many floors a run has.
static func floors(style: String) -> int:
	var wanted: Array = FLOORS[style]
	return wanted.size()


## The level of a floor, which counts from 1. A seed that the pack was made with has its own
## levels; any other has those of one seed of the pack, which [param roll] decides: the floors of
## a seed are a run, and know of each other. Null, and a line in the log, where there is none.
static func scene(style: String, floor_number: int, seed_text: String, roll: int) -> Node2D:
	var pack := UndercroftPack.open("%s/%s.ucpack" % [FOLDER, style])
	if pack == null:
		return null
	var highest: Dictionary = FLOORS[style][0]
	var first := pack.pick(seed_text.to_int(), highest)
	if first >= 0 and pack.seed_of(first) != seed_text:
		first = pack.pick(roll, highest)
	var wanted: Dictionary = FLOORS[style][floor_number - 1]
	var index := pack.pick(pack.seed_of(first).to_int(), wanted) if first >= 0 else -1
	if index < 0:
		push_error("%s: no level for floor %d" % [style, floor_number])
		return null
	return pack.build(index)
