extends "thing.gd"
## A chest: opens when touched (a golden one with a key), and its contents jump out.

signal refused(why: String)

const Pickup := preload("pickup.gd")

var tier: String


func _init(of: String) -> void:
	tier = of
	super("chest_" + of if Art.PLACES.has("chest_" + of) else "chest")


func _touched(player: Player) -> void:
	if tier == "gold" and not player.belongings.use_key():
		refused.emit("A golden chest needs a key")
		return
	for i: int in 3:
		var pickup := Pickup.new("any")
		var away := Vector2.from_angle(TAU * i / 3.0 + PI / 2.0)
		pickup.position = position
		pickup.add_to_group("loose")
		pickup.monitoring = false  # not taken before it was seen
		add_sibling.call_deferred(pickup)
		var tween := get_tree().create_tween().bind_node(pickup)
		tween.tween_property(pickup, ^"position", position + away * 14.0, 0.25)
		tween.tween_property(pickup, ^"monitoring", true, 0.0)
	vanish()
