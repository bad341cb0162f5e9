extends RefCounted
## What the player has.

signal changed

## In half hearts.
var health := 6
var most_health := 6
var coins := 3
var keys := 1
var bombs := 1
var damage := 3
## Shots a second.
var haste := 3.0


## Takes one thing of a kind: coin, heart, key, bomb, or whatever an item gives.
func take(kind: String) -> void:
	match kind:
		"coin":
			coins += 1
		"heart":
			health = mini(health + 2, most_health)
		"key":
			keys += 1
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


## Whether a thing of a kind is of any use now.
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
