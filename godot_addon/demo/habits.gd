extends RefCounted
## Habits by name: scripts of nodes that are children of a foe.

const SCRIPTS := {
	"burst": preload("habits/burst.gd"),
	"charge": preload("habits/charge.gd"),
	"hide": preload("habits/hide.gd"),
	"leap": preload("habits/leap.gd"),
	"shoot": preload("habits/shoot.gd"),
	"split": preload("habits/split.gd"),
	"spray": preload("habits/spray.gd"),
	"summon": preload("habits/summon.gd"),
	"wander": preload("habits/wander.gd"),
}


static func new_one(name: String) -> Node:
	var script: GDScript = SCRIPTS[name]
	return script.new()
