extends RefCounted
## What keeps a file from being imported: the first problem stays, for the ones after it mostly
## follow from it. And what does not keep it, but should be known: warnings, each once.
##
## Every reader is handed one and returns early once it is [member found]; the importer prints it
## as one line.

const Problem := preload("problem.gd")

## No more warnings than this are kept of a file.
const MOST_WARNINGS := 20

var text := ""
var found := false
## Whether a flaw ends the import, as a problem does.
var strict := false
var warnings: PackedStringArray = []
## How many warnings there are beyond those that are kept.
var more := 0
## Files that were looked for in vain: once they are there, it is worth another try.
var missing: PackedStringArray = []


## Notes the problem: the file, the place in it (a key, a line, or nothing) and what is wrong with
## what to do.
func note(file: String, place: String, what: String) -> void:
	if not found:
		found = true
		text = _line(file, place, what)


## Notes what was left out or done in another way; the import goes on.
func warn(file: String, place: String, what: String) -> void:
	if warnings.size() < MOST_WARNINGS:
		_keep(_line(file, place, what))
	else:
		more += 1


## Notes what is wrong with a part of the file: a warning, or the end of a strict import.
func flaw(file: String, place: String, what: String) -> void:
	if strict:
		note(file, place, what)
	else:
		warn(file, place, what)


## Takes over what was noted of another file that this one needs: its problem is a flaw of this one.
func absorb(theirs: Problem) -> void:
	missing.append_array(theirs.missing)
	for line: String in theirs.warnings:
		_keep(line)
	if theirs.found and strict and not found:
		found = true
		text = theirs.text
	elif theirs.found and not strict:
		_keep(theirs.text)


func _keep(line: String) -> void:
	if not warnings.has(line):
		warnings.append(line)


## One line, whatever a file has put into it.
static func _line(file: String, place: String, what: String) -> String:
	var line := "%s: %s%s" % [file, place + ": " if place else "", what]
	return line.c_escape().replace('\\"', '"').replace("\\'", "'").left(600)
