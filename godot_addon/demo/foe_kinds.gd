extends RefCounted
## The foes: variety is a table, not a class.
##
## [code]shots[/code] leave at once, in a fan round the player's direction, every
## [code]every[/code] seconds; [code]keep[/code] is how near it comes, in px.

const KINDS := {
	"walker": {"health": 9, "speed": 38.0},
	"shooter": {"health": 7, "speed": 26.0, "keep": 70.0, "shots": 1, "every": 1.6},
	"flyer": {"health": 6, "speed": 46.0, "flies": true},
	"brute": {"health": 20, "speed": 30.0, "scale": 1.2},
	"turret": {"health": 12, "speed": 0.0, "shots": 3, "every": 2.0},
	"mini": {"health": 45, "speed": 36.0, "scale": 1.4, "icon": "brute", "shots": 4, "every": 2.2},
	"boss": {"health": 90, "speed": 32.0, "scale": 2.0, "shots": 10, "every": 1.8, "flies": true},
}


## The row of a marker of a foe; of what nobody knows a walker's.
static func of(role: String) -> Dictionary:
	return KINDS.get(role, KINDS["walker"])
