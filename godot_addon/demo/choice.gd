extends RefCounted
## What the player chose on the title screen.

const STYLES: PackedStringArray = ["isaac", "rebirth", "gungeon"]

static var style := "isaac"
## A level made for the typed seed; "" for the one that the demo ships.
static var made_level := ""


static func level_path() -> String:
	return made_level if made_level else "res://demo/levels/%s.tscn" % style


## The chosen level's scene, drawn and ready to be added.
static func level_scene() -> Node2D:
	# A level that was made again lies where the last one did.
	var packed: PackedScene = ResourceLoader.load(
		level_path(), "PackedScene", ResourceLoader.CACHE_MODE_IGNORE
	)
	return packed.instantiate() as Node2D if packed else null
