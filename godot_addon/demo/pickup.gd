extends "thing.gd"
## A coin, heart, key or bomb that is taken by touching it.

const KINDS: PackedStringArray = ["coin", "coin", "heart", "key", "bomb"]

var kind: String


## [param of] is a kind, or any other word for a random one.
func _init(of: String) -> void:
	kind = of if of in KINDS else KINDS[randi() % KINDS.size()]
	super(kind)


func _touched(player: Player) -> void:
	if player.belongings.has_use_for(kind):
		player.belongings.take(kind)
		vanish()
