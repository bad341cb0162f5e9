extends "probe.gd"
## Asks a pack for levels and facts that it does not have: `PACK ANSWER`.


func _initialize() -> void:
	var pack := UndercroftPack.open(arguments[0])
	var last := pack.count
	var answer := {
		"levels": [pack.build(last) == null, pack.build(-1) == null],
		"of": [pack.seed_of(last), pack.facts_of(last), pack.fingerprint_of(-1)],
		"text": pack.find({"style": 0}),
		"fraction": pack.find({"rooms": 8.5}),
		"three": pack.find({"rooms": [1, 2, 3]}),
		"fact": pack.find({"room": 8}),
	}
	var file := FileAccess.open(arguments[-1], FileAccess.WRITE)
	file.store_string(JSON.stringify(answer))
	quit()
