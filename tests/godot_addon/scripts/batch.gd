extends "probe.gd"
## Tells which of many large images a batch of imports still keeps, from the first to the last.

const Batch := preload("res://addons/undercroft/import/batch.gd")

const SIDE := 4096  # px: 64 MiB
const IMAGES := 8


func _initialize() -> void:
	var kept: Array = []
	for number: int in IMAGES:
		Batch.keep(str(number), Image.create_empty(SIDE, SIDE, false, Image.FORMAT_RGBA8))
	for number: int in IMAGES:
		kept.append(Batch.has(str(number)))
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(kept))
	file.close()
	quit()
