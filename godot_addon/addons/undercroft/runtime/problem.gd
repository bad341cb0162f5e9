extends RefCounted
## The problem that prevents the import of a file: the first one, because later ones mostly follow
## from it. Also warnings, which do not prevent the import, each once.
##
## Every reader gets one and returns early once it is [member found]; the importer prints it as one
## line.

const Problem := preload("problem.gd")

## The most warnings kept per file.
const MAX_WARNINGS := 20

var text := ""
## What is wrong, without the file and the place.
var reason := ""
var found := false
## Whether a flaw ends the import, as a problem does.
var strict := false
## The number of warnings that were not kept.
var more := 0
## Files that were missing: once they exist, the import is worth another try.
var missing: PackedStringArray = []

# The kept warnings, and how often each occurred.
var _warnings: Dictionary = {}
# By the kind of flaw, at any place in a file: its first warning.
var _flaws: Dictionary = {}


## Notes the problem: the file, the place in it (a key, a line, or nothing), what is wrong, and what
## to do.
func note(file: String, place: String, what: String) -> void:
	if not found:
		found = true
		reason = what
		text = _line(file, place, what)


## Notes something that was left out or done differently; the import continues.
func warn(file: String, place: String, what: String) -> void:
	_keep(_line(file, place, what))


## Notes a flaw that a placeholder can replace: the import continues unless it is strict. The same
## flaw in many places is one warning, with the first place.
func flaw(file: String, place: String, what: String) -> void:
	if strict:
		note(file, place, what)
		return
	var key := "%s: %s" % [file, what]
	if not _flaws.has(key):
		_flaws[key] = _line(file, place, what)
	var line: String = _flaws[key]
	_keep(line)


## Adds the notes of another file that this one needs: its problem becomes a flaw of this one.
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


## The warnings, with how often each occurred.
func warnings() -> PackedStringArray:
	var lines: PackedStringArray = []
	for line: String in _warnings:
		var count: int = _warnings[line]
		lines.append(line if count == 1 else "%s (%d times)" % [line, count])
	return lines


func _keep(line: String, times := 1) -> void:
	if _warnings.has(line):
		_warnings[line] += times
	elif _warnings.size() < MAX_WARNINGS:
		_warnings[line] = times
	else:
		more += 1


## Always one line, whatever text comes from a file.
static func _line(file: String, place: String, what: String) -> String:
	var line := "%s: %s%s" % [file, place + ": " if place else "", what]
	return line.c_escape().replace('\\"', '"').replace("\\'", "'").left(600)
