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
const _FOLDER := "res://.godot/undercroft/preview"
const _HEIGHT := 180
# Above it a graphics card may refuse the texture.
const _LARGEST := 4096
const _BACKGROUND := Color("#0d0b14")

var _choice: Choice
var _run: Run
var _task := -1
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
	_choice = choice
	_drop_run()
	_timer.start()


## Whether a picture is on its way.
func is_busy() -> bool:
	return not _timer.is_stopped() or _run != null or _task >= 0


func _start() -> void:
	var command := Command.find()
	if not command:
		return
	var folder := ProjectSettings.globalize_path(_FOLDER)
	DirAccess.make_dir_recursive_absolute(folder)
	_empty(folder)
	_run = Run.new()
	add_child(_run)
	_run.finished.connect(_on_finished)
	_run.start(command, _choice.preview_arguments(folder))
	_busy.show()


func _on_finished() -> void:
	var run := _run
	_drop_run()
	if run.status != 0:
		_picture.modulate.a = 0.3
		failed.emit(run.problem())
		return
	failed.emit("")
	var told := Catalogue.table_of(run.output)
	named.emit(str(told.get("name", "")))
	for file: String in Declaration.texts(told.get("files")):
		if file.get_extension() == "png":
			_load(file)
			return


# Off the main thread: a large level's picture takes a while to unpack.
func _load(file: String) -> void:
	_finish_task()
	_task = WorkerThreadPool.add_task(_unpack.bind(file), false, "Undercroft: preview")
	set_process(true)


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


func _process(_delta: float) -> void:
	if not WorkerThreadPool.is_task_completed(_task):
		return
	_finish_task()
	if _image:
		_picture.texture = ImageTexture.create_from_image(_image)
		_picture.modulate.a = 1.0
		_image = null


func _finish_task() -> void:
	if _task >= 0:
		WorkerThreadPool.wait_for_task_completion(_task)
		_task = -1
	set_process(false)


func _drop_run() -> void:
	_busy.hide()
	if _run:
		_run.stop()
		_run.queue_free()
		_run = null


func _exit_tree() -> void:
	_drop_run()
	_finish_task()


func _empty(folder: String) -> void:
	for file: String in DirAccess.get_files_at(folder):
		DirAccess.remove_absolute(folder.path_join(file))
