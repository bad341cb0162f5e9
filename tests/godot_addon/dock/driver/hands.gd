@tool
extends Node
## What a person does in the editor: looks for controls, clicks, types, waits.

const _PATIENCE := 300.0

## The longest time between two frames since it was set to 0, seconds: how long the editor hung.
var longest_frame := 0.0


func _process(delta: float) -> void:
	longest_frame = maxf(longest_frame, delta)


## Waits until the editor has nothing more to do.
func settled() -> void:
	var files := EditorInterface.get_resource_filesystem()
	await until(func() -> bool: return not files.is_scanning())
	await rest(0.5)


func rest(seconds: float) -> void:
	await get_tree().create_timer(seconds).timeout


## Waits for a condition; whether it came true in time.
func until(condition: Callable) -> bool:
	var end := Time.get_ticks_msec() + _PATIENCE * 1000
	while Time.get_ticks_msec() < end:
		if condition.call():
			return true
		await get_tree().process_frame
	push_error("waited in vain for %s" % condition)
	return false


## The dock, or null.
func dock() -> Control:
	return EditorInterface.get_base_control().find_child("Undercroft", true, false) as Control


## A control of the dock.
func find(node_name: String, below: Node = null) -> Control:
	return (below if below else dock()).find_child(node_name, true, false) as Control


## Brings the dock to the front of its tabs.
func show_dock() -> void:
	var tab: Node = dock()
	while not tab.get_parent() is TabContainer:
		tab = tab.get_parent()
	var tabs: TabContainer = tab.get_parent()
	tabs.current_tab = tab.get_index()
	await rest(0.2)


## Drags the dock elsewhere: it leaves the tree, and comes back.
func move_dock() -> void:
	var moved := dock()
	var place := moved.get_parent()
	place.remove_child(moved)
	place.add_child(moved)
	await get_tree().process_frame


## Clicks on a control where it is on the screen, as the mouse does.
func click(control: Control) -> void:
	var above: Node = control.get_parent()
	while above and not above is ScrollContainer:
		above = above.get_parent()
	if above:
		(above as ScrollContainer).ensure_control_visible(control)
		await get_tree().process_frame
		await get_tree().process_frame
	for pressed: bool in [true, false]:
		var event := InputEventMouseButton.new()
		event.button_index = MOUSE_BUTTON_LEFT
		event.pressed = pressed
		event.position = control.get_global_rect().get_center()
		event.global_position = event.position
		control.get_viewport().push_input(event, true)
	await get_tree().process_frame


## Replaces what stands in a line, key by key.
func type(line: LineEdit, text: String) -> void:
	await click(line)
	line.select_all()
	await key(KEY_DELETE)
	for index: int in text.length():
		await key(KEY_NONE, text.unicode_at(index))


func key(code: Key, unicode := 0) -> void:
	for pressed: bool in [true, false]:
		var event := InputEventKey.new()
		event.keycode = code
		event.unicode = unicode
		event.pressed = pressed
		dock().get_viewport().push_input(event, true)
	await get_tree().process_frame


## Chooses an item of a list.
func choose(list: OptionButton, text: String) -> void:
	for index: int in list.item_count:
		if list.get_item_text(index) == text:
			list.select(index)
			list.item_selected.emit(index)
			await get_tree().process_frame
			return
	push_error("no item %s" % text)


## Sets the number of a row of the form.
func set_number(row: String, value: int) -> void:
	var found := find(row).find_children("*", "EditorSpinSlider", true, false)
	(found[0] as EditorSpinSlider).value = value
	await get_tree().process_frame


func message() -> String:
	var label := find("Message") as Label
	return label.text if label.is_visible_in_tree() else ""


## Waits until Generate is done.
func generated() -> bool:
	return await until(func() -> bool: return find("Generate").visible)


## Waits until the picture is drawn, and no other one is asked for within a moment.
func drawn() -> bool:
	var idle_since := [Time.get_ticks_msec()]
	return await until(
		func() -> bool:
			if find("Preview").call("is_busy"):
				idle_since[0] = Time.get_ticks_msec()
			return Time.get_ticks_msec() - idle_since[0] > 700
	)


func shot(path: String) -> void:
	await rest(0.3)
	# The editor draws only when something moves.
	EditorInterface.get_base_control().queue_redraw()
	await RenderingServer.frame_post_draw
	get_tree().root.get_texture().get_image().save_png(path)
