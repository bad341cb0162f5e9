extends RefCounted
## What keeps a file from being imported: the first problem stays, for the ones after it mostly
## follow from it.
##
## Every reader is handed one and returns early once it is [member found]; the importer prints it
## as one line.

var text := ""
var found := false


## Notes the problem: the file, the place in it (a key, a line, or nothing) and what is wrong with
## what to do.
func note(file: String, place: String, what: String) -> void:
	if found:
		return
	found = true
	text = "%s: %s%s" % [file, place + ": " if place else "", what]
