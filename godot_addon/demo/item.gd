extends "thing.gd"
## An item on its pedestal, which makes the player permanently stronger.

signal taken(what: String)

const GIFTS := {"strength": "Stronger shots", "haste": "Faster shots", "life": "One more heart"}

var gift: String


func _init() -> void:
	super("item")
	gift = GIFTS.keys()[randi() % GIFTS.size()]


func _touched(player: Player) -> void:
	player.belongings.take(gift)
	taken.emit(GIFTS[gift])
	vanish()
