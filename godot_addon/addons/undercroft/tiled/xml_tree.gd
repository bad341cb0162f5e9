extends RefCounted
## An XML file as a tree of elements: name, attributes, children, text. Limited in depth and number;
## a wrong or missing end tag is a problem with its line.

const Problem := preload("../runtime/problem.gd")
const XmlTree := preload("xml_tree.gd")

const DEEPEST := 64
const MAX_ELEMENTS := 4_000_000
# Elements with a `tile` for each cell, of which only the gid counts.
const _CELLS: Array[String] = ["data", "chunk"]

var name := ""
var attributes: Dictionary = {}
var children: Array[XmlTree] = []
var text := ""
## The gids of the cells in a layer's data.
var gids: PackedFloat64Array
# The children by name, once they are asked for.
var _named: Dictionary


## The root of a file's text; null and a problem if it is not XML.
static func parse(file: String, source: String, problem: Problem) -> XmlTree:
	var parser := XMLParser.new()
	var top := XmlTree.new()
	# Without a last bracket, the parser would read past its buffer. White space after the bracket
	# makes it read the last element twice.
	var body := source.strip_edges()
	if not body.ends_with(">"):
		problem.note(file, "", "is not a complete XML file; is it cut off?")
		return null
	# XML normalises line endings.
	if body.contains("\r"):
		body = body.replace("\r\n", "\n").replace("\r", "\n")
	if parser.open_buffer(body.to_utf8_buffer()) != OK:
		problem.note(file, "", "is not XML")
		return null
	var open: Array[XmlTree] = []
	var above := top
	var count := 0
	while parser.read() == OK:
		var kind := parser.get_node_type()
		if kind == XMLParser.NODE_ELEMENT:
			count += 1
			if count > MAX_ELEMENTS or open.size() >= DEEPEST:
				problem.note(
					file, _line(parser), "has too many elements, or elements nested too deeply"
				)
				return null
			var tag := parser.get_node_name()
			var is_cell := tag == "tile" and _CELLS.has(above.name)
			if is_cell:
				above.gids.append(parser.get_named_attribute_value_safe("gid").to_float())
				if parser.is_empty():
					continue
			var made := XmlTree.new()
			made.name = tag
			var given := made.attributes
			for index: int in parser.get_attribute_count():
				given[parser.get_attribute_name(index)] = parser.get_attribute_value(index)
			if not is_cell:
				above.children.append(made)
			if not parser.is_empty():
				open.append(above)
				above = made
		elif kind == XMLParser.NODE_ELEMENT_END:
			if above.name != parser.get_node_name() or not open:
				var wrong := parser.get_node_name().left(40)
				problem.note(file, _line(parser), "</%s> closes no open element" % wrong)
				return null
			above = open.pop_back()
		elif kind == XMLParser.NODE_TEXT:
			above.text += parser.get_node_data()
		elif kind == XMLParser.NODE_CDATA:
			above.text += parser.get_node_name()
	if open:
		problem.note(file, "", "<%s> is never closed; is the file cut off?" % above.name.left(40))
		return null
	if top.children.size() != 1:
		problem.note(file, "", "must contain one element, not %d" % top.children.size())
		return null
	return top.children[0]


func all(wanted: String) -> Array:
	if _named.is_empty():
		for child: XmlTree in children:
			if not _named.has(child.name):
				_named[child.name] = []
			var same: Array = _named[child.name]
			same.append(child)
	return _named.get(wanted, [])


func first(wanted: String) -> XmlTree:
	if children.is_empty():
		return null
	var found := all(wanted)
	return found[0] if found else null


static func _line(parser: XMLParser) -> String:
	return "line %d" % (parser.get_current_line() + 1)
