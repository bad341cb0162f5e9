extends RefCounted
## The demo's levels: a pack for each style, and the wanted facts for each floor.

const FOLDER := "res://demo/levels"
## The wanted facts of each floor's level.
const FLOORS := {
	"isaac": [{"stage": 1}, {"stage": 2}, {"stage": 3}],
	"rebirth": [{"stage": 1}, {"stage": 2}, {"stage": 3}],
	"gungeon": [{"rooms": 7}, {"rooms": 9}, {"rooms": 12}],
	"locked": [{"group": "locked-1"}, {"group": "locked-2"}, {"group": "locked-3"}],
}


static func styles() -> PackedStringArray:
	return PackedStringArray(FLOORS.keys())


## The number of floors in a run.
static func floors(style: String) -> int:
	var wanted: Array = FLOORS[style]
	return wanted.size()


## The level of a floor, counted from 1. A seed in the pack has its own levels. Any other seed gets
## those of one seed in the pack, chosen by [param roll], because the floors of a seed form a run.
## Null, and a line in the log, if there is no such level.
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
