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
	level.key_given.connect(_look.unbind(2))


## The display name of a key: gold_key is the gold key.
static func title(key: String) -> String:
	return "the " + key.replace("_", " ")


func _touched(_player: Player) -> void:
	_level.take_key(_marker)


# Disappears once the key is taken, which may be before anybody touches it.
func _look() -> void:
	if not _marker.taken or is_gone:
		return
	if _marker.is_true("lever"):
		picture.flip_h = true
		is_gone = true
		gone.emit()
		told.emit("Somewhere a door opens")
		return
	told.emit("You found " + title(_marker.text("opens")))
	vanish()
