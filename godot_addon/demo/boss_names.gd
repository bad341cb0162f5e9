extends RefCounted
## Names of bosses that their level gives none, by the level's chapter.

const NAMES := {
	"cellar": ["Old Mother Cask", "The Cellarman", "Gristle", "Brother Mould"],
	"caverns": ["The Drip", "Blindmaw", "Queen of the Glowcaps", "Stalagmar"],
	"depths": ["The Sunken Prior", "Undertow", "The Gaoler of Fish", "Thousand Fathoms"],
}
const OTHERS := ["The Nameless"]


## The name of a boss: the same whenever this level is played, and not that of another in the level.
static func of(marker: UndercroftMarker, plan: UndercroftPlan) -> String:
	var names: Array = NAMES.get(str(plan.facts.get("chapter", "")), OTHERS)
	var bosses := plan.markers.filter(
		func(other: UndercroftMarker) -> bool: return other.kind == "boss"
	)
	var first := plan.fingerprint.hash()
	return marker.text("name", str(names[(first + bosses.find(marker)) % names.size()]))
