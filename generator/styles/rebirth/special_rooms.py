"""The special rooms that a level of the `rebirth` style may have: the rows of its kit that apply.

`stage_kernel.py` draws them.
"""

from __future__ import annotations

from functools import lru_cache

from generator.kinds import Kinds, Kit
from generator.kinds.chapters import VARIANTS
from generator.kinds.conditions import Facts
from generator.reasons import cached_unless_noted
from generator.styles.grid.special_rooms import (
    RerollRules,
    SpecialRoom,
    kind_row,
    rows_of,
    shares_of,
    state_facts,
)
from generator.styles.rebirth.spec import LATE, RebirthSpec

_HALF_HEART, _HEART = 1, 2  # health counts half hearts
_NO_BONES = ("the_lost", "blue_baby", "the_soul")
CLOSETS = ("IH", "IV")
_RED = 4  # the most red rooms round an ultra secret room


@lru_cache(maxsize=64)
def closet_kinds(kinds: Kinds) -> tuple[str, ...]:
    """List the kinds of room that may be narrow."""
    return tuple(name for name, row in kinds.rooms.items() if row.styles.get("rebirth", {}).get("narrow"))


def kinds_allowed(spec: RebirthSpec, labyrinth: bool, seed: int) -> dict[str, tuple[int, int]]:
    """Return the least and most special rooms of each kind that a level may have. Others cannot come."""
    most_bosses = bosses(spec) + labyrinth
    allowed = {"boss": (most_bosses, most_bosses)}
    for row in (*special_rooms(spec, labyrinth), *last_rooms(spec, stage_variant_number(spec, seed))):
        for kind in row.kinds():
            least, most = allowed.get(kind, (0, 0))
            allowed[kind] = least + row.must, most + 1
        if row.place == "ultra_secret":
            allowed["red"] = 0, _RED
    return allowed


def bosses(spec: RebirthSpec) -> int:
    """Count the boss rooms, without a labyrinth's second one."""
    return spec.void_bosses if spec.is_void else 1


def stage_variant_number(spec: RebirthSpec, seed: int) -> int:
    """Return the game's number for the stage's variant. 0 is the chapter itself."""
    return VARIANTS.index(spec.variant(seed))


def special_rooms(spec: RebirthSpec, labyrinth: bool) -> tuple[SpecialRoom, ...]:
    """List the rows, except the last ones, that use the game's dice and apply under `spec`, in order."""
    rows = _rows(spec, labyrinth, False, spec.load_kit())
    return rows[: _first_of_last(rows)]


def last_rooms(spec: RebirthSpec, variant: int) -> tuple[SpecialRoom, ...]:
    """List the rows from the first secret room on: secret rooms, the grave and the ultra secret room."""
    rows = _rows(spec, False, variant == 0, spec.load_kit())
    return rows[_first_of_last(rows) :]


def own_rules(spec: RebirthSpec, labyrinth: bool, seed: int) -> tuple[SpecialRoom, ...]:
    """List the rules of a team's kit, with their own dice, that apply under `spec`."""
    kit = spec.load_kit()
    if kit.is_shipped:
        return ()
    main = spec.variant(seed) == VARIANTS[0]
    return rows_of(kit, spec.style, facts_of(spec, labyrinth, main), own_dice=True)


def _first_of_last(rows: tuple[SpecialRoom, ...]) -> int:
    places = [row.place in ("secret", "ultra_secret") for row in rows]
    return places.index(True) if True in places else len(rows)


@cached_unless_noted(256)
def _rows(spec: RebirthSpec, labyrinth: bool, main_chapter: bool, kit: Kit) -> tuple[SpecialRoom, ...]:
    return rows_of(kit, spec.style, facts_of(spec, labyrinth, main_chapter))


def facts_of(spec: RebirthSpec, labyrinth: bool, main_chapter: bool = False) -> Facts:
    """Return the facts for conditions."""
    state = spec.state
    return {
        **state_facts(spec),
        "main_chapter": main_chapter,
        "afterbirth": spec.edition != "rebirth",
        "afterbirth_plus": spec.knows_afterbirth_plus,
        "repentance": spec.is_repentance,
        "repentance_plus": spec.is_as_repentance_plus,
        "alternate_path": spec.alternate_path,
        "counted_stage": spec.seed_slot,
        "second_counted_stage": spec.seed_slot % 2 == 0,
        "mirror": spec.alternate_path and (spec.stage == 2 or (spec.stage == 1 and labyrinth)),
        "void": spec.is_void,
        "labyrinth": labyrinth,
        "shops": _below(spec.stage, state.silver_dollar) and state.victory_lap < 3,
        "treasures": _below(spec.stage, state.bloody_crown),
        "side_rooms": spec.stage < LATE or not spec.ends_special_rooms,
        "dice_rooms": spec.stage < (LATE if spec.ends_special_rooms else LATE + 1),
        "poor_health": _poor_health(spec),
        "planetarium": min(100, 1 + 20 * state.treasure_rooms_skipped + state.planetarium_bonus),
        "luna": state.luna,
        "voodoo_head": state.voodoo_head,
        "fragmented_card": state.fragmented_card,
        "victory_lap": state.victory_lap,
    }


def _below(stage: int, trinket: bool) -> bool:
    """Check whether the stage is in the first three chapters, or four with the trinket."""
    return stage < (9 if trinket else 7)


def _poor_health(spec: RebirthSpec) -> bool:
    state = spec.state
    containers = state.heart_containers
    if state.character not in _NO_BONES and spec.knows_afterbirth_plus:
        containers += _HEART * state.bone_hearts
    hurt = state.red_hearts <= _HALF_HEART and not state.soul_hearts
    return hurt or (not containers and state.soul_hearts <= _HEART)


# The difficulties that normal rooms of the `rebirth` style are drawn from.


_NO_SECOND_FLOORS = 9  # from this stage on, a chapter has no second floor


def difficulties_of(spec: RebirthSpec, curse: str) -> dict[str, int]:
    """Return the difficulties of a level's normal rooms by name, easiest first, and the share of each."""
    labyrinth = curse == "labyrinth"
    facts = {**facts_of(spec, labyrinth), "first_floor": _is_first_floor(spec, labyrinth)}
    return dict(shares_of(spec.load_kit().rules, spec.style, facts))


def _is_first_floor(spec: RebirthSpec, labyrinth: bool) -> bool:
    """Check whether it is a chapter's first floor. Repentance counts an only floor as the second."""
    if labyrinth or spec.stage >= _NO_SECOND_FLOORS:
        return not spec.is_repentance
    return spec.stage % 2 == 1


def _has_shape(spec: RebirthSpec, kinds: Kinds, kind: str, shape: str) -> bool:
    """Check a shape: closets may be narrow if the spec has any, and a kit's kind has its own shapes."""
    if kind in closet_kinds(kinds):
        return shape == "1x1" or (shape in CLOSETS and spec.narrow_rooms > 0)
    return shape == "1x1" or kinds.room(kind).has_shapes


REROLLS = RerollRules(
    shares=difficulties_of,
    rows=lambda spec, labyrinth: [kind_row(row) for row in special_rooms(spec, labyrinth)],
    own_rules=own_rules,
    has_shapes=True,
    has_shape=_has_shape,
    why_normal="",
)
