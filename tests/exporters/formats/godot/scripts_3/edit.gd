# Opens a scene as the editor does, adds a node, moves markers and saves; or only tells what there is.
extends SceneTree

const Plain := preload("plain.gd")


func _init() -> void:
	var arguments := Plain.arguments()
	var work: Dictionary = Plain.read(arguments[1])
	var packed: PackedScene = load(arguments[0])
	var level: Node2D = packed.instance(PackedScene.GEN_EDIT_STATE_MAIN)
	if work.has("add"):
		var added := Position2D.new()
		added.name = work["add"]
		level.get_node("Markers").add_child(added)
		added.owner = level
		for path in work["move"]:
			level.get_node(path).position = Vector2(1, 2)
		packed = PackedScene.new()
		packed.pack(level)
		ResourceSaver.save(arguments[0], packed)
	var markers := {}
	for marker in level.get_node("Markers").get_children():
		markers[marker.name] = marker.position
	var above: PackedScene = packed.get_state().get_node_instance(0)
	Plain.answer(
		arguments[2],
		{
			"markers": markers,
			"seed": level.get_meta("seed"),
			"inherits": above.resource_path if above else "",
		}
	)
	level.free()
	quit()
