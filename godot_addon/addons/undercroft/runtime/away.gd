extends RefCounted
## Nodes that are out of the tree for a while, by the room or hallway that they belong to. They come
## back to where they were: below the same parent, in the same order, with the same owners, so that
## unique names and saved scenes still have them.

const PlanPart := preload("plan_part.gd")

# For each part, its nodes: the node, its parent, and the owners that it and nodes below it lost.
var _nodes: Dictionary = {}
# Where nodes are among their siblings, present or not, by instance id.
var _places: Dictionary = {}


## Takes a node out of the tree.
func take(node: Node2D, part: PlanPart) -> void:
	var parent := node.get_parent()
	if parent == null:
		return
	if not _places.has(node.get_instance_id()):
		_number(parent)
	var lost: Array = _nodes.get_or_add(part, [])
	lost.append([node, parent, _owners(node)])
	parent.remove_child(node)


## Puts the nodes of a part back. One whose parent is gone is freed; so is, if this [param is_last],
## one whose parent is about to be.
func bring(part: PlanPart, is_last := false) -> void:
	for entry: Array in _nodes.get(part, []):
		if not is_instance_valid(entry[0]):
			continue
		var node: Node2D = entry[0]
		if not is_instance_valid(entry[1]):
			node.free()
			continue
		var parent: Node = entry[1]
		if is_last and not parent.is_inside_tree():
			node.free()
			continue
		var place := _index(node, parent)
		parent.add_child(node)
		parent.move_child(node, place)
		var owners: Array = entry[2]
		_give_back(owners)
	_nodes.erase(part)


# The nodes from one down whose owner is above it, each with that owner.
static func _owners(top: Node) -> Array:
	var found: Array = []
	for node: Node in [top] + top.find_children("*"):
		if node.owner and node.owner != top and not top.is_ancestor_of(node.owner):
			found.append([node, node.owner])
	return found


static func _give_back(owners: Array) -> void:
	for pair: Array in owners:
		if is_instance_valid(pair[0]) and is_instance_valid(pair[1]):
			var node: Node = pair[0]
			var owner: Node = pair[1]
			if owner.is_ancestor_of(node):
				node.owner = owner


# Before the first sibling that comes after it.
func _index(node: Node, parent: Node) -> int:
	var place: float = _places[node.get_instance_id()]
	var low := 0
	var high := parent.get_child_count()
	while low < high:
		var middle := (low + high) / 2
		if _places.get(parent.get_child(middle).get_instance_id(), INF) < place:
			low = middle + 1
		else:
			high = middle
	return low


# Gives the children of a node that have no place yet one between those of their siblings.
func _number(parent: Node) -> void:
	for id: int in _places.keys():
		if not is_instance_id_valid(id):
			_places.erase(id)
	var before := 0.0
	var fresh: PackedInt64Array = []
	for child: Node in parent.get_children():
		var id := child.get_instance_id()
		if _places.has(id):
			var here: float = _places[id]
			_spread(fresh, before, here)
			before = here
			fresh.clear()
		else:
			fresh.append(id)
	# Behind all others, also those that are away.
	for place: float in _places.values():
		before = maxf(before, place)
	_spread(fresh, before, before + fresh.size() + 1.0)


func _spread(ids: PackedInt64Array, from: float, to: float) -> void:
	for i: int in ids.size():
		_places[ids[i]] = from + (to - from) * (i + 1) / (ids.size() + 1)
