# Values of Godot as JSON's, and the arguments of a probe: a scene, further JSON, and where to answer.
extends Reference


# From a file: this Godot would run a scene of the command line beside the probe.
static func arguments() -> Array:
	return read("res://arguments.json")


static func read(path: String):
	var file := File.new()
	file.open(path, File.READ)
	return parse_json(file.get_as_text())


static func answer(path: String, value) -> void:
	var file := File.new()
	file.open(path, File.WRITE)
	file.store_string(to_json(plain(value)))
	file.close()


static func plain(value):
	match typeof(value):
		TYPE_VECTOR2:
			return [value.x, value.y]
		TYPE_RECT2:
			return [value.position.x, value.position.y, value.size.x, value.size.y]
		TYPE_DICTIONARY:
			var table := {}
			for key in value:
				table[str(key)] = plain(value[key])
			return table
		TYPE_ARRAY, TYPE_VECTOR2_ARRAY, TYPE_INT_ARRAY, TYPE_STRING_ARRAY:
			var list := []
			for item in value:
				list.append(plain(item))
			return list
		TYPE_NODE_PATH:
			return str(value)
	return value


static func type_name(value) -> String:
	var names := {
		TYPE_BOOL: "bool",
		TYPE_INT: "int",
		TYPE_REAL: "float",
		TYPE_STRING: "String",
		TYPE_VECTOR2: "Vector2",
		TYPE_RECT2: "Rect2",
		TYPE_DICTIONARY: "Dictionary",
		TYPE_ARRAY: "Array",
	}
	return names.get(typeof(value), "another")
