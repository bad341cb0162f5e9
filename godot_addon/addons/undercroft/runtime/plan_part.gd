extends RefCounted
## A part of a level's plan. The plan owns its parts; a part has only a weak reference to the plan,
## or neither would ever be freed.

## Its index in the plan's list.
var id := 0
## Its nodes in the level's scene, while these exist: a door has two if each room is a scene. Empty
## for a level that was read from a level.json.
var nodes: Array[Node2D] = []

var _plan: WeakRef


## Called by the plan that it is added to.
func belong_to(plan: WeakRef) -> void:
	_plan = plan


## The plan that it belongs to; null once the level is freed and nothing else refers to the plan.
func plan() -> UndercroftPlan:
	return _plan.get_ref() if _plan else null
