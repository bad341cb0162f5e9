extends RefCounted
## Whether a door starts shut, and whether it is secret: what its file says.
##
## A [code]level.json[/code] describes only the doors of a kit; files of older versions describe not
## even these, or say only [code]shut[/code]. There the door's kind decides, as in the shipped kit.
## Beside an older map, a newer Tiled project may give doors the other facts, with their defaults.

const ShippedDoors := preload("shipped_doors.gd")


## Whether the node of a door in a scene, or in an imported map, says that the door starts shut.
static func starts_shut(node: Node) -> bool:
	for fact: String in ["shut", "starts_shut"]:
		if node.has_meta(fact):
			return is_same(node.get_meta(fact), true)
	return kind_starts_shut(_kind_of(node))


## The same for being secret.
static func is_secret(node: Node) -> bool:
	if node.has_meta("secret") and not node.has_meta("shut"):
		return is_same(node.get_meta("secret"), true)
	return kind_is_secret(_kind_of(node))


static func kind_starts_shut(kind: String) -> bool:
	return kind in ShippedDoors.STARTS_SHUT


static func kind_is_secret(kind: String) -> bool:
	return kind in ShippedDoors.SECRET


static func _kind_of(node: Node) -> String:
	return str(node.get_meta("kind", "open"))
