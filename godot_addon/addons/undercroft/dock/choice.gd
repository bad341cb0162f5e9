extends RefCounted
## Everything chosen in the dock, as arguments for the command.

const _LAYOUT := "txt"
# Limits, because a chosen folder may contain anything.
const _MAX_PATHS := 2000

## A preset's name, or a spec's path in the project.
var spec := ""
## As typed; empty: the spec's default.
var seed_text := ""
## Changes to the spec: key and text, as for `--set`.
var values: PackedStringArray = []
var formats: PackedStringArray = []
## Changes to the exporters' defaults, as for `--option`.
var options: PackedStringArray = []
## A theme's TOML in the project; empty: the built-in theme.
var theme := ""
## Folders in values, such as a team's own layouts.
var folders: PackedStringArray = []
## The output folder in the project.
var folder := ""
## The name of the files; empty: chosen by the generator.
var name := ""


## The arguments to generate the files in the project.
func arguments() -> PackedStringArray:
	var given := _level()
	for format: String in formats:
		given.append("--to=" + format)
	for option: String in options:
		given.append("--option=" + option)
	given.append("--edits=merge")
	given.append("--out=" + ProjectSettings.globalize_path(folder))
	if name:
		given.append("--name=" + name)
	return given + _spec()


## A text that changes when a file changes that the level depends on: the spec, the theme, or a
## team's own layouts.
func stamp() -> String:
	var found: PackedStringArray = []
	var paths: PackedStringArray = [spec, theme]
	paths.append_array(folders)
	var looked_at := 0
	while looked_at < mini(paths.size(), _MAX_PATHS):
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


## The arguments to draw the level into a folder outside the project's files.
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


# Last, after the mark that ends the options.
func _spec() -> PackedStringArray:
	return ["--", ProjectSettings.globalize_path(spec)]
