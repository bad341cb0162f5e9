extends RefCounted
## All that is chosen in the dock, and the command's arguments for it.

const _LAYOUT := "txt"
# A folder may be any, and hold everything that there is.
const _MOST_PATHS := 2000

## A preset's name, or a spec's path in the project.
var spec := ""
## As typed; empty for the spec's default.
var seed_text := ""
## What differs from the spec: key and text, as `--set` takes them.
var values: PackedStringArray = []
var formats: PackedStringArray = []
## What differs from the exporters' defaults, as `--option` takes it.
var options: PackedStringArray = []
## A theme's TOML in the project; empty for the one that is built in.
var theme := ""
## Folders that values name, such as a team's own layouts.
var folders: PackedStringArray = []
## The folder of the project that is written to.
var folder := ""
## The files' name; empty for the generator's own.
var name := ""


## To generate the files in the project.
func arguments() -> PackedStringArray:
	var given := _level()
	for format: String in formats:
		given.append("--to=" + format)
	for option: String in options:
		given.append("--option=" + option)
	given.append("--out=" + ProjectSettings.globalize_path(folder))
	if name:
		given.append("--name=" + name)
	return given + _spec()


## What the files that the level depends on hold: the spec, the theme, a team's own layouts. It is
## another text once somebody changes one.
func stamp() -> String:
	var found: PackedStringArray = []
	var paths: PackedStringArray = [spec, theme]
	paths.append_array(folders)
	var looked_at := 0
	while looked_at < mini(paths.size(), _MOST_PATHS):
		var path := paths[looked_at]
		looked_at += 1
		if FileAccess.file_exists(path):
			found.append("%s=%s" % [path, FileAccess.get_md5(path)])
		elif DirAccess.dir_exists_absolute(path):
			for name: String in DirAccess.get_directories_at(path):
				paths.append(path.path_join(name))
			for name: String in DirAccess.get_files_at(path):
				if name.get_extension() == _LAYOUT:
					paths.append(path.path_join(name))
	return ",".join(found)


## To draw the level into a folder outside of the project's files.
func preview_arguments(into: String) -> PackedStringArray:
	var given := _level()
	given.append_array(["--to=png", "--option=png.markers=true", "--out=" + into])
	return given + _spec()


func _level() -> PackedStringArray:
	var given: PackedStringArray = ["generate", "--json"]
	if seed_text:
		given.append("--seed=" + seed_text)
	for value: String in values:
		given.append("--set=" + value)
	if theme:
		given.append("--theme=" + ProjectSettings.globalize_path(theme))
	return given


# Last, behind the mark that no option follows.
func _spec() -> PackedStringArray:
	return ["--", ProjectSettings.globalize_path(spec)]
