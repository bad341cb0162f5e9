extends RefCounted
## The enemy kinds, as a table.
##
## [code]habits[/code] names files of [code]habits/[/code]. [code]shots[/code] leave at once, in a
## fan towards the player, every [code]every[/code] seconds; [code]keep[/code] is the distance that
## it keeps, in px; [code]makes[/code] is the kind that it splits into or calls.

const KINDS := {
	"shambler": {"health": 9, "speed": 34.0},
	"cellar_rat": {"health": 5, "speed": 44.0, "habits": ["wander", "charge"]},
	"spitter": {"health": 7, "speed": 26.0, "keep": 70.0, "every": 1.6, "habits": ["shoot"]},
	"cellar_bat": {"flies": true, "health": 5, "speed": 46.0, "habits": ["wander"]},
	"cask_breaker": {"health": 18, "speed": 30.0, "scale": 1.2},
	"eye_stalk": {"health": 10, "speed": 0.0, "every": 1.8, "habits": ["shoot"]},
	"burrower": {"health": 9, "speed": 36.0, "habits": ["hide"]},
	"lantern_thrower":
	{"health": 8, "speed": 28.0, "keep": 60.0, "shots": 8, "every": 2.6, "habits": ["spray"]},
	"dust_moth":
	{"flies": true, "health": 6, "speed": 36.0, "keep": 50.0, "every": 2.2, "habits": ["shoot"]},
	"quartz_boar": {"health": 20, "speed": 28.0, "scale": 1.2, "habits": ["charge"]},
	"crystal_spire": {"health": 14, "speed": 0.0, "shots": 8, "every": 2.4, "habits": ["spray"]},
	"grave_leaper": {"health": 10, "speed": 30.0, "habits": ["leap"]},
	"bone_archer":
	{"health": 9, "speed": 30.0, "keep": 90.0, "shots": 2, "every": 1.6, "habits": ["shoot"]},
	"grave_caller":
	{
		"health": 14,
		"speed": 22.0,
		"keep": 100.0,
		"every": 5.0,
		"habits": ["summon"],
		"makes": "bone_servant"
	},
	"bone_servant": {"health": 3, "speed": 40.0, "scale": 0.8},
	"grave_light": {"flies": true, "health": 6, "speed": 40.0, "shots": 6, "habits": ["burst"]},
	"gaoler":
	{"health": 24, "speed": 28.0, "scale": 1.2, "shots": 3, "every": 2.6, "habits": ["shoot"]},
	"stone_mask": {"health": 16, "speed": 0.0, "shots": 3, "every": 2.0, "habits": ["shoot"]},
	"tar_blob": {"health": 12, "speed": 28.0, "habits": ["split"], "makes": "tar_drop"},
	"tar_drop": {"health": 3, "speed": 40.0, "habits": ["wander"]},
	"root_witch":
	{
		"health": 11,
		"speed": 26.0,
		"keep": 80.0,
		"shots": 2,
		"every": 1.8,
		"habits": ["shoot", "hide"]
	},
	"spore_drifter": {"flies": true, "health": 9, "speed": 32.0, "shots": 8, "habits": ["burst"]},
	"brood_mother":
	{
		"health": 28,
		"speed": 20.0,
		"scale": 1.3,
		"every": 4.5,
		"habits": ["summon"],
		"makes": "grub"
	},
	"grub": {"health": 3, "speed": 34.0, "scale": 0.8, "habits": ["wander"]},
	"spore_pod":
	{"health": 16, "speed": 0.0, "shots": 6, "every": 2.4, "habits": ["spray", "burst"]},
	"war_hound": {"health": 12, "speed": 46.0, "habits": ["charge"]},
	"arbalester":
	{"health": 12, "speed": 28.0, "keep": 100.0, "shots": 3, "every": 1.6, "habits": ["shoot"]},
	"gargoyle": {"flies": true, "health": 14, "speed": 40.0, "habits": ["charge"]},
	"iron_knight": {"health": 30, "speed": 32.0, "scale": 1.2, "habits": ["charge"]},
	"ballista": {"health": 18, "speed": 0.0, "shots": 4, "every": 1.8, "habits": ["shoot"]},
	"husk": {"health": 14, "speed": 36.0, "shots": 6, "habits": ["leap", "burst"]},
	"star_gazer":
	{
		"health": 14,
		"speed": 28.0,
		"keep": 80.0,
		"shots": 10,
		"every": 2.4,
		"habits": ["spray", "hide"]
	},
	"rift_eye":
	{"flies": true, "health": 14, "speed": 36.0, "shots": 8, "every": 2.2, "habits": ["spray"]},
	"abyss_hulk":
	{"health": 36, "speed": 28.0, "scale": 1.4, "habits": ["leap", "split"], "makes": "husk"},
	"dark_obelisk":
	{
		"health": 22,
		"speed": 0.0,
		"shots": 8,
		"every": 3.0,
		"habits": ["spray", "summon"],
		"makes": "grave_light"
	},
	# Roles, for enemies with unknown names, and ranks of bosses.
	"walker": {"health": 9, "speed": 38.0},
	"shooter": {"health": 7, "speed": 26.0, "keep": 70.0, "every": 1.6, "habits": ["shoot"]},
	"flyer": {"flies": true, "health": 6, "speed": 46.0},
	"brute": {"health": 20, "speed": 30.0, "scale": 1.2},
	"turret": {"health": 12, "speed": 0.0, "shots": 3, "every": 2.0, "habits": ["shoot"]},
	"mini":
	{
		"health": 45,
		"speed": 36.0,
		"scale": 1.4,
		"icon": "brute",
		"shots": 4,
		"every": 2.2,
		"habits": ["shoot"]
	},
	"boss":
	{
		"health": 90,
		"speed": 32.0,
		"scale": 2.0,
		"shots": 10,
		"every": 1.8,
		"habits": ["shoot"],
		"flies": true
	},
}


## The row of the first known name; if there is none, a walker's.
static func of(names: Array[String]) -> Dictionary:
	for name: String in names:
		if KINDS.has(name):
			var row: Dictionary = KINDS[name]
			return {"icon": name}.merged(row, true)
	return of(["walker"])
