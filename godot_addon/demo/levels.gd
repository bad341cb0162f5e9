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


## The floors of a seed, which may be any text. A seed in the pack has its own levels. Any other
## seed gets those of one seed in the pack. Null, and a line in the log, if there are none.
static func run_of(style: String, seed_text: String) -> UndercroftRun:
	var number := seed_text.hash()
	if seed_text.is_valid_int() and seed_text.length() < 19:  # what an int holds for sure
		number = seed_text.to_int()
	var floors: Array = FLOORS[style]
	var wanted: Array[Dictionary] = []
	wanted.assign(floors)
	return UndercroftRun.start_with(
		UndercroftPack.open("%s/%s.ucpack" % [FOLDER, style]), number, wanted
	)
