extends RefCounted
## Puts something at each marker of a level, except enemies, which appear when the player comes.

const Art := preload("art.gd")
const Chest := preload("chest.gd")
const Exit := preload("exit.gd")
const Item := preload("item.gd")
const LevelKey := preload("level_key.gd")
const LockSign := preload("lock_sign.gd")
const MinimapIcons := preload("../addons/undercroft/runtime/minimap_icons.gd")
const Pickup := preload("pickup.gd")
const Run := preload("run.gd")
const Thing := preload("thing.gd")
const Ware := preload("ware.gd")

var exit: Exit

var _say: Callable
var _level: UndercroftLevel
# The level's keys, by name.
var _colours: Dictionary = {}
# The reward of a room once its enemies are gone, by room id.
var _spoils: Dictionary = {}
var _scene: Node2D


## [param say] gets messages for the player.
func furnish(run: Run, level: UndercroftLevel, scene: Node2D, say: Callable) -> void:
	_say = say
	_scene = scene
	_level = level
	_colours = MinimapIcons.key_colours(level.plan)
	for marker: UndercroftMarker in level.plan.markers:
		if marker.taken:
			continue
		seed(run.roll("marker %d" % marker.id))  # so that a resumed run has the same item
		var thing := _thing(marker)
		if thing:
			thing.position = level.middle_of(marker.tile)
			scene.add_child(thing)
		if thing is Item and marker.room and marker.room.kind == "boss" and not marker.room.cleared:
			(thing as Thing).wait()
			_spoils[marker.room.id] = _spoils.get(marker.room.id, []) + [thing]
		if thing is Thing:
			(thing as Thing).gone.connect(marker.set.bind("taken", true))
	for door: UndercroftDoor in level.plan.doors:
		if door.needs and door.is_barred:
			scene.add_child(LockSign.new(level, door, _colours))
	for lying: Dictionary in run.loose:
		var kind: String = lying["kind"]
		var place: Vector2 = lying["place"]
		scene.add_child(_loose(kind, place))


## Shows the rewards of a cleared room.
func give_spoils(room: UndercroftRoom) -> void:
	for thing: Thing in _spoils.get(room.id, []):
		thing.appear()
	_spoils.erase(room.id)


## Drops a pickup in a room, as near to its centre as possible.
func drop(level: UndercroftLevel, room: UndercroftRoom) -> void:
	var middle := level.bounds_of(room).get_center()
	var map := _scene.get_world_2d().navigation_map
	var place := NavigationServer2D.map_get_closest_point(map, _scene.to_global(middle))
	_scene.add_child.call_deferred(_loose("any", _scene.to_local(place)))


func _loose(kind: String, place: Vector2) -> Pickup:
	var pickup := Pickup.new(kind)
	pickup.position = place
	pickup.add_to_group("loose")
	return pickup


func _thing(marker: UndercroftMarker) -> Node2D:
	var thing: Node2D
	match marker.kind:
		"pickup":
			thing = Pickup.new(marker.text("item"))
		"item":
			var item := Item.new()
			item.taken.connect(_say)
			thing = item
		"ware":
			var ware := Ware.new(marker.text("item"), marker.id)
			ware.refused.connect(_say)
			thing = ware
		"chest":
			var chest := Chest.new(marker.text("tier"))
			chest.refused.connect(_say)
			thing = chest
		"key":
			var colour: Color = _colours.get(marker.text("opens"), Color.WHITE)
			var key := LevelKey.new(_level, marker, colour)
			key.told.connect(_say)
			thing = key
		"exit":
			exit = Exit.new()
			thing = exit
		"shopkeeper", "machine":
			thing = Art.sprite(marker.kind)
	return thing
