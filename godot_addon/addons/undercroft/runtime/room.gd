class_name UndercroftRoom
extends "plan_part.gd"
## A room of a level. Places are in tiles of the level.

var kind := ""
var shape := ""
## Rooms walked from the start; -1 where only secret or red doors lead.
var distance := -1
var depth := 0
var difficulty := 0
var layout := ""
## The icon on the map that a kit has for a kind of its own: a name or a letter. With it comes
## [member has_icon], and [member icon_tile] where the theme has a tile of that name.
var icon := ""
var has_icon := false
## Column and row in the theme's image; negative for none.
var icon_tile := -Vector2i.ONE
## Rooms of one name share their looks and enemies; empty for none.
var zone := ""
## Cells of the grid, of a style that has one.
var cells: Array[Vector2i] = []
## The rectangle round the room, its walls included. Others may reach into it: ask
## [code]room_at[/code] what is where.
var bounds := Rect2i()
## Rings of tile corners, walls included; see [member rings_are_solid].
var outline: Array[PackedVector2Array] = []
## Whether each ring stands for what it encloses; else all but the first are holes.
var rings_are_solid := false
## What stands in it.
var markers: Array[UndercroftMarker] = []

## Its doors, those that lead to hallways too.
var doors: Array[UndercroftDoor]:
	get:
		var found := plan()
		return found.doors_by_id(door_ids) if found else ([] as Array[UndercroftDoor])

## The ids of [member doors].
var door_ids: PackedInt32Array = []

## Whether somebody was in it, and whether nothing in it is left to fight.
var visited := false
var cleared := false


## Whether only secret or red doors lead there, or none at all.
func is_secret() -> bool:
	return distance != 0 and doors.all(func(door: UndercroftDoor) -> bool: return door.is_hidden())


## Its markers of a kind.
func markers_of(marker_kind: String) -> Array[UndercroftMarker]:
	return markers.filter(func(marker: UndercroftMarker) -> bool: return marker.kind == marker_kind)
