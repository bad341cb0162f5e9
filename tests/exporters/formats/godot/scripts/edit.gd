## Opens a scene as the editor does, adds a node, moves markers and saves; or only tells what there is.
extends "probe.gd"

const Plain := preload("plain.gd")


func _initialize() -> void:
	var work: Dictionary = Plain.read(arguments[1])
	var packed: PackedScene = load(arguments[0])
	var level := packed.instantiate(PackedScene.GEN_EDIT_STATE_MAIN) as Node2D
	if work.has("add"):
		var added := Marker2D.new()
		added.name = work["add"]
		level.get_node("Markers").add_child(added)
		added.owner = level
		for path: String in work["move"]:
			(level.get_node(path) as Node2D).position = Vector2(1, 2)
		packed = PackedScene.new()
		packed.pack(level)
		ResourceSaver.save(packed, arguments[0])
	var markers := {}
	for marker: Node2D in level.get_node("Markers").get_children():
		markers[marker.name] = marker.position
	var above := packed.get_state().get_base_scene_state()
	Plain.answer(
		arguments[2],
		{"markers": markers, "seed": level.get_meta("seed"), "inherits": above.get_path() if above else ""}
	)
	level.free()
	quit()
