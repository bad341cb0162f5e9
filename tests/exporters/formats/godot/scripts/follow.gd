## Sends a body with a script of somebody's own from the start of a level to its boss.
extends SceneTree

const MAX_FRAMES := 6000


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var arguments := OS.get_cmdline_user_args()
	var packed: PackedScene = load(arguments[0])
	var level: Node2D = packed.instantiate()
	root.add_child(level)
	var body := _body(load("res://follower.gd") as GDScript)
	var start: Node2D = get_first_node_in_group("marker_player_start")
	body.position = start.position
	level.add_child(body)
	for i: int in 60:
		await physics_frame
	var boss: Node2D = get_first_node_in_group("marker_boss")
	var agent: NavigationAgent2D = body.get_node("NavigationAgent2D")
	agent.target_position = boss.position
	var frames := 0
	while frames < MAX_FRAMES and body.position.distance_to(boss.position) > 12.0:
		await physics_frame
		frames += 1
	var file := FileAccess.open(arguments[1], FileAccess.WRITE)
	file.store_string(JSON.stringify(frames))
	file.close()
	quit()


func _body(script: GDScript) -> CharacterBody2D:
	var body := CharacterBody2D.new()
	body.set_script(script)
	var agent := NavigationAgent2D.new()
	agent.name = "NavigationAgent2D"
	body.add_child(agent)
	var shape := CollisionShape2D.new()
	var circle := CircleShape2D.new()
	circle.radius = 5.0
	shape.shape = circle
	body.add_child(shape)
	body.collision_layer = 0
	return body
