extends SceneTree
## Chooses levels of a pack and builds them in threads: `PACK ANSWER`.

const THREADS := 8

var _pack: UndercroftPack
var _built: Array[Node2D] = []


func _initialize() -> void:
	var args := OS.get_cmdline_user_args()
	_pack = UndercroftPack.open(args[0])
	var rooms: PackedInt32Array = []
	var spread: Dictionary = {}
	for index: int in _pack.count:
		var number: int = _pack.facts_of(index)["rooms"]
		rooms.append(number)
	for seed_number: int in range(1000, 3000):
		spread[_pack.pick(seed_number)] = true
	var parsed: Dictionary = JSON.parse_string('{"rooms": [8, 9], "stage": 1}')
	var far := UndercroftPack.open("res://far.ucpack")
	var answer := {
		"large": [far.seed_of(0), str(far.seed_number_of(0)), far.pick(far.seed_number_of(0))],
		"rooms": rooms,
		"some": _pack.find({"rooms": [8, 9]}),
		"one": _pack.find({"rooms": rooms[0], "style": "isaac"}),
		"none": _pack.find({"style": "gungeon"}),
		"without": _pack.find({"count.vault": 0, "markers.nothing": [0, 3]}).size(),
		"with": _pack.find({"count.vault": 1}).size(),
		"nowhere": _pack.find({"rooms.vault.distance": [0, 99]}).size(),
		"parsed": _pack.find(parsed),
		"all": _pack.find({}).size(),
		"seeds": range(_pack.count).map(_pack.seed_of),
		"same": _pack.pick(7),
		"back": _pack.pick(_pack.seed_number_of(3)),
		"far": [_pack.pick(-1), _pack.pick(-1)],
		"among": _pack.pick(99, {"rooms": [8, 9]}),
		"nobody": _pack.pick(99, {"stage": 12}),
		"spread": spread.size(),
		"threads": await _in_threads(),
	}
	var file := FileAccess.open(args[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(answer))
	quit()


## How many levels that several threads built at the same time are those that are built here.
func _in_threads() -> int:
	_built.resize(THREADS)
	var group := WorkerThreadPool.add_group_task(_build, THREADS)
	while not WorkerThreadPool.is_group_task_completed(group):
		await process_frame
	WorkerThreadPool.wait_for_group_task_completion(group)
	var same := 0
	for i: int in THREADS:
		var here := _pack.build(_level_of(i))
		same += int(_told(here) == _told(_built[i]))
		root.add_child(_built[i])
		here.free()
	return same


func _level_of(thread: int) -> int:
	return thread * 7 % _pack.count


func _build(thread: int) -> void:
	_built[thread] = _pack.build(_level_of(thread))


func _told(node: Node) -> String:
	var told := "%s %s %s\n" % [node.name, node.get_class(), node.get_groups()]
	for key: StringName in node.get_meta_list():
		told += var_to_str(node.get_meta(key))
	for child: Node in node.get_children():
		told += _told(child)
	return told
