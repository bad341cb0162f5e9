@tool
extends RefCounted
## What a person does with the rooms of the edited level.

const Hands := preload("hands.gd")


## Shows the level to generate, or the one in the edited scene.
static func show_tab(hands: Hands, tab: int) -> void:
	(hands.find("NewLevel").get_parent() as TabContainer).current_tab = tab


## Moves the mouse to a room on the map of the edited level, or clicks there.
static func point_at(hands: Hands, room: int, is_click := false) -> void:
	var map := hands.find("RoomMap")
	var level: RefCounted = map.get_parent().get("level")
	var plan: UndercroftPlan = level.get("plan")
	var event: InputEventMouse = InputEventMouseMotion.new()
	if is_click:
		var button := InputEventMouseButton.new()
		button.button_index = MOUSE_BUTTON_LEFT
		button.pressed = true
		event = button
	var place: Vector2 = map.call("place_of", plan.rooms[room])
	event.position = place + map.get_global_rect().position
	event.global_position = event.position
	if DisplayServer.get_name() != "headless":
		map.get_viewport().warp_mouse(event.position)
		await hands.frames(5)
	map.get_viewport().push_input(event, true)
	if is_click:
		(event as InputEventMouseButton).pressed = false
		map.get_viewport().push_input(event.duplicate() as InputEvent, true)
		await hands.frames(2)
