extends Node
## Starts a probe in a game that runs as its player starts it: given [code]-- --probe PATH
## JSON[/code], it adds the node of that script, with what the JSON says as its scenario.


func _ready() -> void:
	var arguments := OS.get_cmdline_user_args()
	if arguments.size() == 3 and arguments[0] == "--probe":
		var script: GDScript = load(arguments[1])
		var probe: Node = script.new()
		probe.set("scenario", JSON.parse_string(arguments[2]))
		add_child(probe)
