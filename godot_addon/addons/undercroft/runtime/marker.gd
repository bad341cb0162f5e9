extends RefCounted
## A named point with typed properties: a spawn, a light, a thing to take.

var id := 0
var kind := ""
var tile := Vector2i()
## Ids; -1 for none.
var room := -1
var hallway := -1
var properties: Dictionary = {}


## A property as text; [param otherwise] where it has none.
func text(key: String, otherwise := "") -> String:
	return str(properties.get(key, otherwise))


## A property as a number.
func number(key: String, otherwise := 0) -> int:
	var value: Variant = properties.get(key, otherwise)
	return int(str(value)) if value is int or value is float else otherwise


## Whether a property is set and true.
func is_true(key: String) -> bool:
	return properties.get(key) == true
