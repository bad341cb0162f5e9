extends RefCounted
## What sources share that Godot imports one after the other, so that it is read once: TileSets,
## tilesets, images, digests. It is forgotten when Godot is idle again, before anything can change
## it, or when there are too many things: each may be an image of many megabytes.

const MOST := 256

static var _kept: Dictionary = {}


static func keep(key: String, value: Variant) -> void:
	if _kept.size() >= MOST and not _kept.has(key):
		_kept.clear()
	if _kept.is_empty():
		_forget.call_deferred()
	_kept[key] = value


static func has(key: String) -> bool:
	return _kept.has(key)


static func kept(key: String) -> Variant:
	return _kept.get(key)


## As [method kept], for a thing that is changed: it is shared again once it is kept again.
static func take(key: String) -> Variant:
	var value: Variant = _kept.get(key)
	_kept.erase(key)
	return value


## The digest of a file that no import writes; "" if it is missing.
static func digest(path: String) -> String:
	var key := "digest of " + path
	if not _kept.has(key):
		keep(key, FileAccess.get_md5(path) if FileAccess.file_exists(path) else "")
	return _kept[key]


static func _forget() -> void:
	_kept.clear()
