extends RefCounted
## The doors of the shipped kit, for files that say only a door's kind. Written from
## generator/kinds/shipped/doors.toml by tests/godot_addon/play/test_unknown_kinds.py.

const STARTS_SHUT: PackedStringArray = ["locked", "secret", "red", "barred"]
const SECRET: PackedStringArray = ["secret", "red"]
