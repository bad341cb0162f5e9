class_name UndercroftRoom
extends "plan_part.gd"
## A room of a level. Places are in tiles of the level.

var kind := ""
var shape := ""
## Rooms walked from the start; -1 if only secret or red doors lead there.
var distance := -1
var depth := 0
var difficulty := 0
var layout := ""
## The map icon that a kit gives its own kind: a name or a letter. It comes with [member has_icon],
## and with [member icon_tile] if the theme has a tile with that name.
var icon := ""
var has_icon := false
## The colour on maps that a kit gives its own kind; it comes with [member has_icon] too.
var colour := Color()
## Column and row in the theme's image; negative if there is no tile.
var icon_tile := -Vector2i.ONE
## Rooms in the same zone share their looks and enemies; empty if the room is in no zone.
var zone := ""
## What somebody called the room; empty for most.
var name := ""
## Cells of the grid, for styles with a grid.
var cells: Array[Vector2i] = []
## The rectangle around the room, with its walls. Other rooms can overlap it, so use
## [code]room_at[/code] to find the room at a place.
var bounds := Rect2i()
## Rings of tile corners, walls included; see [member rings_are_solid].
var outline: Array[PackedVector2Array] = []
## Whether each ring encloses a part of the room; else all but the first are holes.
var rings_are_solid := false
## The markers in it.
var markers: Array[UndercroftMarker] = []

## Its doors, including those to hallways.
var doors: Array[UndercroftDoor]:
	get:
		var found := plan()
		return found.doors_by_id(door_ids) if found else ([] as Array[UndercroftDoor])

## The ids of [member doors].
var door_ids: PackedInt32Array = []

## Whether the player has been in it, and whether nothing is left to fight in it.
var visited := false
var cleared := false


## Whether only secret or red doors lead there, or no doors.
func is_secret() -> bool:
	return distance != 0 and doors.all(func(door: UndercroftDoor) -> bool: return door.is_hidden())


## Its markers of a kind.
func markers_of(marker_kind: String) -> Array[UndercroftMarker]:
	return markers.filter(func(marker: UndercroftMarker) -> bool: return marker.kind == marker_kind)
