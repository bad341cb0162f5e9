extends UndercroftSpawner
## The enemies of the demo, which the addon's spawner sends into fights.

signal boss_came(foe: Foe)

const BossNames := preload("boss_names.gd")
const FOE := preload("foe.tscn")
const Foe := preload("foe.gd")
const FoeKinds := preload("foe_kinds.gd")
const Habits := preload("habits.gd")


func _init() -> void:
	make = _foe_of
	spawned.connect(_on_spawned)


func _foe_of(marker: UndercroftMarker) -> Foe:
	var names: Array[String] = [marker.text("name"), marker.text("role", marker.text("rank"))]
	var foe := _foe(names)
	foe.called.connect(_on_foe_called.bind(marker.room), CONNECT_DEFERRED)
	foe.champion = marker.is_true("champion")
	foe.flies = foe.flies or marker.is_true("flies")
	foe.wakes_after = float(marker.text("wakes_after", "0"))
	if marker.kind == "boss":
		foe.title = BossNames.of(marker, _level.plan)
	return foe


func _foe(names: Array[String]) -> Foe:
	var foe: Foe = FOE.instantiate()
	foe.kind = FoeKinds.of(names)
	foe.flies = foe.kind.get("flies", false)
	foe.target = _player
	for habit: String in foe.kind.get("habits", []):
		foe.add_child(Habits.new_one(habit))
	return foe


func _on_spawned(foe: Foe, _marker: UndercroftMarker) -> void:
	if foe.title:
		boss_came.emit(foe)


func _on_foe_called(kind: String, place: Vector2, room: UndercroftRoom) -> void:
	var foe := _foe([kind])
	foe.called.connect(_on_foe_called.bind(room), CONNECT_DEFERRED)
	foe.position = place
	bring(foe, room)
