extends "probe.gd"
## Goes through levels, one after the other: each is read from its level.json or its scene, which
## are all arguments but the last, and what `_play` tells of it is written there.

## Places of `locked_level.py`, in tiles.
const START := Vector2i(4, 4)
const HALLWAY := Vector2i(22, 5)
const BEYOND := Vector2i(31, 5)
const BOSS := Vector2i(8, 17)

const SPEED := 480.0  # px a second
const SLOWEST := 60.0  # px a second along a path: a body that takes longer is stuck
const RADIUS := 5.0
const NEAR := 6.0  # px from a place

var level: UndercroftLevel
var body: UndercroftWalker
## What the level was read from.
var path: String


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var answers: Array = []
	for file: String in arguments.slice(0, -1):
		path = file
		var top := _opened()
		body = shaped(UndercroftWalker.new())
		body.speed = SPEED
		top.add_child(body)
		level.follow(body)
		answers.append(await _play())
		top.free()
	var answer := FileAccess.open(arguments[-1], FileAccess.WRITE)
	answer.store_string(JSON.stringify(answers))
	answer.close()
	quit()


## What happens in the level, for the answer.
func _play() -> Variant:
	return null


## Whether there are tiles, bodies and navigation, and not only a plan.
func has_scene() -> bool:
	return not path.ends_with(".json")


## Puts the body on a tile, and waits until the level has seen it there.
func go(tile: Vector2i) -> void:
	body.position = level.middle_of(tile)
	for i: int in 4:
		await physics_frame


## Takes the keys that open what a name says.
func take(key: String) -> void:
	for marker: UndercroftMarker in level.plan.markers:
		if marker.kind == "key" and marker.text("opens") == key:
			level.take_key(marker)


## Walks along the navigation to a place, in px of the level. Returns whether the body arrived.
func walk(to: Vector2) -> bool:
	await physics_frame  # in which navigation follows the doors
	body.walk_to(to + body.global_position - body.position)
	var left := 60
	var is_first := true
	while left > 0 and body.is_walking():
		await physics_frame
		if is_first:
			left += ceili(_length(body.agent.get_current_navigation_path()) / SLOWEST * 60.0)
			is_first = false
		left -= 1
	body.stop()
	return body.position.distance_to(to) <= NEAR


func _opened() -> Node:
	if not has_scene():
		level = UndercroftLevel.from_file(path)
		root.add_child(level)
		return level
	var top: Node2D = (load(path) as PackedScene).instantiate()
	root.add_child(top)
	level = UndercroftLevel.from_scene(top)
	return top


## Gives a body its shape.
static func shaped(made: UndercroftWalker) -> UndercroftWalker:
	made.collision_layer = 0
	var circle := CircleShape2D.new()
	circle.radius = RADIUS
	var shape := CollisionShape2D.new()
	shape.shape = circle
	made.add_child(shape)
	return made


static func _length(way: PackedVector2Array) -> float:
	var length := 0.0
	for i: int in range(1, way.size()):
		length += way[i].distance_to(way[i - 1])
	return length
