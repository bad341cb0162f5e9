extends RefCounted
## What keeps a file from being imported: the first problem stays, for the ones after it mostly
## follow from it. And what does not keep it, but should be known: warnings, each once.
##
## Every reader is handed one and returns early once it is [member found]; the importer prints it
## as one line.

## No more warnings than this are kept of a file.
const MOST_WARNINGS := 20

var text := ""
var found := false
var warnings: PackedStringArray = []
## Files that were looked for in vain: once they are there, it is worth another try.
var missing: PackedStringArray = []


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


## One line, whatever a file has put into it.
static func _line(file: String, place: String, what: String) -> String:
	var line := "%s: %s%s" % [file, place + ": " if place else "", what]
	return line.c_escape().replace('\\"', '"').replace("\\'", "'").left(600)
