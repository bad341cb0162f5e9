extends "thing.gd"
## A key for a door of this floor, or a lever, which opens its door from afar.

signal told(what: String)

var _level: UndercroftLevel
var _marker: UndercroftMarker


func _init(level: UndercroftLevel, marker: UndercroftMarker, colour: Color) -> void:
	_level = level
	_marker = marker
	super("key_lever" if marker.is_true("lever") else "level_key")
	if not marker.is_true("lever"):
		picture.texture = Art.tinted("level_key", colour)


## The display name of a key: gold_key is the gold key.
static func title(key: String) -> String:
	return "the " + key.replace("_", " ")


func _touched(_player: Player) -> void:
	if _marker.taken:
		return
	_level.take_key(_marker)
	if _marker.is_true("lever"):
		picture.flip_h = true
		is_gone = true
		gone.emit()
		told.emit("Somewhere a door opens")
		return
	told.emit("You found " + title(_marker.text("opens")))
	vanish()
