@tool
extends RefCounted
## A person opens a project in an editor of 1600 x 900, looks for the dock, and puts the first tab
## in front of it.

const Hands := preload("hands.gd")


func play(hands: Hands) -> Dictionary:
	var window := EditorInterface.get_base_control().get_window()
	window.mode = Window.MODE_WINDOWED
	window.size = Vector2i(1600, 900)
	# The editor lays its docks out anew in one of the next frames.
	var page := EditorInterface.get_base_control()
	await hands.until(
		func() -> bool: return page.size.is_equal_approx(page.get_viewport_rect().size)
	)
	await hands.frames(10)
	await hands.until(func() -> bool: return hands.find("Page").visible)
	await hands.drawn()
	var seen := {"screen": [window.size.x, window.size.y], "seen": _is_seen(hands)}
	var tab: Node = hands.dock()
	while not tab.get_parent() is TabContainer:
		tab = tab.get_parent()
	seen["tab"] = tab.get_index()
	(tab.get_parent() as TabContainer).current_tab = 0
	EditorInterface.set_plugin_enabled("undercroft", false)
	EditorInterface.set_plugin_enabled("undercroft", true)
	await hands.until(func() -> bool: return hands.find("Page").visible)
	await hands.drawn()
	seen["seen_again"] = _is_seen(hands)
	return seen


func _is_seen(hands: Hands) -> bool:
	var dock := hands.dock()
	var screen := Rect2(Vector2(), dock.get_viewport_rect().size)
	return dock.is_visible_in_tree() and screen.encloses(dock.get_global_rect())
