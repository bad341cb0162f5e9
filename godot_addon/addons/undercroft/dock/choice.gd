extends RefCounted
## Everything chosen in the dock, as arguments for the command.

## What is written: one level, those of several seeds, or a run.
enum Series { ONE, SEEDS, RUN }

const _READ: PackedStringArray = ["txt", "toml"]
# Limits, because a chosen folder may contain anything.
const _MAX_PATHS := 2000

## A preset's name, or a spec's path in the project.
var spec := ""
## As typed; empty: the spec's default.
var seed_text := ""
var default_seed := ""
var series := Series.ONE
## How many seeds, for several.
var count := 1
## Changes to the spec: key and text, as for `--set`.
var values: PackedStringArray = []
var formats: PackedStringArray = []
## Changes to the exporters' defaults, as for `--option`.
var options: PackedStringArray = []
## A theme's TOML in the project; empty: the built-in theme.
var theme := ""
## Files and folders in values, such as a team's own layouts.
var paths: PackedStringArray = []
## The output folder in the project.
var folder := ""
## The name of the files; empty: chosen by the generator.
var name := ""


## Why these levels cannot be made; "" if the generator is to say.
func problem() -> String:
	if (
		series == Series.SEEDS
		and not (_first_seed().is_valid_int() and _first_seed().length() < 19)
	):
		return "Several seeds begin at a number; %s is none." % _first_seed()
	return ""


## The arguments to generate the files in the project.
func arguments() -> PackedStringArray:
	var first := _first_seed().to_int()
	var seeds: PackedStringArray = ["--seeds=%d:%d" % [first, first + count]]
	var given := _level(
		"run" if series == Series.RUN else "generate", seeds if series == Series.SEEDS else _seed()
	)
	for format: String in formats:
		given.append("--to=" + format)
	for option: String in options:
		given.append("--option=" + option)
	given.append("--edits=merge")
	given.append("--out=" + ProjectSettings.globalize_path(folder))
	if name and series != Series.RUN:
		given.append("--name=" + name)
	return given + _spec()


## A text that changes when a file changes that the level depends on: the spec, the theme, or a
## team's own flow, kit or layouts.
func stamp() -> String:
	var found: PackedStringArray = []
	var left: PackedStringArray = [spec, theme]
	left.append_array(paths)
	var looked_at := 0
	while looked_at < mini(left.size(), _MAX_PATHS):
		var path := left[looked_at]
		looked_at += 1
		if FileAccess.file_exists(path):
			found.append("%s=%s" % [path, FileAccess.get_md5(path)])
		elif DirAccess.dir_exists_absolute(path):
			for name: String in DirAccess.get_directories_at(path):
				left.append(path.path_join(name))
			for name: String in DirAccess.get_files_at(path):
				if name.get_extension() in _READ:
					left.append(path.path_join(name))
	return ",".join(found)


## The arguments to draw the level into a folder outside the project's files.
func preview_arguments(into: String) -> PackedStringArray:
	var given := _level("generate", _seed())
	given.append_array(["--to=png", "--option=png.markers=true", "--out=" + into])
	return given + _spec()


func _first_seed() -> String:
	return seed_text if seed_text else default_seed


func _seed() -> PackedStringArray:
	return ["--seed=" + seed_text] if seed_text else []


func _level(command: String, seeds: PackedStringArray) -> PackedStringArray:
	var given: PackedStringArray = [command, "--json"]
	given.append_array(seeds)
	for value: String in values:
		given.append("--set=" + value)
	if theme:
		given.append("--theme=" + ProjectSettings.globalize_path(theme))
	return given


# Last, after the mark that ends the options.
func _spec() -> PackedStringArray:
	return ["--", ProjectSettings.globalize_path(spec)]
