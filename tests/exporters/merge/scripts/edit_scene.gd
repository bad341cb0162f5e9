## Works on a scene as a person does in the editor, and saves it; or tells what of that work is there.
extends SceneTree


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	var packed: PackedScene = load(arguments[0])
	var level := packed.instantiate(PackedScene.GEN_EDIT_STATE_MAIN) as Node2D
	var start: Node2D = level.get_node("Rooms").get_children().filter(_is_start)[0]
	var bounds: Rect2i = start.get_meta("bounds")
	if arguments[1] == "edit":
		_work(level, bounds.position)
		packed = PackedScene.new()
		packed.pack(level)
		ResourceSaver.save(packed, arguments[0])
	var boss := _boss(level)
	var hung := boss.get_node_or_null("Hung") as CollisionShape2D
	var lamp := level.get_node_or_null("Mine/Lamp") as Node2D
	var ground: TileMapLayer = level.get_node("Ground")
	var told := {
		"painted": ground.get_cell_alternative_tile(bounds.position + Vector2i(3, 4)),
		"hung": (hung.shape as CircleShape2D).radius if hung else -1.0,
		"lamp": lamp.position - Vector2(bounds.position * 16) if lamp else Vector2.ZERO,
		"energy": lamp.get("energy") if lamp else 0.0,
		"groups": boss.is_in_group("loot"),
		"wired": boss.tree_entered.get_connections().size(),
		"starts": 1 if level.has_node("Markers/PlayerStart") else 0,
		"rooms": level.get_node("Rooms").get_child_count(),
	}
	var file := FileAccess.open(arguments[2], FileAccess.WRITE)
	file.store_string(JSON.stringify(told))
	file.close()
	level.free()
	quit()


func _is_start(room: Node) -> bool:
	return room.get_meta("kind") == "start"


func _boss(level: Node) -> Node2D:
	for marker: Node2D in level.get_node("Markers").get_children():
		if marker.get_meta("kind") == "boss":
			return marker
	return null


func _work(level: Node2D, corner: Vector2i) -> void:
	var ground: TileMapLayer = level.get_node("Ground")
	var place := corner + Vector2i(3, 4)
	ground.set_cell(place, 0, ground.get_cell_atlas_coords(place), 7)
	var boss := _boss(level)
	var hung := CollisionShape2D.new()
	hung.name = "Hung"
	var circle := CircleShape2D.new()
	circle.radius = 5.0
	hung.shape = circle
	boss.add_child(hung)
	hung.owner = level
	boss.add_to_group("loot", true)
	boss.tree_entered.connect(Callable(level, "queue_redraw"), CONNECT_PERSIST)
	var mine := Node2D.new()
	mine.name = "Mine"
	level.add_child(mine)
	mine.owner = level
	var lamp := PointLight2D.new()
	lamp.name = "Lamp"
	lamp.energy = 0.5
	lamp.position = Vector2(place * 16)
	mine.add_child(lamp)
	lamp.owner = level
	level.get_node("Markers/PlayerStart").free()
