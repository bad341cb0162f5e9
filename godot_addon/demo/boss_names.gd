extends RefCounted
## Names for bosses without a name in the level, by chapter.

const NAMES := {
	"cellar": ["Old Mother Cask", "The Cellarman", "Gristle", "Brother Mould"],
	"caverns": ["The Drip", "Blindmaw", "Queen of the Glowcaps", "Stalagmar"],
	"depths": ["The Sunken Prior", "Undertow", "The Gaoler of Fish", "Thousand Fathoms"],
}
const OTHERS := ["The Nameless"]


## The name of a boss: always the same for this level, and unique in it.
static func of(marker: UndercroftMarker, plan: UndercroftPlan) -> String:
	var names: Array = NAMES.get(str(plan.facts.get("chapter", "")), OTHERS)
	var bosses := plan.markers.filter(
		func(other: UndercroftMarker) -> bool: return other.kind == "boss"
	)
	var first := plan.fingerprint.hash()
	return marker.text("name", str(names[(first + bosses.find(marker)) % names.size()]))
