extends RefCounted
## A hallway: floor between two doors.

var id := 0
## The ids of the two doors at its ends, and of the rooms behind them.
var doors: PackedInt32Array = []
var rooms: PackedInt32Array = []
var tiles: Array[Vector2i] = []
