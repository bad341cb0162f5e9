extends RefCounted
## What sources share that Godot imports one after the other, so that it is read once: TileSets,
## tilesets, images, digests. It is forgotten when Godot is idle again, before anything can change
## it, or when the things take too much memory: each may be an image of many megabytes.

const MOST := 256
# How much more memory may be in use than before, in bytes.
const _MOST_BYTES := 256 << 20

static var _kept: Dictionary = {}
# What was in use when nothing was kept.
static var _used_before := 0


static func keep(key: String, value: Variant) -> void:
	var is_full := _kept.size() >= MOST and not _kept.has(key)
	if is_full or _used() - _used_before > _MOST_BYTES:
		_kept.clear()
	if _kept.is_empty():
		_used_before = _used()
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


# Images are in the renderer's memory, and without a screen in Godot's own.
static func _used() -> int:
	var images := RenderingServer.get_rendering_info(
		RenderingServer.RENDERING_INFO_TEXTURE_MEM_USED
	)
	return OS.get_static_memory_usage() + images
