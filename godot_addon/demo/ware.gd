extends "thing.gd"
## Something that a shop sells: touch it to buy it.

signal refused(why: String)

const PRICES := {"heart": 3, "key": 4, "bomb": 4, "strength": 7, "haste": 7, "life": 7}

var kind: String
var price: int


## [param of] is a kind; any other word means a kind chosen by [param number], so that wares differ.
func _init(of: String, number: int) -> void:
	kind = of if PRICES.has(of) else PRICES.keys()[number % PRICES.size()]
	price = PRICES[kind]
	super(kind if Art.PLACES.has(kind) else "ware")
	var tag := Label.new()
	tag.text = "%d" % price
	tag.add_theme_font_size_override("font_size", 7)
	tag.add_theme_color_override("font_color", Color("fbe27a"))
	tag.position = Vector2(-8, 4)
	tag.size.x = 16
	tag.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	tag.z_index = 2
	add_child(tag)


func _touched(player: Player) -> void:
	if not player.belongings.has_use_for(kind):
		return
	if not player.belongings.pay(price):
		refused.emit("That costs %d coins" % price)
		return
	player.belongings.take(kind)
	vanish()
