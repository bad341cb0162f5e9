@tool
extends PanelContainer
## A picture of the chosen level, drawn by the generator in the background.

## The name that the generator would give the files.
signal named(level_name: String)
## The level cannot be made: the generator's message; empty once it can.
signal failed(problem: String)

const Catalogue := preload("catalogue.gd")
const Choice := preload("choice.gd")
const Command := preload("command.gd")
const Declaration := preload("declaration.gd")
const Run := preload("run.gd")

## How long nothing must change before a picture is requested.
const _PAUSE := 0.25
# Each request has its own folder in it, because processes started by a stopped command may still
# write.
const _FOLDER := "res://.godot/undercroft/preview"
const _HEIGHT := 180
# Graphics cards may refuse larger textures.
const _LARGEST := 4096
const _BACKGROUND := Color("#0d0b14")
const _NO_PICTURE := "The generator's picture cannot be read."

# The number of requests, and the last one that was answered, with a picture or a problem. Answers
# to older ones are dropped.
var _asked := 0
var _answered := 0
var _choice: Choice
# The stamp of the choice's files when it was requested.
var _stamp := ""
var _run: Run
# The newest picture's file, waiting to be decoded.
var _file := ""
var _task := -1
# The request whose picture is being decoded.
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


## Requests a picture of [param choice]; earlier requests are dropped.
func request(choice: Choice) -> void:
	_asked += 1
	_choice = choice
	_file = ""
	_drop_run()
	_busy.show()
	_timer.start()


## Whether files that the picture was drawn from have changed.
func is_outdated() -> bool:
	return _choice != null and _choice.stamp() != _stamp


## Whether the picture for the last request is not shown yet.
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


# Outside the main thread, one at a time: the picture of a large level takes a while to decode.
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


# The newest request has ended with its picture, or with a problem, which dims the previous
# picture.
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


# Hidden files too: the generator keeps a record of what it wrote.
static func _empty(folder: String) -> void:
	var entries := DirAccess.open(folder)
	entries.include_hidden = true
	for file: String in entries.get_files():
		DirAccess.remove_absolute(folder.path_join(file))
	for name: String in entries.get_directories():
		_empty(folder.path_join(name))
		DirAccess.remove_absolute(folder.path_join(name))
