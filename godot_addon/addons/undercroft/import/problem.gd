extends RefCounted
## What keeps a file from being imported: the first problem stays, for the ones after it mostly
## follow from it. And what does not keep it, but should be known: warnings, each once.
##
## Every reader is handed one and returns early once it is [member found]; the importer prints it
## as one line.

## No more warnings than this are kept of a file.
const MOST_WARNINGS := 20

const Problem := preload("problem.gd")

var text := ""
var found := false
## Whether a flaw keeps the file from being imported, too.
var strict := false
var warnings: PackedStringArray = []
## Files that were looked for in vain: once they are there, it is worth another try.
var missing: PackedStringArray = []

# By what is wrong with a file: in how many places, and which warning says so.
var _flaws: Dictionary = {}


## Notes the problem: the file, the place in it (a key, a line, or nothing) and what is wrong with
## what to do.
func note(file: String, place: String, what: String) -> void:
	if found:
		return
	found = true
	text = _line(file, place, what)


## Notes what was left out or done in another way; the import goes on.
func warn(file: String, place: String, what: String) -> void:
	var line := _line(file, place, what)
	if warnings.size() < MOST_WARNINGS and not warnings.has(line):
		warnings.append(line)


## Notes a flaw that a placeholder can stand in for: the import goes on unless it is strict. What is
## wrong in many places is one warning, with the first of them.
func flaw(file: String, place: String, what: String) -> void:
	if strict:
		note(file, place, what)
		return
	var key := "%s: %s" % [file, what]
	if not _flaws.has(key):
		_flaws[key] = [0, warnings.size()]
		warn(file, place, what)
	_flaws[key][0] += 1


## Takes what keeps a part of the file from being read for a flaw of the whole.
func take(part: Problem) -> void:
	if part.found and strict and not found:
		found = true
		text = part.text
	elif part.found and warnings.size() < MOST_WARNINGS and not warnings.has(part.text):
		warnings.append(part.text)


## The warnings, with how often each was met.
func told() -> PackedStringArray:
	var lines := warnings.duplicate()
	for flaw: Array in _flaws.values():
		var count: int = flaw[0]
		var line: int = flaw[1]
		if count > 1 and line < lines.size():
			lines[line] += " (%d times)" % count
	return lines


## One line, whatever a file has put into it.
static func _line(file: String, place: String, what: String) -> String:
	var line := "%s: %s%s" % [file, place + ": " if place else "", what]
	return line.c_escape().replace('\\"', '"').replace("\\'", "'").left(600)
