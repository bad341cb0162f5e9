extends RefCounted
## A part of a level's plan. The plan owns its parts; a part holds the plan weakly, or neither would
## ever be freed.

## Its place in the plan's list.
var id := 0

var _plan: WeakRef


## Called by the plan that takes it in.
func belong_to(plan: WeakRef) -> void:
	_plan = plan


## The plan that it belongs to; null once the level is freed and nobody else holds the plan.
func plan() -> UndercroftPlan:
	return _plan.get_ref() if _plan else null
