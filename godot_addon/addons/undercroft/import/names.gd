extends RefCounted
## Unique names for the nodes below one parent, without characters that have a meaning in paths.

const LONGEST := 200

var _taken: Dictionary = {}


## The name, followed by the first free number if it is taken.
func unique(wished: String) -> String:
	var base := wished.left(LONGEST).validate_node_name().strip_edges()
	if not base:
		base = "Node"
	var name := base
	var number: int = _taken.get(base, 0)
	while _taken.has(name):
		number += 1
		name = "%s_%d" % [base, number + 1]
	_taken[base] = number
	_taken.get_or_add(name, 0)
	return name
