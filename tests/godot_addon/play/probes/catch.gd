extends "probe.gd"
## Tells whether the tutorial's enemy catches a player who waits behind the corner of a rock.
##
## The player takes a last step that is too short for a new path. The enemy is then as near to the
## end of its path as its agent wants, with the corner still before it.

const ENEMY := preload("res://addons/undercroft/examples/enemy.tscn")
const Enemy := preload("res://addons/undercroft/examples/enemy.gd")

const FRAMES := 240
const PLACE := Vector2(100, 100)
const ROCK := Rect2(-22, 6, 16, 16)  # 6 px from the mesh's corner, which is the origin
const START := Vector2(-40, 0)
const SEEN := Vector2(0.2, 7)
const WAITS := Vector2(0.2, 14.9)


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var level := Node2D.new()
	level.position = PLACE
	level.add_child(_rock())
	level.add_child(_ground())
	var player := Node2D.new()
	player.position = SEEN
	level.add_child(player)
	var enemy: Enemy = ENEMY.instantiate()
	enemy.position = START
	enemy.target = player
	root.add_child(level)
	for frame: int in 3:  # The navigation is there.
		await physics_frame
	level.add_child(enemy)
	await physics_frame
	await physics_frame
	player.position = WAITS
	var caught: Array[bool] = [false]
	enemy.tree_exited.connect(func() -> void: caught[0] = true)
	for frame: int in FRAMES:
		if not caught[0]:
			await physics_frame
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(caught[0]))
	file.close()
	level.free()
	quit()


func _rock() -> StaticBody2D:
	var body := StaticBody2D.new()
	var holder := CollisionShape2D.new()
	var shape := RectangleShape2D.new()
	shape.size = ROCK.size
	holder.shape = shape
	holder.position = ROCK.get_center()
	body.add_child(holder)
	return body


# What is left of a room on two sides of the rock.
func _ground() -> NavigationRegion2D:
	var mesh := NavigationPolygon.new()
	mesh.vertices = [
		Vector2(-60, -60),
		Vector2(0, -60),
		Vector2(60, -60),
		Vector2(-60, 0),
		Vector2(),
		Vector2(60, 0),
		Vector2(0, 60),
		Vector2(60, 60)
	]
	mesh.add_polygon([0, 1, 4, 3])
	mesh.add_polygon([1, 2, 5, 4])
	mesh.add_polygon([4, 5, 7, 6])
	var region := NavigationRegion2D.new()
	region.navigation_polygon = mesh
	return region
