extends SceneTree
## Tries what the player can do but fight: keys, bombs, curses, wares, chests, hazards, death and
## retry.

const Bomb := preload("res://demo/bomb.gd")
const Chest := preload("res://demo/chest.gd")
const Foe := preload("res://demo/foe.gd")
const Game := preload("res://demo/game.gd")
const Item := preload("res://demo/item.gd")
const Pickup := preload("res://demo/pickup.gd")
const Run := preload("res://demo/run.gd")
const Ware := preload("res://demo/ware.gd")

var _game: Game
var _told := {}


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	Run.current = Run.begin("isaac", "8")
	Run.current.floors.place = 2
	await _begin()
	await _try_locked_door()
	await _try_hidden_door()
	await _try_shop()
	await _try_things()
	await _try_spoils()
	await _try_two_bosses()
	await _try_dying()
	var file := FileAccess.open(OS.get_cmdline_user_args()[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(_told))
	file.close()
	quit()


func _begin() -> void:
	change_scene_to_file("res://demo/game.tscn")
	await _frames(3)
	_game = current_scene


## Walks against the door from the first of its rooms, without a key and with one.
func _try_locked_door() -> void:
	var door := _door_of("locked")
	var belongings := _game.player.belongings
	belongings.keys = 0
	await _walk_against(door)
	_told["locked_without_key"] = door.is_open
	belongings.keys = 1
	await _walk_against(door)
	_told["locked_with_key"] = [door.is_open, belongings.keys]


func _try_hidden_door() -> void:
	var door := _door_of("secret")
	var player := _game.player
	player.position = _before(door)
	player.belongings.health = 6
	player.belongings.bombs = 1
	_told["hidden_before"] = _game.level.door_at(_game.level.middle_of(door.tiles[0])).is_open
	Input.action_press("bomb")
	await _frames(2)
	Input.action_release("bomb")
	await _frames(90)
	_told["hidden_after"] = [door.is_open, player.belongings.bombs, player.belongings.health]


func _try_shop() -> void:
	var ware := _first(Ware) as Ware
	var belongings := _game.player.belongings
	belongings.health = 1
	belongings.coins = ware.price - 1
	await _touch(ware)
	var poor := belongings.coins == ware.price - 1
	var price := ware.price
	belongings.coins = price + 2
	await _touch(ware)
	_told["shop"] = [poor, is_instance_valid(ware), belongings.coins]


func _try_things() -> void:
	var belongings := _game.player.belongings
	belongings.health = 6
	var chest := _first(Chest) as Chest
	var before := _count(Pickup)
	await _touch(chest)
	_told["chest"] = [_count(Pickup) - before, is_instance_valid(chest)]
	var before_item := [belongings.damage, belongings.haste, belongings.most_health]
	await _touch(_first(Item))
	_told["item"] = before_item != [belongings.damage, belongings.haste, belongings.most_health]
	belongings.health = 6
	await _frames(90)  # whoever was hurt is safe for a while
	for pickup: Node in _game.find_children("*", "Area2D", true, false):
		if pickup is Pickup:
			pickup.queue_free()  # a heart would heal at once what the curse took
	_game.player.position = _inside(_game.level.plan.room_of_kind("curse"))
	await _frames(3)
	_told["curse"] = belongings.health


## The boss's item is there when the boss is gone, and not before.
func _try_spoils() -> void:
	var boss := _game.level.plan.room_of_kind("boss")
	var item := _first(Item, false) as Item
	_told["spoils"] = [_game.level.room_at(item.position) == boss, item.monitoring]
	_game.level.room_cleared.emit(boss)
	await _frames(2)
	_told["spoils"] += [item.visible, item.monitoring]


## Both are named, and the bar holds what is left of the two.
func _try_two_bosses() -> void:
	var foes: Array[Foe] = []
	for title: String in ["Left", "Right"]:
		var foe := Foe.new()
		foe.title = title
		foe.health = 40
		foe.most_health = 50
		foes.append(foe)
		_game.get_node("Hud").call("show_boss", foe)
	var bar: ProgressBar = _game.get_node("Hud").get_node("%BossBar")
	var name: Label = _game.get_node("Hud").get_node("%BossName")
	_told["bosses"] = [name.text, bar.value, bar.max_value]
	for foe: Foe in foes:
		foe.free()
		await _frames(2)
		_told["bosses"] += [name.text, bar.visible]


func _try_dying() -> void:
	await _frames(90)
	_game.player.take_hit(99)
	await _frames(2)
	var ending: CanvasLayer = _game.get_node("Ending")
	_told["dead"] = [ending.visible, paused]
	(ending.get_node("%Again") as Button).pressed.emit()
	await _frames(4)
	_game = current_scene
	_told["again"] = [_game.player.belongings.health, paused, _game.level.room.kind]


# --- hands ------------------------------------------------------------------------------------


func _door_of(kind: String) -> UndercroftDoor:
	for door: UndercroftDoor in _game.level.plan.doors:
		if door.kind == kind:
			return door
	return null


## A place in front of a door, in the first of its rooms.
func _before(door: UndercroftDoor) -> Vector2:
	return _game.level.middle_of(door.tiles[0]) - _ahead(door) * 16.0


func _ahead(door: UndercroftDoor) -> Vector2:
	return Vector2(door.tiles[1] - door.tiles[0])


func _walk_against(door: UndercroftDoor) -> void:
	_game.player.position = _before(door)
	await _frames(2)
	var ahead := _ahead(door)
	var action := "move_right" if ahead.x > 0 else "move_left"
	if ahead.y:
		action = "move_down" if ahead.y > 0 else "move_up"
	Input.action_press(action)
	await _frames(20)
	Input.action_release(action)
	for foe: Node in get_nodes_in_group("foe"):
		foe.queue_free()
	await _frames(2)


func _touch(thing: Node2D) -> void:
	_game.player.position = thing.position + Vector2(0, 40)
	await _frames(3)
	_game.player.position = thing.position
	await _frames(40)


func _inside(room: UndercroftRoom) -> Vector2:
	return _game.level.middle_of(room.bounds.position + Vector2i(2, 2))


func _first(script: GDScript, visible := true) -> Node2D:
	for node: Node2D in _game.find_children("*", "Area2D", true, false):
		if (
			is_instance_of(node, script)
			and node.visible == visible
			and not node.is_queued_for_deletion()
		):
			return node
	return null


func _count(script: GDScript) -> int:
	var nodes := _game.find_children("*", "Area2D", true, false)
	return nodes.filter(func(node: Node) -> bool: return is_instance_of(node, script)).size()


func _frames(count: int) -> void:
	for i: int in count:
		await physics_frame
