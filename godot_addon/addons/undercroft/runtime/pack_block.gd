extends RefCounted
## A block of a pack: tables shared by several scenes, and the rows and cells of each.

const PackBlock := preload("pack_block.gd")
const PackForm := preload("pack_form.gd")

const _MAX := {"forms": 4096, "palettes": 1024, "rows": 1024, "cells": 1024}

var forms: Array[PackForm] = []
## The step numbers of all forms, and the least number of numbers in a row of each.
var steps := 0
var most_numbers := 2
var values: Array = []
## The size in bytes of each value that rows get copies of.
var value_sizes: PackedInt32Array = []
## Pairs of type and path, and their resources.
var files: PackedStringArray = []
var resources: Array[Resource] = []
var rows: Array[PackedByteArray] = []
## Where the rows of each scene end. Zeros follow, as many as a row can read without a check.
var ends: PackedInt32Array = []
var cells: Array[PackedByteArray] = []
## For each palette, the halves of its tiles' data, by the byte of a cell.
var low: Array[PackedInt32Array] = []
var high: Array[PackedInt32Array] = []


## The block in a table; null if the table is not valid. [param known] as in PackForm.
static func read(table: Dictionary, known: Dictionary) -> PackBlock:
	for key: String in ["forms", "values", "rows", "cells", "palettes"]:
		if not table.get(key) is Array:
			return null
		var list: Array = table[key]
		if list.size() > _MAX.get(key, list.size()):
			return null
	if not table.get("files") is PackedStringArray:
		return null
	var block := PackBlock.new()
	block.values = table["values"]
	block.files = table["files"]
	return block if block._take(table, known) else null


func _take(table: Dictionary, known: Dictionary) -> bool:
	var lists: Array = table["forms"]
	for list: Variant in lists:
		var form := PackForm.read(list, known)
		if form == null or form.file >= files.size() / 2:
			return false
		form.first_step = steps
		steps += form.steps
		most_numbers = maxi(most_numbers, form.least)
		forms.append(form)
	for value: Variant in values:
		var is_copied := value is Array or value is Dictionary
		value_sizes.append(var_to_bytes(value).size() if is_copied else 0)
	var tiles: Array = table["palettes"]
	for palette: Variant in tiles:
		if not palette is PackedInt64Array:
			return false
		var numbers: PackedInt64Array = palette
		_add_palette(numbers)
	var fits := files.size() % 2 == 0
	var row_streams: Array = table["rows"]
	var cell_streams: Array = table["cells"]
	fits = fits and _streams(row_streams, rows) and _streams(cell_streams, cells)
	for stream: PackedByteArray in rows:
		ends.append(stream.size())
		stream.resize(stream.size() + 2 * most_numbers)
	return fits and rows.size() == cells.size()


static func _streams(from: Array, to: Array[PackedByteArray]) -> bool:
	for stream: Variant in from:
		if not stream is PackedByteArray:
			return false
		to.append(stream)
	return true


# One entry for every byte: unused numbers become a tile that no TileSet has.
func _add_palette(tiles: PackedInt64Array) -> void:
	var lower: PackedInt32Array = []
	var upper: PackedInt32Array = []
	lower.resize(256)
	upper.resize(256)
	lower.fill(0xFFFF)
	for i: int in mini(tiles.size(), 255):
		lower[i + 1] = tiles[i] & 0xFFFFFFFF
		upper[i + 1] = (tiles[i] >> 32) & 0xFFFFFFFF
	low.append(lower)
	high.append(upper)
