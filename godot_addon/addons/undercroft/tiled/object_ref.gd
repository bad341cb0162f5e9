extends RefCounted
## A reference to an object of the same map by id; it becomes a NodePath once all nodes exist.

var id := 0


func _init(of: int) -> void:
	id = of


## The value, with its references as NodePaths relative to [param from].
static func resolved(value: Variant, from: Node, nodes: Dictionary) -> Variant:
	if value is RefCounted:
		var reference: RefCounted = value
		var target: Node = nodes.get(reference.get("id"))
		return from.get_path_to(target) if target else NodePath()
	if value is Dictionary:
		var table: Dictionary = value
		var copy: Dictionary = {}
		for key: Variant in table:
			copy[key] = resolved(table[key], from, nodes)
		return copy
	if value is Array:
		var items: Array = value
		return items.map(func(item: Variant) -> Variant: return resolved(item, from, nodes))
	return value


static func is_in(value: Variant) -> bool:
	if value is RefCounted:
		return true
	if value is Dictionary:
		var table: Dictionary = value
		return table.values().any(is_in)
	if value is Array:
		var items: Array = value
		return items.any(is_in)
	return false
