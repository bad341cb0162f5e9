class_name UndercroftMarker
extends "plan_part.gd"
## A named point with typed properties: a spawn, a light, an item.

var kind := ""
var tile := Vector2i()
var properties: Dictionary = {}

## Whether the player has taken it. [method UndercroftLevel.take_key] sets it for a key or lever,
## the game for anything else; [member UndercroftLevel.state] saves it.
var taken := false

## The room that it is in, or null.
var room: UndercroftRoom:
	get:
		var found := plan()
		return found.rooms[room_id] if found and room_id >= 0 else null
## The hallway that it is in, or null.
var hallway: UndercroftHallway:
	get:
		var found := plan()
		return found.hallways[hallway_id] if found and hallway_id >= 0 else null

## The ids of [member room] and [member hallway]; -1 for none.
var room_id := -1
var hallway_id := -1


## A property as text; [param otherwise] if it is missing.
func text(key: String, otherwise := "") -> String:
	return str(properties.get(key, otherwise))


## A property as a number.
func number(key: String, otherwise := 0) -> int:
	var value: Variant = properties.get(key, otherwise)
	return int(str(value)) if value is int or value is float else otherwise


## Whether a property is set and true.
func is_true(key: String) -> bool:
	return is_same(properties.get(key), true)
