extends RefCounted
## All that is chosen in the dock, and the command's arguments for it.

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
## A folder of the project.
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
