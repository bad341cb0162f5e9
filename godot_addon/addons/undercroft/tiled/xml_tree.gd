extends RefCounted
## An XML file as a tree of elements: name, attributes, children, text. Limited in depth and number;
## a wrong or missing end tag is a problem with its line.

const Problem := preload("../runtime/problem.gd")
const XmlTree := preload("xml_tree.gd")

const DEEPEST := 64
const MAX_ELEMENTS := 4_000_000

var name := ""
var attributes: Dictionary = {}
var children: Array[XmlTree] = []
var text := ""
# The children by name.
var _named: Dictionary = {}


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
	var open: Array[XmlTree] = [top]
	var count := 0
	while parser.read() == OK:
		var above: XmlTree = open.back()
		match parser.get_node_type():
			XMLParser.NODE_ELEMENT:
				count += 1
				if count > MAX_ELEMENTS or open.size() > DEEPEST:
					problem.note(
						file, _line(parser), "has too many elements, or elements nested too deeply"
					)
					return null
				var made := XmlTree.new()
				made.name = parser.get_node_name()
				for index: int in parser.get_attribute_count():
					made.attributes[parser.get_attribute_name(index)] = parser.get_attribute_value(
						index
					)
				above._add(made)
				if not parser.is_empty():
					open.append(made)
			XMLParser.NODE_ELEMENT_END:
				if above.name != parser.get_node_name() or open.size() == 1:
					var wrong := parser.get_node_name().left(40)
					problem.note(file, _line(parser), "</%s> closes no open element" % wrong)
					return null
				open.pop_back()
			XMLParser.NODE_TEXT, XMLParser.NODE_CDATA:
				var part := parser.get_node_data()
				if parser.get_node_type() == XMLParser.NODE_CDATA:
					part = parser.get_node_name()
				above.text += part
	if open.size() > 1:
		var last: XmlTree = open.back()
		problem.note(file, "", "<%s> is never closed; is the file cut off?" % last.name.left(40))
		return null
	if top.children.size() != 1:
		problem.note(file, "", "must contain one element, not %d" % top.children.size())
		return null
	return top.children[0]


func all(wanted: String) -> Array:
	return _named.get(wanted, [])


func first(wanted: String) -> XmlTree:
	var found := all(wanted)
	return found[0] if found else null


func _add(child: XmlTree) -> void:
	children.append(child)
	var same: Array = _named.get_or_add(child.name, [])
	same.append(child)


static func _line(parser: XMLParser) -> String:
	return "line %d" % (parser.get_current_line() + 1)
