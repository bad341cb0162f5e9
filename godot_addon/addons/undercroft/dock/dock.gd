@tool
extends VBoxContainer
## The dock that generates levels with the generator's command.
##
## All choices come from `undercroft describe`; the command runs in the background.

const ActionBar := preload("action_bar.gd")
const Catalogue := preload("catalogue.gd")
const Choice := preload("choice.gd")
const Command := preload("command.gd")
const FilesPanel := preload("files_panel.gd")
const Finds := preload("finds.gd")
const LevelPage := preload("edited/level_page.gd")
const LevelPanel := preload("level_panel.gd")
const MarkerIcons := preload("edited/marker_icons.gd")
const Memory := preload("memory.gd")
const Missing := preload("missing.gd")
const Pick := preload("pick.gd")
const Result := preload("result.gd")
const Rolls := preload("edited/rolls.gd")
const Run := preload("run.gd")
const SceneWatch := preload("edited/scene_watch.gd")
const Spec := preload("spec.gd")

# Wide enough for each value and the word before it.
const _WIDTH := 300
# The remedy of `undo` for files that a person has changed.
const _PUT_ASIDE := "--edits replace"
# That of `generate` for rooms that were rolled again.
const _KEEP := "or --edits keep or replace"

## The editor's.
var history: EditorUndoRedoManager

var _catalogue: Catalogue
var _command := ""
var _missing := Missing.new()
var _page := VBoxContainer.new()
var _panels := BoxContainer.new()
var _level := LevelPanel.new()
var _files := FilesPanel.new()
var _tabs := TabContainer.new()
var _edited := LevelPage.new()
var _rolls := Rolls.new()
var _scenes: SceneWatch
var _actions := ActionBar.new()
# What was started by a button, and how many levels it has written.
var _generation: Run
var _written := 0
# What is said if it is cancelled.
var _cancelled := ""
# The pending questions: about the command, and about a spec file. A newer one replaces an older
# one, whose answer is dropped.
var _about_command: Run
var _about_file: Run


func _init() -> void:
	name = "Undercroft"
	_missing.look_again.connect(look_for_command)
	_missing.hide()
	add_child(_missing)
	var scroll := ScrollContainer.new()
	scroll.horizontal_scroll_mode = ScrollContainer.SCROLL_MODE_DISABLED
	scroll.follow_focus = true
	scroll.size_flags_vertical = SIZE_EXPAND_FILL
	scroll.size_flags_horizontal = SIZE_EXPAND_FILL
	_panels.vertical = true
	_panels.size_flags_horizontal = SIZE_EXPAND_FILL
	for panel: Control in [_level, _files]:
		panel.size_flags_horizontal = SIZE_EXPAND_FILL
		_panels.add_child(panel)
	scroll.name = "NewLevel"
	scroll.add_child(_panels)
	_add_tabs(scroll)
	_page.name = "Page"
	_page.size_flags_vertical = SIZE_EXPAND_FILL
	_page.add_child(_tabs)
	_page.add_child(_actions)
	_page.hide()
	add_child(_page)
	_level.changed.connect(_on_changed)
	_level.file_wanted.connect(_describe_file)
	_level.preview.named.connect(_files.suggest_name)
	_level.preview.failed.connect(_on_preview_failed)
	_files.changed.connect(_on_changed)
	_actions.series.changed.connect(_on_changed)
	_actions.generate.connect(_generate)
	_actions.back.connect(_take_back.bind(false))
	_actions.cancel.connect(_cancel)


# The level that Generate makes, and the one in the edited scene.
func _add_tabs(new_level: Control) -> void:
	_tabs.size_flags_vertical = SIZE_EXPAND_FILL
	_tabs.add_child(new_level)
	var scroll := ScrollContainer.new()
	scroll.horizontal_scroll_mode = ScrollContainer.SCROLL_MODE_DISABLED
	_edited.size_flags_horizontal = SIZE_EXPAND_FILL
	_edited.size_flags_vertical = SIZE_EXPAND_FILL
	scroll.add_child(_edited)
	_tabs.add_child(scroll)
	_tabs.set_tab_title(0, "New level")
	_tabs.set_tab_title(1, "Edited level")
	_tabs.tab_changed.connect(func(tab: int) -> void: _actions.show_making(tab == 0))
	_edited.roll.connect(_roll)
	_edited.layout_wanted.connect(_show_layout)
	_edited.icons_switched.connect(func(on: bool) -> void: _scenes.shows_icons = on)


## Shows the level that [param scenes] finds in the edited scene.
func watch(scenes: SceneWatch) -> void:
	_scenes = scenes
	scenes.changed.connect(_show_edited)


func _show_edited() -> void:
	var level := _scenes.level
	_scenes.icons = MarkerIcons.new(level, _catalogue) if level else null
	_edited.show_level(level, _scenes.icons)
	_scenes.draw_again.call()


func _ready() -> void:
	resized.connect(_on_resized)
	custom_minimum_size.x = _WIDTH * EditorInterface.get_editor_scale()
	look_for_command()


# If the dock is wider than high, the level and the files are side by side.
func _on_resized() -> void:
	_panels.vertical = size.x < maxf(size.y, _WIDTH * 3 * EditorInterface.get_editor_scale())


# A dock that is dragged elsewhere leaves the tree and comes back; running commands continue.
func _enter_tree() -> void:
	ProjectSettings.settings_changed.connect(_on_settings_changed)


# In another program, the user may have changed the spec, the theme, or layouts.
func _notification(what: int) -> void:
	if what != NOTIFICATION_APPLICATION_FOCUS_IN or not _page.visible:
		return
	if _level.preview.is_outdated() and not _level.read_file_again():
		_request_preview()


func _exit_tree() -> void:
	ProjectSettings.settings_changed.disconnect(_on_settings_changed)


## Finds the command, and asks it for the choices.
func look_for_command() -> void:
	_command = Command.find()
	_drop(_about_command)
	_about_command = null
	if _command:
		_about_command = _ask(["describe"], _on_described)
	else:
		_show_missing(Command.missing())


func _on_described(run: Run) -> void:
	_about_command = null
	var found := Catalogue.read(run.output) if run.status == 0 else null
	if not found:
		var why := run.problem() if run.status != 0 else "it is too old, or another program."
		_show_missing("%s cannot be used: %s" % [_command, why])
		return
	_catalogue = found
	Finds.keep_marks(found.marks)
	_show_edited()
	var memory := Memory.load_choice()
	_missing.hide()
	_page.show()
	_files.setup(found, memory)
	_actions.series.restore(memory)
	_level.setup(found, memory)
	_request_preview()


func _show_missing(why: String) -> void:
	_missing.tell(why)
	_missing.show()
	_page.hide()


func _describe_file(path: String) -> void:
	_drop(_about_file)
	var arguments: PackedStringArray = ["describe", "--", ProjectSettings.globalize_path(path)]
	_about_file = _ask(arguments, _on_file_described.bind(path))


func _on_file_described(run: Run, path: String) -> void:
	_about_file = null
	if run.status != 0:
		_level.give_up_file()
		_actions.end(run.problem(), true)
		return
	var spec := Spec.read(Catalogue.table_of(run.output))
	if spec:
		spec.name = path
		spec.summary = path
		_level.add_file(spec)


func _ask(arguments: PackedStringArray, answered: Callable) -> Run:
	var run := Run.new()
	add_child(run)
	run.finished.connect(
		func() -> void:
			if not run.is_queued_for_deletion():
				run.queue_free()
				answered.call(run)
	)
	run.start(_command, arguments)
	return run


# Ends a question whose answer is no longer needed.
func _drop(run: Run) -> void:
	if run:
		run.stop()
		run.queue_free()


func _choice() -> Choice:
	var choice := Choice.new()
	_level.fill(choice)
	_files.fill(choice)
	_actions.series.fill(choice)
	return choice


func _on_changed() -> void:
	var memory := {}
	_level.remember(memory)
	_files.remember(memory)
	_actions.series.remember(memory)
	Memory.save_choice(memory)
	_request_preview()


func _request_preview() -> void:
	_level.preview.request(_choice())


func _on_preview_failed(problem: String) -> void:
	# The result of Generate stays until there is a problem.
	if not _actions.is_busy() and (problem or _actions.is_error()):
		_actions.end(problem, true)


func _generate() -> void:
	if _actions.is_busy():
		return
	if _level.seed_row.is_new_each_time():
		_level.seed_row.throw()
	var choice := _choice()
	var problem := _files.problem()
	if not problem:
		problem = choice.problem()
	if problem:
		_actions.end(problem, true)
		return
	Result.save_changes(choice.folder, history)
	_begin("Generating", _on_generated, choice.arguments())
	_cancelled = "Cancelled; nothing was written."
	if choice.series != Choice.Series.ONE:
		_generation.told.connect(_on_level_written)


# Rolls rooms of the edited level again: one command makes the level, one writes it in all formats.
func _roll(arguments: PackedStringArray, doing: String) -> void:
	var level := _edited.level
	if _actions.is_busy() or level == null:
		return
	if level.problem():
		_actions.end(level.problem(), true)
		return
	Result.save_changes(level.folder(), history)
	_begin(doing, _on_rolled.bind(level), _rolls.reroll(level, arguments, _choice().values))
	_cancelled = "Cancelled; nothing was written."


func _on_rolled(level: LevelPage.EditedLevel) -> void:
	var run := _generation
	_drop_generation()
	var problem := run.problem() if run.status != 0 else _rolls.keep(level, run.output)
	if problem:
		_actions.end(problem, true)
	else:
		_begin("Writing the level", _on_generated, _rolls.export(level, _catalogue))


func _show_layout(layout: String) -> void:
	_ask(
		["layouts", "show", "--", layout],
		func(run: Run) -> void:
			Rolls.show_text(self, layout, run.output if run.output else run.said)
	)


# Where Back takes something back.
func _folder_in_front() -> String:
	var is_edited := _tabs.current_tab == 1 and _edited.level
	return _edited.level.folder() if is_edited else _choice().folder


func _begin(doing: String, ended: Callable, arguments: PackedStringArray) -> void:
	_written = 0
	_actions.begin(doing)
	_generation = Run.new()
	add_child(_generation)
	_generation.finished.connect(ended)
	_generation.start(_command, arguments)


func _on_level_written(line: String) -> void:
	if not Result.is_level(Catalogue.table_of(line)):
		return
	_written += 1
	_actions.tell_done(_levels(_written))
	_cancelled = "Cancelled after %s; Back removes what was written." % _levels(_written)


func _cancel() -> void:
	# If it has ended, its files exist and only need to be imported.
	if not _generation:
		return
	_drop_generation()
	Result.scan()
	_actions.end(_cancelled, false)


# Files that a person has changed since are put aside if [param may_put_aside]; else nothing is
# taken back.
func _take_back(may_put_aside: bool) -> void:
	var folder := _folder_in_front()
	Result.save_changes(folder, history)
	var arguments: PackedStringArray = ["undo", "--json"]
	if may_put_aside:
		arguments.append("--edits=replace")
	arguments.append_array(["--", ProjectSettings.globalize_path(folder)])
	_begin("Taking back", _on_taken_back, arguments)
	_cancelled = "Cancelled; press Back again to take back the rest."


func _on_taken_back() -> void:
	var run := _generation
	_drop_generation()
	if run.status == 0:
		var remarks := run.remarks()
		Result.show_undone(
			run.output,
			_folder_in_front(),
			func(what: String) -> void: _actions.end("\n".join([what] + Array(remarks)), false)
		)
		return
	var problem := run.remarks()[-1] if run.remarks() else run.problem()
	_actions.end(problem.get_slice("; " + _PUT_ASIDE, 0) + ".", true)
	if problem.contains(_PUT_ASIDE):
		_ask_to_put_aside(problem.get_slice(": ", 0))


func _ask_to_put_aside(file: String) -> void:
	var dialog := ConfirmationDialog.new()
	dialog.title = "Back"
	dialog.dialog_text = (
		"%s was changed since it was written.\nPut it aside, beside the file, and go back?" % file
	)
	dialog.ok_button_text = "Put aside"
	dialog.confirmed.connect(_take_back.bind(true))
	Pick.add_once(self, dialog)
	dialog.popup_centered()


func _on_generated() -> void:
	var run := _generation
	_drop_generation()
	if run.status == 0 or Result.has_written(run.output):
		var is_well := run.status == 0 and not Result.has_conflicts(run.output)
		Result.bring_in(run.output, history, _on_brought_in.bind(run.remarks(), is_well))
	else:
		_actions.end(_in_own_words(run.problem()), true)


# The generator's other messages are about files that a person has changed, and, if all is not well,
# about edits that break a rule or have no place any more, and levels that could not be made.
func _on_brought_in(what: String, count: int, remarks: PackedStringArray, is_well: bool) -> void:
	var said: PackedStringArray = ["%s was written." % what]
	if count > 1:
		said[0] = "%s were written; the first is %s." % [_levels(count), what]
	for remark: String in remarks:
		if remark.begins_with(what + ": was edited"):
			said[0] = "The level below %s was written." % what
		else:
			said.append(_in_own_words(remark))
	_actions.end("\n".join(said), not is_well)


func _in_own_words(line: String) -> String:
	return line.replace(_KEEP, "or take the rolls back with Back")


func _levels(count: int) -> String:
	return "1 level" if count == 1 else "%d levels" % count


func _drop_generation() -> void:
	_generation.stop()
	_generation.queue_free()
	_generation = null


# The project setting for the command may have changed.
func _on_settings_changed() -> void:
	if not _command or Command.find() != _command:
		look_for_command()
