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
## Of the problem, what is wrong, without the file and the place.
var reason := ""
var found := false
## Whether a flaw ends the import, as a problem does.
var strict := false
## How many warnings there are beyond those that are kept.
var more := 0
## Files that were looked for in vain: once they are there, it is worth another try.
var missing: PackedStringArray = []

# The warnings that are kept, and how often each was met.
var _warnings: Dictionary = {}
# By what is wrong with a file, wherever in it: the warning that tells it first.
var _flaws: Dictionary = {}


## Notes the problem: the file, the place in it (a key, a line, or nothing) and what is wrong with
## what to do.
func note(file: String, place: String, what: String) -> void:
	if not found:
		found = true
		reason = what
		text = _line(file, place, what)


## Notes what was left out or done in another way; the import goes on.
func warn(file: String, place: String, what: String) -> void:
	_keep(_line(file, place, what))


## Notes a flaw that a placeholder can stand in for: the import goes on unless it is strict. What is
## wrong in many places is one warning, with the first of them.
func flaw(file: String, place: String, what: String) -> void:
	if strict:
		note(file, place, what)
		return
	var key := "%s: %s" % [file, what]
	if not _flaws.has(key):
		_flaws[key] = _line(file, place, what)
	var line: String = _flaws[key]
	_keep(line)


## Takes over what was noted of another file that this one needs: its problem is a flaw of this one.
func absorb(theirs: Problem) -> void:
	missing.append_array(theirs.missing)
	for line: String in theirs._warnings:
		var times: int = theirs._warnings[line]
		if not _warnings.has(line):
			_keep(line, times)
	more += theirs.more
	if theirs.found and strict and not found:
		found = true
		reason = theirs.reason
		text = theirs.text
	elif theirs.found and not strict and not _warnings.has(theirs.text):
		_keep(theirs.text)


## The warnings, with how often each was met.
func warnings() -> PackedStringArray:
	var lines: PackedStringArray = []
	for line: String in _warnings:
		var count: int = _warnings[line]
		lines.append(line if count == 1 else "%s (%d times)" % [line, count])
	return lines


func _keep(line: String, times := 1) -> void:
	if _warnings.has(line):
		_warnings[line] += times
	elif _warnings.size() < MOST_WARNINGS:
		_warnings[line] = times
	else:
		more += 1


## One line, whatever a file has put into it.
static func _line(file: String, place: String, what: String) -> String:
	var line := "%s: %s%s" % [file, place + ": " if place else "", what]
	return line.c_escape().replace('\\"', '"').replace("\\'", "'").left(600)
