@tool
extends PanelContainer
## A picture of the level that is chosen, drawn by the generator in the background.

## What the generator would call the files.
signal named(level_name: String)
## The level cannot be made: the generator's own line; empty once it can.
signal failed(problem: String)

const Catalogue := preload("catalogue.gd")
const Choice := preload("choice.gd")
const Command := preload("command.gd")
const Declaration := preload("declaration.gd")
const Run := preload("run.gd")

## So long nothing must change before a picture is asked for.
const _PAUSE := 0.25
# Each request has a folder of its own in it: a command that was stopped may have started others,
# which still write.
const _FOLDER := "res://.godot/undercroft/preview"
const _HEIGHT := 180
# Above it a graphics card may refuse the texture.
const _LARGEST := 4096
const _BACKGROUND := Color("#0d0b14")
const _NO_PICTURE := "The generator drew no picture that can be read."

# How many pictures were asked for, and which of them was answered last, with a picture or a
# problem. Whatever comes of an older one is dropped.
var _asked := 0
var _answered := 0
var _choice: Choice
# What the files of the choice held when it was made.
var _stamp := ""
var _run: Run
# The newest picture's file, while it waits to be unpacked.
var _file := ""
var _task := -1
# Whose picture is unpacked.
var _task_of := 0
var _image: Image
var _picture := TextureRect.new()
var _busy := Label.new()
var _timer := Timer.new()


func _init() -> void:
	name = "Preview"
	_picture.name = "Picture"
	_picture.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	_picture.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_CENTERED
	_picture.texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR_WITH_MIPMAPS
	add_child(_picture)
	_busy.text = "Drawing…"
	_busy.size_flags_horizontal = SIZE_SHRINK_END
	_busy.size_flags_vertical = SIZE_SHRINK_END
	_busy.hide()
	add_child(_busy)
	_timer.one_shot = true
	_timer.wait_time = _PAUSE
	_timer.timeout.connect(_start)
	add_child(_timer)


func _ready() -> void:
	custom_minimum_size.y = _HEIGHT * EditorInterface.get_editor_scale()
	var style := StyleBoxFlat.new()
	style.bg_color = _BACKGROUND
	style.set_corner_radius_all(int(3 * EditorInterface.get_editor_scale()))
	add_theme_stylebox_override("panel", style)
	set_process(false)


## Asks for a picture of [param choice]; whatever was asked for before is dropped.
func request(choice: Choice) -> void:
	_asked += 1
	_choice = choice
	_file = ""
	_drop_run()
	_busy.show()
	_timer.start()


## Whether files have changed that the picture was drawn from.
func is_outdated() -> bool:
	return _choice != null and _choice.stamp() != _stamp


## Whether the picture that is seen is not yet the one that was asked for last.
func is_busy() -> bool:
	return _answered < _asked


func _start() -> void:
	var command := Command.find()
	if not command:
		_answer(Command.missing())
		return
	DirAccess.make_dir_recursive_absolute(_FOLDER)
	_empty(_FOLDER)
	_stamp = _choice.stamp()
	var folder := _FOLDER.path_join("%d-%d" % [OS.get_process_id(), _asked])
	DirAccess.make_dir_recursive_absolute(folder)
	_run = Run.new()
	add_child(_run)
	_run.finished.connect(_on_finished.bind(_run))
	_run.start(command, _choice.preview_arguments(ProjectSettings.globalize_path(folder)))


func _on_finished(run: Run) -> void:
	if run != _run:
		return
	_drop_run()
	if run.status != 0:
		_answer(run.problem())
		return
	var told := Catalogue.table_of(run.output)
	named.emit(str(told.get("name", "")))
	for file: String in Declaration.texts(told.get("files")):
		if file.get_extension() == "png":
			_file = file
	if _file:
		set_process(true)
	else:
		_answer(_NO_PICTURE)


# Off the main thread, one after the other: a large level's picture takes a while to unpack.
func _process(_delta: float) -> void:
	if _task >= 0:
		if not WorkerThreadPool.is_task_completed(_task):
			return
		_finish_task()
		if _task_of == _asked:
			_show_picture()
		_image = null
	if _file:
		_task_of = _asked
		_task = WorkerThreadPool.add_task(_unpack.bind(_file), false, "Undercroft: preview")
		_file = ""
	else:
		set_process(false)


func _unpack(file: String) -> void:
	var image := Image.load_from_file(file)
	if image:
		var side := maxi(image.get_width(), image.get_height())
		if side > _LARGEST:
			var scale_down := _LARGEST / float(side)
			image.resize(
				maxi(1, int(image.get_width() * scale_down)),
				maxi(1, int(image.get_height() * scale_down)),
				Image.INTERPOLATE_BILINEAR
			)
		image.generate_mipmaps()
	_image = image


func _show_picture() -> void:
	if _image:
		_picture.texture = ImageTexture.create_from_image(_image)
		_answer("")
	else:
		_answer(_NO_PICTURE)


# The newest request has come to an end: with its picture, or with a problem, which leaves the
# picture before it, dimmed.
func _answer(problem: String) -> void:
	_answered = _asked
	_busy.hide()
	_picture.modulate.a = 0.3 if problem else 1.0
	failed.emit(problem)


func _finish_task() -> void:
	if _task >= 0:
		WorkerThreadPool.wait_for_task_completion(_task)
		_task = -1


func _drop_run() -> void:
	if _run:
		_run.stop()
		_run.queue_free()
		_run = null


func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE:
		_finish_task()


# Hidden ones too: the generator keeps a record of what it wrote.
static func _empty(folder: String) -> void:
	var entries := DirAccess.open(folder)
	entries.include_hidden = true
	for file: String in entries.get_files():
		DirAccess.remove_absolute(folder.path_join(file))
	for name: String in entries.get_directories():
		_empty(folder.path_join(name))
		DirAccess.remove_absolute(folder.path_join(name))
