extends "walker.gd"
## Sends bodies to the middle of a pit: one on foot, and one that flies, with the script of the
## documentation. Tells of both whether they arrived, and of the layers that bodies have.

const FRAMES := 600


func _play() -> Variant:
	var top: Node2D = root.get_child(-1)
	var ground: TileMapLayer = top.get_node("Ground")
	var pits: Array[Vector2i] = ground.get_used_cells().filter(_is.bind(ground, "pit"))
	for pit: Vector2i in pits:
		var around: Array = range(9).map(
			func(i: int) -> Vector2i: return pit + Vector2i(i % 3 - 1, i / 3 - 1)
		)
		var shore := pit
		while shore.x > 0 and pits.has(shore):
			shore.x -= 1
		if around.all(pits.has) and _is(shore, ground, "floor"):
			await go(shore)
			var on_foot := await walk(level.middle_of(pit))
			var in_air := await _hunts(top, level.middle_of(shore), level.middle_of(pit))
			return [on_foot, in_air, _misfits(top), _layers(top)]
	return []


# What is said of a body of Godot's own size, and of one that fits.
func _misfits(top: Node2D) -> Array[String]:
	var said: Array[String] = []
	for circle: CircleShape2D in [CircleShape2D.new(), CircleShape2D.new()]:
		var body := UndercroftWalker.new()
		var holder := CollisionShape2D.new()
		holder.shape = circle
		body.add_child(holder)
		body.name = "Slime"
		top.add_child(body)
		circle.radius = circle.radius if said.is_empty() else 6.0
		said.append(body.misfit())
		body.free()
	return said


# What a body collides with and where it goes once it flies: as made, and with a game's own layers.
func _layers(top: Node2D) -> Array[Array]:
	var found: Array[Array] = []
	for own: int in [1, 9]:
		var body := UndercroftWalker.new()
		var agent := NavigationAgent2D.new()
		body.collision_mask = own
		agent.navigation_layers = own
		body.add_child(agent)
		body.flies = true
		top.add_child(body)
		found.append([body.collision_mask, agent.navigation_layers])
		body.flies = false
		found.append([body.collision_mask, agent.navigation_layers])
		body.free()
	return found


func _hunts(top: Node2D, from: Vector2, to: Vector2) -> bool:
	var script: GDScript = load(path.get_base_dir().path_join("hunter.gd"))
	var made: UndercroftWalker = script.new()
	var hunter := shaped(made)
	var prey := Node2D.new()
	top.add_child(hunter)
	top.add_child(prey)
	hunter.position = from
	prey.position = to
	await physics_frame
	hunter.call("hunt", prey)
	for i: int in FRAMES:
		if hunter.is_walking():
			await physics_frame
	return hunter.get("looks_around") and hunter.position.distance_to(to) <= NEAR


static func _is(cell: Vector2i, ground: TileMapLayer, terrain: String) -> bool:
	var data := ground.get_cell_tile_data(cell)
	return data != null and data.get_custom_data("terrain") == terrain
