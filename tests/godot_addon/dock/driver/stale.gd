@tool
extends RefCounted
## A person changes the seed faster than the generator answers; which picture is seen in the end.
##
## The command is a stand-in: its pictures have one colour each, and it answers when it is told to.

const Hands := preload("hands.gd")

var _hands: Hands


func play(hands: Hands) -> Dictionary:
	_hands = hands
	await _hands.until(func() -> bool: return _hands.find("Page").visible)
	await _hands.show_dock()
	await _hands.drawn()
	var seen := {"first": _colour()}
	# The first command is killed, but what it has started goes on and writes its picture.
	await _seed("orphan")
	await _hands.until(func() -> bool: return FileAccess.file_exists("res://orphan.started"))
	await _seed("after-orphan")
	await _hands.drawn()
	seen["after_orphan"] = _colour()
	# A large picture is unpacked while the next level turns out not to be possible.
	await _seed("large")
	await _hands.until(_is_unpacking)
	await _seed("impossible")
	await _hands.drawn()
	await _hands.until(func() -> bool: return not _is_unpacking())
	await _hands.frames(6)
	seen["impossible"] = _colour()
	seen["message"] = _hands.message()
	seen["is_dim"] = (_hands.find("Picture") as TextureRect).modulate.a < 1.0
	await _seed("none")
	await _hands.drawn()
	seen["none"] = [_hands.message(), (_hands.find("Picture") as TextureRect).modulate.a < 1.0]
	await _seed("last")
	await _hands.drawn()
	seen["last"] = _colour()
	seen["mended"] = _hands.message()
	# A spec's file is described late: something else was chosen by then, and stays.
	var picker := _hands.find("Spec") as OptionButton
	await _pick_file("res://specs/slow.toml")
	await _hands.choose(picker, "gungeon")
	var presets := picker.item_count
	FileAccess.open("res://slow.go", FileAccess.WRITE).close()
	await _hands.until(func() -> bool: return picker.item_count > presets)
	seen["chosen"] = picker.text
	await _pick_file("res://specs/wrong.toml")
	await _hands.until(func() -> bool: return _hands.message() != "")
	seen["wrong"] = [picker.text, _hands.message()]
	return seen


func _seed(text: String) -> void:
	var line := _hands.find("Text", _hands.find("Seed")) as LineEdit
	line.text = text
	line.text_changed.emit(text)
	await _hands.get_tree().process_frame


func _pick_file(path: String) -> void:
	await _hands.pick(_hands.find("SpecFile"), path)
	await _hands.get_tree().process_frame
	await _hands.get_tree().process_frame


func _is_unpacking() -> bool:
	var task: int = _hands.find("Preview").get("_task")
	return task >= 0


func _colour() -> String:
	var texture := (_hands.find("Picture") as TextureRect).texture
	return texture.get_image().get_pixel(0, 0).to_html(false) if texture else ""
