@tool
extends RefCounted
## A person changes a spec and a layout in another program, and comes back to the editor.

const Hands := preload("hands.gd")


func play(hands: Hands) -> Dictionary:
	await hands.until(func() -> bool: return hands.find("Page").visible)
	await hands.show_dock()
	await hands.pick(hands.find("SpecFile"), "res://specs/own.toml")
	var picker := hands.find("Spec") as OptionButton
	await hands.until(func() -> bool: return picker.text == "own.toml")
	await hands.drawn()
	var preview := hands.find("Preview")
	var asked: Array = []
	for path: String in ["", "res://specs/own.toml", "res://specs/mine/a.txt", ""]:
		if path:
			var file := FileAccess.open(path, FileAccess.READ_WRITE)
			file.seek_end()
			file.store_string("# changed\n")
			file.close()
		var before: int = preview.get("_asked")
		hands.dock().notification(Node.NOTIFICATION_APPLICATION_FOCUS_IN)
		if path:
			await hands.until(
				func() -> bool:
					var now: int = preview.get("_asked")
					return now > before
			)
		await hands.drawn()
		var after: int = preview.get("_asked")
		asked.append(after - before)
	return {"asked": asked}
