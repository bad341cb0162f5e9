## Values of Godot as JSON's. The arguments of a probe are a scene, further JSON, and where to answer.
extends RefCounted


static func arguments() -> PackedStringArray:
	return OS.get_cmdline_user_args()


static func read(path: String) -> Variant:
	return JSON.parse_string(FileAccess.get_file_as_string(path))


static func answer(path: String, value: Variant) -> void:
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_string(JSON.stringify(plain(value)))
	file.close()


static func plain(value: Variant) -> Variant:
	match typeof(value):
		TYPE_VECTOR2, TYPE_VECTOR2I:
			return [value.x, value.y]
		TYPE_RECT2I:
			return [value.position.x, value.position.y, value.size.x, value.size.y]
		TYPE_DICTIONARY:
			var table := {}
			for key: Variant in value:
				table[str(key)] = plain(value[key])
			return table
		TYPE_ARRAY, TYPE_PACKED_VECTOR2_ARRAY, TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_STRING_ARRAY:
			var list: Array = []
			for item: Variant in value:
				list.append(plain(item))
			return list
		TYPE_STRING_NAME, TYPE_NODE_PATH:
			return str(value)
	return value
