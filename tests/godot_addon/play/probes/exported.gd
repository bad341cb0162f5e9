extends Node
## Runs in an exported game: loads a level from its level.json, from its scene and from a pack.

var scenario: Dictionary


func _ready() -> void:
	var told := {"sources": FileAccess.file_exists("res://project.godot")}
	var level := UndercroftLevel.from_file("res://isaac.level.json")
	told["json"] = level.plan.fingerprint
	level.free()
	var packed: PackedScene = load("res://isaac.tscn")
	told["scene"] = _fingerprint(packed.instantiate() as Node2D)
	var pack := UndercroftPack.open("res://demo/levels/isaac.ucpack")
	told["pack"] = _fingerprint(pack.build(pack.pick(8, {"stage": 2})))
	var file := FileAccess.open(str(scenario["answer"]), FileAccess.WRITE)
	file.store_string(JSON.stringify(told))
	file.close()
	get_tree().quit()


func _fingerprint(scene: Node2D) -> String:
	var fingerprint := UndercroftLevel.from_scene(scene).plan.fingerprint
	scene.free()
	return fingerprint
