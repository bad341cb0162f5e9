extends RefCounted
## What the player has.

signal changed

const Belongings := preload("belongings.gd")
const JsonNode := preload("../addons/undercroft/runtime/json_node.gd")

## The saved values, with their ranges.
const SAVED := {
	"health": [1, 1000],
	"most_health": [1, 1000],
	"coins": [0, 1000000],
	"keys": [0, 1000000],
	"red_keys": [0, 1],
	"bombs": [0, 1000000],
	"damage": [1, 1000],
	"haste": [1, 1000],
}

## In half hearts.
var health := 6
var most_health := 6
var coins := 3
var keys := 1
## 1 once the player has it: a red key opens every red door.
var red_keys := 0
var bombs := 1
var damage := 3
## Shots a second.
var haste := 3.0


static func from_json(table: JsonNode) -> Belongings:
	var result := Belongings.new()
	for key: String in SAVED:
		var bounds: Array = SAVED[key]
		var least: int = bounds[0]
		var most: int = bounds[1]
		result.set(key, table.at(key).number(least, most))
	return result


func to_table() -> Dictionary:
	var result := {}
	for key: String in SAVED:
		result[key] = get(key)
	return result


## Takes one thing of a kind: coin, heart, key, red_key, bomb, or the gift of an item.
func take(kind: String) -> void:
	match kind:
		"coin":
			coins += 1
		"heart":
			health = mini(health + 2, most_health)
		"key":
			keys += 1
		"red_key":
			red_keys = 1
		"bomb":
			bombs += 1
		"strength":
			damage += 1
		"haste":
			haste += 1.0
		"life":
			most_health += 2
			health = mini(health + 2, most_health)
	changed.emit()


## Whether a thing of a kind is useful now.
func has_use_for(kind: String) -> bool:
	return kind != "heart" or health < most_health


func lose_health(amount: int) -> void:
	health = maxi(health - amount, 0)
	changed.emit()


## Pays, if there is enough.
func pay(price: int) -> bool:
	if coins < price:
		return false
	coins -= price
	changed.emit()
	return true


func use_key() -> bool:
	if keys < 1:
		return false
	keys -= 1
	changed.emit()
	return true


func use_bomb() -> bool:
	if bombs < 1:
		return false
	bombs -= 1
	changed.emit()
	return true
