extends RefCounted
## Brings the dock to the front once per project, because its tab may be hidden behind others.
## Later it stays where the user leaves it.

const Memory := preload("memory.gd")

const _CALM_FRAMES := 30


static func show_once(dock: Control) -> void:
	# A headless editor only imports or exports.
	if DisplayServer.get_name() == "headless" or Memory.was_shown():
		return
	# At its start, the editor reads the project first and then restores its tabs.
	var tree := dock.get_tree()
	var files := EditorInterface.get_resource_filesystem()
	var calm := 0
	while calm < _CALM_FRAMES:
		await tree.process_frame
		calm = 0 if files.is_scanning() else calm + 1
	if is_instance_valid(dock) and dock.is_inside_tree():
		_bring_to_front(dock)
		Memory.note_shown()


static func _bring_to_front(dock: Control) -> void:
	var tab: Node = dock
	while tab and not tab.get_parent() is TabContainer:
		tab = tab.get_parent()
	if tab:
		var tabs: TabContainer = tab.get_parent()
		tabs.current_tab = tab.get_index()
