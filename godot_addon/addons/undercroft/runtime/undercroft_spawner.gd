class_name UndercroftSpawner
extends Node
## Fights: once the player is inside a room with enemies, its doors shut and the first wave comes.
## Each further wave comes when the one before is dead. After the last one, the doors open.
##
## [codeblock]
## var spawner := UndercroftSpawner.new()
## spawner.scenes = {"shooter": archer, "enemy": slime}  # each a PackedScene
## add_child(spawner)
## spawner.watch(level, player)
## [/codeblock]
##
## [signal UndercroftLevel.room_cleared] says when a fight is over, and
## [signal UndercroftLevel.door_shut] and [signal UndercroftLevel.door_opened] what doors do.

signal fight_begun(room: UndercroftRoom)
## A wave comes, counted as in the level, usually from 1.
signal wave_begun(room: UndercroftRoom, wave: int)
## An enemy of a marker is in the tree.
signal spawned(foe: Node2D, marker: UndercroftMarker)

## The kinds of markers that are enemies.
@export var kinds: PackedStringArray = ["enemy", "boss"]
## A PackedScene for each enemy: by the marker's [code]name[/code], or else by its
## [code]role[/code], its [code]rank[/code] or its kind. The scene's root is a [Node2D], with the
## marker's properties as metadata when it becomes ready.
@export var scenes: Dictionary = {}
## What each enemy costs of a room's budget, by the same names as [member scenes]; 1 for others.
@export var costs: Dictionary = {}
## How far the player must be from doors and other rooms, in px: their radius, and a little more.
@export var body_radius := 7.0

## Makes an enemy in place of [member scenes]: gets an [UndercroftMarker], and returns a [Node2D],
## or null for none.
var make: Callable = _instance_of
## Chooses which enemy comes: gets an [UndercroftMarker] and what is left of the room's budget, and
## returns a name of [member scenes], or [code]""[/code] for none. A name that costs more than that
## is not taken, and the marker's own enemy does not come either.
var choose := Callable()

var _level: UndercroftLevel
var _player: Node2D
# The room that the player is in, if enemies wait there, or null.
var _waiting: UndercroftRoom
# The waves still to come, by room: for each its number, and its enemies and their markers.
var _waves: Dictionary = {}
# What is left of budgets, by room.
var _left: Dictionary = {}
# How many enemies of the current wave are alive, by room.
var _alive: Dictionary = {}


## Begins with a level from a scene, and the body that it follows. Fights in the level before end.
func watch(level: UndercroftLevel, player: Node2D) -> void:
	_let_go()
	_level = level
	_player = player
	level.room_entered.connect(_on_room_entered)
	level.room_left.connect(_on_room_left)
	level.room_cleared.connect(_on_room_cleared)


## Begins the fight of a room now. Without enemies, nothing happens.
## A fight that has begun does not begin again.
func begin(room: UndercroftRoom) -> void:
	if _waves.has(room):
		return
	var by_wave: Dictionary = {}
	_left[room] = budget(room)
	for marker: UndercroftMarker in _markers_of(room):
		var foe := _chosen(marker)
		if foe:
			foe.position = _level.middle_of(marker.tile)
			_level.guard(room, foe)
			var wave: Array = by_wave.get_or_add(marker.number("wave", 1), [])
			wave.append([foe, marker])
	if by_wave.is_empty():
		room.cleared = true
		return
	var numbers: Array = by_wave.keys()
	numbers.sort()
	_waves[room] = numbers.map(func(wave: int) -> Array: return [wave, by_wave[wave]])
	_level.shut_doors_of(room)
	fight_begun.emit(room)
	_send_next(room)


## What the enemies of a room cost together, as the level has them.
func budget(room: UndercroftRoom) -> int:
	var sum := 0
	for marker: UndercroftMarker in _markers_of(room):
		sum += _cost_of(_names_of(marker))
	return sum


## What is left of a room's budget once its fight has begun, such as for enemies to [method bring].
func left_of(room: UndercroftRoom) -> int:
	return _left.get(room, budget(room))


## Adds an enemy to a fight, such as one that another enemy called.
func bring(foe: Node2D, room: UndercroftRoom) -> void:
	_level.guard(room, foe)
	_send(foe, room)


func _on_room_entered(room: UndercroftRoom) -> void:
	if not room.cleared and _waves.has(room):
		_level.shut_doors_of(room)
	elif not room.cleared and _markers_of(room):
		_waiting = room
	else:
		room.cleared = true


func _on_room_left(_room: UndercroftRoom) -> void:
	_waiting = null


func _on_room_cleared(room: UndercroftRoom) -> void:
	_level.open_doors_of(room)


func _physics_process(_delta: float) -> void:
	if _waiting == null or not is_instance_valid(_level) or not is_instance_valid(_player):
		return
	if _is_well_inside(_waiting):
		var room := _waiting
		_waiting = null
		begin(room)


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE:
		_let_go()


# The enemies that have not come yet have no parent that would free them.
func _let_go() -> void:
	if is_instance_valid(_level):
		_level.room_entered.disconnect(_on_room_entered)
		_level.room_left.disconnect(_on_room_left)
		_level.room_cleared.disconnect(_on_room_cleared)
	for waves: Array in _waves.values():
		for wave: Array in waves:
			for pair: Array in wave[1]:
				if is_instance_valid(pair[0]):
					var foe: Node2D = pair[0]
					foe.free()
	for held: Dictionary in [_waves, _left, _alive]:
		held.clear()
	_waiting = null


# A player in the doorway must not be shut in the door or out of the room.
func _is_well_inside(room: UndercroftRoom) -> bool:
	var place := _level.place_of(_player)
	for away: Vector2 in [Vector2.LEFT, Vector2.RIGHT, Vector2.UP, Vector2.DOWN]:
		var near := place + away * body_radius
		if _level.room_at(near) != room or _level.door_at(near):
			return false
	return true


func _markers_of(room: UndercroftRoom) -> Array[UndercroftMarker]:
	return room.markers.filter(
		func(marker: UndercroftMarker) -> bool: return marker.kind in kinds and not marker.taken
	)


func _send_next(room: UndercroftRoom) -> void:
	var left: Array = _waves.get(room, [])
	if left.is_empty() or not is_inside_tree() or not is_instance_valid(_level):
		return
	var wave: Array = left.pop_front()
	var number: int = wave[0]
	wave_begun.emit(room, number)
	for pair: Array in wave[1]:
		var foe: Node2D = pair[0]
		_send(foe, room)
		spawned.emit(foe, pair[1])


func _send(foe: Node2D, room: UndercroftRoom) -> void:
	_alive[room] = _alive.get(room, 0) + 1
	foe.tree_exited.connect(_on_foe_left.bind(room), CONNECT_ONE_SHOT)
	_level.get_parent().add_child(foe, true)


func _on_foe_left(room: UndercroftRoom) -> void:
	if not _alive.has(room):
		return  # of a level before
	_alive[room] -= 1
	if _alive[room] == 0:
		_send_next.call_deferred(room)


# The enemy of a marker, or the one that the game chooses, paid from the room's budget.
func _chosen(marker: UndercroftMarker) -> Node2D:
	var left: int = _left[marker.room]
	if not choose.is_valid():
		_left[marker.room] = left - _cost_of(_names_of(marker))
		return make.call(marker)
	var chosen: String = choose.call(marker, left)
	var cost := _cost_of([chosen])
	if chosen.is_empty() or cost > left:
		return null
	_left[marker.room] = left - cost
	var foe := _instance(marker, [chosen], chosen)
	if foe:
		foe.set_meta(&"name", chosen)
	return foe


# By what an enemy is called, the narrowest first.
static func _names_of(marker: UndercroftMarker) -> PackedStringArray:
	return [marker.text("name"), marker.text("role"), marker.text("rank"), marker.kind]


func _cost_of(names: PackedStringArray) -> int:
	for name_of: String in names:
		if costs.has(name_of):
			return costs[name_of]
	return 1


func _instance_of(marker: UndercroftMarker) -> Node2D:
	return _instance(marker, _names_of(marker), marker.text("name", marker.text("role")))


# By the first of its names that has a scene. A warning calls it [param called].
func _instance(marker: UndercroftMarker, names: PackedStringArray, called: String) -> Node2D:
	for name_of: String in names:
		var scene: PackedScene = scenes.get(name_of)
		if scene:
			var foe: Node2D = scene.instantiate()
			for key: String in marker.properties:
				if key.is_valid_identifier():
					foe.set_meta(key, marker.properties[key])
			return foe
	push_warning(
		(
			"Undercroft: UndercroftSpawner: no scene for the %s `%s`: give one for its name, role or kind"
			% [marker.kind, called]
		)
	)
	return null
