extends SceneTree
## Lets each kind of foe of the demo live beside a player who does nothing, and tells what it did.

const Art := preload("res://demo/art.gd")
const Fight := preload("res://demo/fight.gd")
const Foe := preload("res://demo/foe.gd")
const FoeKinds := preload("res://demo/foe_kinds.gd")
const Game := preload("res://demo/game.gd")
const Run := preload("res://demo/run.gd")
const Shot := preload("res://demo/shot.gd")

const FRAMES := 240
const FAR := Vector2(0, 40)

var _game: Game
var _told := {"rows": FoeKinds.KINDS.keys(), "pictures": _pictures(), "kinds": {}}


func _initialize() -> void:
	seed(4)
	_run.call_deferred()


func _run() -> void:
	Run.current = Run.begin("isaac", "8")
	change_scene_to_file("res://demo/game.tscn")
	await _frames(5)
	_game = current_scene
	for kind: String in FoeKinds.KINDS:
		_told["kinds"][kind] = await _life(kind)
	_told["asleep"] = await _sleep()
	var file := FileAccess.open(OS.get_cmdline_user_args()[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(_told))
	file.close()
	quit()


static func _pictures() -> Dictionary:
	var places: Dictionary = {}
	for name: String in Art.PLACES:
		var place: Vector2 = Art.PLACES[name]
		places[name] = [place.x, place.y]
	return places


## What a foe does in some seconds, and when it dies.
func _life(kind: String) -> Dictionary:
	var foe := _foe(kind, 0.0)
	var start := foe.position
	var called: Array[String] = []
	var shots := 0
	var fastest := 0.0
	var moved := false
	var vanished := false
	var flies := foe.flies
	foe.called.connect(func(of: String, _place: Vector2) -> void: called.append(of))
	for frame: int in FRAMES:
		_game.player.belongings.health = 1000
		foe.health = foe.most_health
		vanished = vanished or foe.vanished
		fastest = maxf(fastest, foe.velocity.length())
		moved = moved or foe.position.distance_to(start) > 2.0
		shots = maxi(shots, _shots().size())
		await physics_frame
	for shot: Node in _shots():
		shot.free()
	foe.vanished = false
	foe.position = start
	var before := called.size()
	foe.take_hit(10000)
	await physics_frame
	await process_frame
	var told := {
		"shots": shots,
		"fastest": fastest,
		"moved": moved,
		"vanished": vanished,
		"flies": flies,
		"called": called,
		"shots_at_death": _shots().size(),
		"called_at_death": called.size() - before,
	}
	for node: Node in get_nodes_in_group("foe") + _shots():
		node.free()
	return told


## Whether a foe moved while it had to wait, and after.
func _sleep() -> Array[bool]:
	var foe := _foe("walker", 1.0)
	var start := foe.position
	await _frames(80)
	var early := foe.position.distance_to(start) > 1.0
	await _frames(60)
	return [early, foe.position.distance_to(start) > 1.0]


func _foe(kind: String, waits: float) -> Foe:
	var fight: Fight = _game.get_node("Fight")
	var foe: Foe = fight.call("_foe", [kind] as Array[String])
	foe.position = _game.player.position - FAR
	foe.wakes_after = waits
	_game.player.add_sibling(foe)
	return foe


func _shots() -> Array[Node]:
	return _game.player.get_parent().get_children().filter(
		func(node: Node) -> bool: return node is Shot
	)


func _frames(count: int) -> void:
	for frame: int in count:
		await physics_frame
