@tool
extends Node
## What a person does in the editor: looks for controls, clicks, types, waits.


## Waits until the editor has nothing more to do.
func settled() -> void:
	var files := EditorInterface.get_resource_filesystem()
	await until(func() -> bool: return not files.is_scanning())
	await frames(30)


## Waits while the editor draws so many frames, however long that takes.
func frames(count: int) -> void:
	for _frame: int in count:
		await get_tree().process_frame


## Waits for a condition. If it never comes true, the test ends the editor.
func until(condition: Callable) -> void:
	while not condition.call():
		await get_tree().process_frame


## The dock, or null.
func dock() -> Control:
	return EditorInterface.get_base_control().find_child("Undercroft", true, false) as Control


## The editor's own scene trees.
func tree_editors() -> Array[Node]:
	return EditorInterface.get_base_control().find_children("*", "SceneTreeEditor", true, false)


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
	await frames(10)


## Drags the dock elsewhere: it leaves the tree, and comes back.
func move_dock() -> void:
	var moved := dock()
	var place := moved.get_parent()
	place.remove_child(moved)
	place.add_child(moved)
	await get_tree().process_frame


## Clicks on a control where it is on the screen, as the mouse does, until the control hears of it:
## windows of the editor may hold the mouse, such as those of a scan.
func click(control: Control) -> void:
	await until(func() -> bool: return not EditorInterface.get_resource_filesystem().is_scanning())
	var above: Node = control.get_parent()
	while above and not above is ScrollContainer:
		above = above.get_parent()
	if above:
		(above as ScrollContainer).ensure_control_visible(control)
		await get_tree().process_frame
		await get_tree().process_frame
	var heard := [false]
	var hear := func(_event: InputEvent) -> void: heard[0] = true
	control.gui_input.connect(hear)
	while not heard[0]:
		for pressed: bool in [true, false]:
			_press(control, pressed)
		await get_tree().process_frame
	control.gui_input.disconnect(hear)


func _press(control: Control, pressed: bool) -> void:
	var event := InputEventMouseButton.new()
	event.button_index = MOUSE_BUTTON_LEFT
	event.pressed = pressed
	event.position = control.get_global_rect().get_center()
	event.global_position = event.position
	control.get_viewport().push_input(event, true)


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


## Presses a button that offers what the project holds; the texts that it offers.
func offers(button: Control) -> Array[String]:
	(button as Button).pressed.emit()  # its section may be folded
	var menu := button.find_children("*", "PopupMenu", true, false)[0] as PopupMenu
	await until(func() -> bool: return not (button as Button).disabled)
	var found: Array[String] = []
	for index: int in menu.item_count - 2:  # without the line, and what opens a dialog
		found.append(menu.get_item_text(index))
	menu.hide()
	return found


## Chooses one of them.
func pick(button: Control, text: String) -> void:
	var index := (await offers(button)).find(text)
	var menu := button.find_children("*", "PopupMenu", true, false)[0] as PopupMenu
	menu.index_pressed.emit(index)
	await get_tree().process_frame


## Sets the number of a row of the form: turns it off, or on first.
func set_number(row: String, value: int) -> void:
	var declaration: Object = find(row).get("declaration")
	var boxes := find(row).find_children("*", "CheckBox", true, false)
	if boxes:
		(boxes[0] as CheckBox).button_pressed = value != declaration.get("off")
	if not boxes or (boxes[0] as CheckBox).button_pressed:
		field(row).value = value
	await get_tree().process_frame


## The field of a row of numbers.
func field(row: String, index := 0) -> EditorSpinSlider:
	return find(row).find_children("*", "EditorSpinSlider", true, false)[index] as EditorSpinSlider


func message() -> String:
	var label := find("Message") as Label
	return label.text if label.is_visible_in_tree() else ""


## Waits until Generate is done.
func generated() -> void:
	await until(func() -> bool: return not find("Cancel").visible)


## Waits until the picture that was asked for last is seen, or what keeps it from being drawn.
func drawn() -> void:
	await until(func() -> bool: return not find("Preview").call("is_busy"))


## Has the windows drawn, which are not otherwise: the processor would do it, for most of the time.
func shot(path: String) -> void:
	await frames(20)
	RenderingServer.render_loop_enabled = true
	# The editor draws only when something moves.
	EditorInterface.get_base_control().queue_redraw()
	await RenderingServer.frame_post_draw
	RenderingServer.render_loop_enabled = false
	get_tree().root.get_texture().get_image().save_png(path)
