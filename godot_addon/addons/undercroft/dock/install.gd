@tool
extends Node
## Installs the generator into a virtual environment in the project, from the wheel in the addon's
## archive. The editor goes on meanwhile.

## What is being done.
signal told(line: String)
## With "" once the generator is installed, else with why it is not.
signal finished(problem: String)

const Command := preload("command.gd")
const Run := preload("run.gd")

const _WHEELS := "../wheel"
# Prints Python's version. The status is 3 if it is too old, and 1 if a module is missing.
const _CHECK := (
	"import sys; print(sys.version.split()[0]);"
	+ " sys.exit(3) if sys.version_info < (3, 11) else None; import %s"
)
const _TOO_OLD := 3
# In an environment that was made here: nothing else is changed but by pip.
const _MARK := ".undercroft"
const _NEEDED := "Python 3.11 or newer"
# What pip says if it cannot reach the index of packages.
const _NO_NETWORK: PackedStringArray = [
	"NewConnectionError",
	"NameResolutionError",
	"ConnectTimeout",
	"ProxyError",
	"connection",
	"SSLError",
	"timed out",
]

## The names that Python may have, best first.
var pythons: PackedStringArray = [
	"python3", "python3.14", "python3.13", "python3.12", "python3.11", "python", "py"
]

var _run: Run
var _left: PackedStringArray = []
var _why_not := ""


## The wheel of the addon's version; "" if the addon came without one.
func wheel() -> String:
	for file: String in _wheels():
		if file.begins_with("undercroft-%s-" % _version()):
			return ProjectSettings.globalize_path(_folder().path_join(file))
	return ""


## Why the wheel there cannot be used; "" if it can, or if there is none.
func wheel_problem() -> String:
	if wheel() or _wheels().is_empty():
		return ""
	return (
		"%s holds %s, and this addon is %s: copy the whole addon from one archive."
		% [_folder(), ", ".join(_wheels()), _version()]
	)


func _wheels() -> PackedStringArray:
	var found: PackedStringArray = []
	for file: String in DirAccess.get_files_at(_folder()):
		if file.get_extension() == "whl":
			found.append(file)
	return found


func _folder() -> String:
	var here: Script = get_script()
	return here.resource_path.get_base_dir().path_join(_WHEELS).simplify_path()


func _version() -> String:
	var about := ConfigFile.new()
	about.load(_folder().get_base_dir().path_join("plugin.cfg"))
	return str(about.get_value("plugin", "version", ""))


func start() -> void:
	stop()
	_why_not = "%s was not found; install it, and press Install again." % _NEEDED
	_left.clear()
	for python: String in pythons:
		var found := Command.on_path(python)
		if found:
			_left.append(found)
	told.emit("Looking for Python…")
	var own := Command.in_environment("python")
	if own:  # complete, or left by an installation that was stopped
		_start(own, ["-c", _CHECK % "pip"], _on_own_checked.bind(own))
	else:
		_make_environment()


## Stops whatever is being done. Started again, it goes on.
func stop() -> void:
	if _run:
		_run.stop()
		_run.queue_free()
		_run = null


func _on_own_checked(run: Run, python: String) -> void:
	if run.status == 0:
		_install(python)
	elif run.status == _TOO_OLD:
		var version := run.output.strip_edges()
		finished.emit(
			"res://.venv has Python %s, and %s is needed: remove it." % [version, _NEEDED]
		)
	else:
		_make_environment()


# Somebody's environment stays as it is.
func _make_environment() -> void:
	if DirAccess.dir_exists_absolute(Command.ENVIRONMENT) and not _is_made_here():
		finished.emit(
			"res://.venv is not an environment with pip; remove it, and press Install again."
		)
	else:
		_try_next()


static func _is_made_here() -> bool:
	return FileAccess.file_exists(Command.ENVIRONMENT.path_join(_MARK))


func _try_next() -> void:
	if _left.is_empty():
		finished.emit(_why_not)
		return
	var python := _left[0]
	_left.remove_at(0)
	_start(python, ["-c", _CHECK % "venv, ensurepip"], _on_checked.bind(python))


func _on_checked(run: Run, python: String) -> void:
	if run.status == 0:
		told.emit("Making res://.venv…")
		var folder := ProjectSettings.globalize_path(Command.ENVIRONMENT)
		DirAccess.make_dir_recursive_absolute(folder)
		FileAccess.open(folder.path_join(_MARK), FileAccess.WRITE)
		_start(python, ["-m", "venv", folder], _on_made)
		return
	if run.status == _TOO_OLD:
		var facts := [python, run.output.strip_edges(), _NEEDED]
		_why_not = "%s is Python %s; install %s, and press Install again." % facts
	elif run.said.contains("ModuleNotFoundError"):
		_why_not = (
			(
				"%s cannot make virtual environments; install its module venv (the package python3-venv"
				+ " of Debian and Ubuntu), and press Install again."
			)
			% python
		)
	_try_next()


func _on_made(run: Run) -> void:
	var python := Command.in_environment("python")
	if run.status == 0 and python:
		_install(python)
	else:
		finished.emit("res://.venv cannot be made: %s" % run.problem())


func _install(python: String) -> void:
	told.emit("Installing…")
	var arguments: PackedStringArray = ["-m", "pip", "install", "--disable-pip-version-check"]
	arguments.append_array(["--no-input", "--progress-bar=off", wheel()])
	_start(python, arguments, _on_installed)
	_run.told.connect(func(line: String) -> void: told.emit(line.strip_edges()))


func _on_installed(run: Run) -> void:
	if run.status == 0:
		_hide_from_git()
		finished.emit("")
		return
	for word: String in _NO_NETWORK:
		if run.said.contains(word):
			(
				finished
				. emit(
					(
						"numpy and other packages cannot be downloaded: no connection to the package index."
						+ " Connect, and press Install again."
					)
				)
			)
			return
	finished.emit("The generator cannot be installed: %s" % run.problem().trim_prefix("ERROR: "))


func _hide_from_git() -> void:
	var path := Command.ENVIRONMENT.path_join(".gitignore")
	if _is_made_here() and not FileAccess.file_exists(path):
		var file := FileAccess.open(path, FileAccess.WRITE)
		if file:
			file.store_string("*\n")


func _start(program: String, arguments: PackedStringArray, ended: Callable) -> void:
	stop()
	_run = Run.new()
	add_child(_run)
	var run := _run
	run.finished.connect(func() -> void: ended.call(run))
	run.start(program, arguments)
