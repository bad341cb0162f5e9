"""Checks between the rows of a kit's rules: every name that they use must exist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from generator.errors import KitError, shown
from generator.kinds.chapters import MAX_CHAPTERS, Chapter
from generator.kinds.columns import KitNode, unknown, unknowns
from generator.kinds.conditions import STATE_NUMBERS, STATE_TRUTHS, unknown_facts
from generator.kinds.decor_tables import ANYTHING, BORDER, CLEAR, MIDDLE, ArrangementRow, things_drawn
from generator.kinds.gangs import gang_problems
from generator.kinds.kind_tables import HUNG, MANY
from generator.kinds.settings import MAX_WEIGHT, MOTIF_DRAWER, NUMBER_TABLES, STYLE_TABLES
from generator.kinds.special_room_checks import START, special_room_problems
from generator.kinds.style_names import GRIDS, GUNGEON, REBIRTH, style_problems

if TYPE_CHECKING:
    from generator.kinds.kind_tables import RoomKind
    from generator.kinds.kinds import Kinds
    from generator.kinds.rules import Rules


BOSS_TABLE = "boss"  # `[[rebirth.boss]]`, the only table of its kind
TORCH = "torch"
KEY = "key"
_GATES = ("open", "locked", "one_way", "barred")  # kinds of doors with a meaning of their own
_BOSS_SIDE = 15  # tiles of the shortest side of a room that the furnisher `boss` takes


def rule_problems(rules: Rules, kinds: Kinds) -> Iterator[str]:
    """Find everything that is wrong between the rows of a kit."""
    yield from special_room_problems(rules, kinds)
    yield from _chapter_problems(rules)
    yield from _rows_of_style_problems(rules)
    yield from _number_problems(rules, kinds)
    yield from _decor_problems(rules, kinds)
    yield from _hallway_problems(rules, kinds)
    yield from _carried_problems(rules, kinds)
    yield from _led_problems(rules, kinds)
    yield from _set_piece_problems(rules, kinds)
    yield from _injection_problems(rules, kinds)
    yield from _enemy_problems(rules, kinds)
    yield from gang_problems(rules, kinds)
    yield from room_problems(kinds)
    yield from _cost_problems(kinds)
    for room in kinds.rooms.values():
        yield from _style_problems(rules, kinds, room)


def _rows_of_style_problems(rules: Rules) -> Iterator[str]:
    """Check rows under a style's name, which must be a style with such rows."""
    for style, rows in rules.difficulties.items():
        label = f"difficulty.{style}"
        yield from style_problems([style], label, GRIDS)
        for row in rows:
            yield from unknown_facts(
                rules.known_facts, [condition.fact for condition in row.only], f"{label}.only"
            )
    for style in rules.crowd_styles:
        yield from style_problems([style], f"crowd.{style}", (GUNGEON,))
    for name in rules.boss_tables:
        if name != BOSS_TABLE:
            yield f"{REBIRTH}.{name}: unknown table; did you mean {REBIRTH}.{BOSS_TABLE}?"


def _carried_problems(rules: Rules, kinds: Kinds) -> Iterator[str]:
    """Check what rooms give a player: facts of the state, each with a value of its type."""
    known = [*sorted(STATE_NUMBERS | STATE_TRUTHS), *rules.facts]
    for kind, gifts in rules.carried.items():
        label = f"carried.{kind}"
        if kind not in kinds.rooms:
            yield unknown("room kind", kind, list(kinds.rooms), label)
        for gift in gifts:
            if not gift.chance.split("/")[0].isdigit():
                yield f"{label}.chance: {gift.chance!r} is not a chance of two numbers, such as 1/3"
            for key, facts in (("needs", gift.needs), ("gives", gift.gives), ("sets", gift.sets)):
                yield from unknown_facts(known, facts, f"{label}.{key}")
            for fact, amount in gift.gives.items():
                if fact in known and (amount is True) != (fact in STATE_TRUTHS):
                    remedy = "give true" if fact in STATE_TRUTHS else "give a number, or [least, most]"
                    yield f"{label}.gives.{fact}: {shown(amount)} does not fit; {remedy}"
            for fact in sorted(STATE_TRUTHS & gift.sets.keys()):
                yield f"{label}.sets.{fact}: is true or false; write gives = {{ {fact} = true }}"


def _led_problems(rules: Rules, kinds: Kinds) -> Iterator[str]:
    """Check the names in the rows of led levels, and that places suit what rooms get there."""
    for kind, rows in rules.led.items():
        label = f"led.{kind}"
        if kind not in kinds.rooms:
            yield unknown("room kind", kind, list(kinds.rooms), label)
        elif kind in (START, "boss"):
            yield f"{label}: the style places {kind} rooms itself; leave the row out"
        for row in rows:
            if row.beside and row.beside not in kinds.rooms:
                yield unknown("room kind", row.beside, list(kinds.rooms), f"{label}.place")
            if row.gives and kind in kinds.rooms:
                yield from _gift_problems(row.gives, kind, kinds, f"{label}.gives")
            if row.gives and row.place != "dead_end":
                yield f"{label}.gives: is for rooms at a dead_end, not {row.place}; leave one of the two out"
            if row.quiet_after and kind != "normal":
                yield f"{label}.quiet_after: is not for one kind of rooms; give it in [[led.normal]]"
            elif row.quiet_after and row.place != "on_the_way":
                yield f"{label}.quiet_after: is for rooms on_the_way, not at {row.place}; give that place"
            if not row.moves_rooms and (row.depth, row.apart) != ((0, 100), 1):
                key = "depth" if row.depth != (0, 100) else "apart"
                yield f"{label}.{key}: is for rows that say where rooms lie; leave it out of this one"
            if kind == "normal" and row.moves_rooms:
                yield f"{label}.place: normal rooms lie where no others do; give `gives` or `quiet_after`"


def _set_piece_problems(rules: Rules, kinds: Kinds) -> Iterator[str]:
    """Check the names in the rows of set pieces, and that rules can ask for one place only."""
    for name, row in rules.set_pieces.items():
        label = f"set_piece.{name}"
        yield from unknowns("chapter", row.chapters, list(rules.chapters), f"{label}.chapters")
        for number, room in row.rooms.items():
            if room["kind"] not in kinds.rooms:
                yield unknown("room kind", room["kind"], list(kinds.rooms), f"{label}.rooms.{number}.kind")
            elif room["kind"] in (START, "boss"):
                yield f"{label}.rooms.{number}.kind: the style places {room['kind']} itself; give another"
        if sum(row.needs.values()) - row.needs["normal"] > 1:
            yield f"{label}.rooms: has several rooms that are not normal; give only one of them a kind"


def _injection_problems(rules: Rules, kinds: Kinds) -> Iterator[str]:
    """Check the names in the rows of injections, and that each adds a room, or a marker to a room."""
    names = [row.name for row in rules.injections]
    for number, row in enumerate(rules.injections):
        label = f"injection.{row.name}"
        if row.along_with and row.along_with not in names[:number]:
            yield unknown("injection", row.along_with, names[:number], f"{label}.along_with")
        yield from unknowns("chapter", row.chapters, list(rules.chapters), f"{label}.chapters")
        yield from unknown_facts(rules.known_facts, (fact.fact for fact in row.only), f"{label}.only")
        key = f"{label}.room.kind" if row.room else f"{label}.into"
        if row.room and row.into:
            yield f"{label}.into: cannot be used with room, whose room gets the marker; leave one out"
        elif not row.kind:
            yield f"{label}: adds nothing; give room, or into with a marker"
        elif row.kind not in kinds.rooms:
            yield unknown("room kind", row.kind, list(kinds.rooms), key)
        elif row.room and (row.kind in (START, "boss") or kinds.rooms[row.kind].secret):
            yield f"{key}: {row.kind} rooms cannot be added; give another kind"
        elif row.marker:
            yield from _gift_problems(row.marker, row.kind, kinds, f"{label}.marker", is_injected=True)
        elif row.into or row.properties:
            yield f"{label}: has no marker; give one"


def _gift_problems(
    marker: str, room: str, kinds: Kinds, label: str, *, is_injected: bool = False
) -> Iterator[str]:
    """Check that a marker can be added to any room of a kind; injections need no row that allows it."""
    if marker not in kinds.markers:
        yield unknown("marker kind", marker, list(kinds.markers), label)
        return
    least, most = kinds.rooms[room].markers.get(marker, (0, MANY))
    if least == most and (most or not is_injected):
        count = f"just {most}" if most else "no"
        yield f"{label}: room.{room} has {count} {marker} markers by its row; give another marker kind"
    elif marker in _COME_WITH_OTHERS:
        yield f"{label}: {marker} markers come with what the room holds; give another marker kind"
    elif "floor" not in kinds.grounds_of(kinds.markers[marker]):
        yield f"{label}: {marker} markers cannot be on floor; give another marker kind"


def _enemy_problems(rules: Rules, kinds: Kinds) -> Iterator[str]:
    for enemy in kinds.enemies.values():
        row, label = kinds.tables["enemy"][enemy.name], f"enemy.{enemy.name}.chapters"
        if "chapter" in row and "chapters" in row:
            yield f"{label}: cannot be used with chapter, the first chapter; leave one out"
        if "chapters" in row and not row["chapters"]:
            yield f"{label}: is empty; leave the key out for all chapters"
        yield from unknowns("chapter", enemy.chapters, list(rules.chapters), label)


def _number_problems(rules: Rules, kinds: Kinds) -> Iterator[str]:
    known = {"room": list(kinds.rooms), "decor": list(kinds.decor_ids), "marker": list(kinds.markers)}
    for table in NUMBER_TABLES:
        names = list(table.names) or known[table.column.names]
        for name in rules.numbers[table.key]:
            if name not in names:
                subject = f"{table.column.names} kind" if table.column.names else table.key
                yield unknown(subject, name, names, f"{table.key}.{shown(name)[1:-1]}")


def _decor_problems(rules: Rules, kinds: Kinds) -> Iterator[str]:
    for name, row in rules.decor_tables.items():
        label = f"decor_table.{name}"
        for key, loose in row.items():
            if isinstance(loose, Mapping):
                for piece in loose.get("things", ()):
                    yield from _standing(piece, key, kinds, label, is_flat=key in ("growth", "wear"))
        for pair in row.get("rows", ()):
            for piece in pair:
                yield from _standing(piece, "rows", kinds, label)
    for piece in HUNG:
        if kinds.tables["decor"].get(piece, {}).get("glyph"):
            yield (f"decor.{piece}.glyph: {piece} hangs on walls and cannot be drawn on floor; remove glyph")
    for name, arrangement in rules.arrangements.items():
        yield from _arrangement_problems(name, arrangement, rules, kinds)


def _standing(piece: str, key: str, kinds: Kinds, label: str, *, is_flat: bool = False) -> Iterator[str]:
    """Check that a piece of decor can stand on floor, and lie flat where it must."""
    if piece not in kinds.decor_ids:
        yield unknown("piece of decor", piece, list(kinds.decor_ids), f"{label}.{key}")
    elif piece in HUNG:
        yield f"{label}.{key}: {piece} hangs on walls and cannot stand on floor; remove it"
    elif is_flat and not kinds.decor[kinds.decor_ids[piece]].is_flat:
        yield f"{label}.{key}: {piece} is in the way; name flat things of one tile"


def _arrangement_problems(name: str, row: ArrangementRow, rules: Rules, kinds: Kinds) -> Iterator[str]:
    label = f"arrangement.{name}"
    if not row.decor:
        yield f"{label}.decor: is empty, so it stands in no room; name decor tables"
    yield from unknowns("decor table", row.decor, list(rules.decor_tables), f"{label}.decor")
    yield from unknowns("chapter", row.chapters, list(rules.chapters), f"{label}.chapters")
    for piece in row.letters.values():
        yield from _standing(piece, "letters", kinds, label)
    if CLEAR in row.letters:
        yield f"{label}.letters: `{CLEAR}` is floor that stays clear; take another letter"
    for anchors, what, signs in (
        (("wall", "corner", "pillar", "pit"), "row", row.drawing[0]),
        (("corner",), "column", [line[0] for line in row.drawing]),
    ):
        if row.anchor in anchors and {*signs} == {ANYTHING}:
            yield f"{label}.drawing: its first {what} is blank and must touch what it stands at; remove it"
    yield from _focus_problems(row, kinds, label)
    for sign in dict.fromkeys("".join(row.drawing)):
        if sign in (CLEAR, ANYTHING) or sign in row.letters:
            continue
        glyph = kinds.glyphs.get(sign)
        if glyph is None or not glyph.decor or glyph.marker:
            known = " ".join(sorted((*row.letters, *kinds.decor_signs.values())))
            yield f"{label}.drawing: {shown(sign)} is no letter of decor; use {known}, or add it to letters"
            return
    yield from _overlaps(row, kinds, f"{label}.drawing")


def _focus_problems(row: ArrangementRow, kinds: Kinds, label: str) -> Iterator[str]:
    """Check the keys of an arrangement that each marker or door of a kind has."""
    for key, anchor, known in (
        ("at", "focus", (MIDDLE, *kinds.markers)),
        ("doors", "doorway", (BORDER, *kinds.doors)),
    ):
        yield from unknowns("name", getattr(row, key), known, f"{label}.{key}")
        if getattr(row, key) and row.anchor != anchor:
            yield f'{label}.{key}: is for anchor = "{anchor}"; set it, or remove {key}'
        if getattr(row, key) and row.one_in > 1:
            yield f"{label}.one_in: by `{key}`, it stands at each of them; leave one of the two out"
    if row.leads and row.anchor != "focus" and not row.doors:
        yield f'{label}.leads: is for anchor = "focus" and for doors; give one of them, or remove leads'
    elif row.leads:
        yield from _standing(row.leads, "leads", kinds, label, is_flat=True)
    if row.anchor == "focus":
        if not row.at:
            yield f"{label}.at: is missing; name the markers that it stands round"
        for size, what in ((len(row.drawing), "rows"), (len(row.drawing[0]), "columns")):
            if not size % 2:
                yield f"{label}.drawing: has {size} {what} and no middle; draw one more or less"


def _overlaps(row: ArrangementRow, kinds: Kinds, label: str) -> Iterator[str]:
    """Find things of several tiles that do not fit into the drawing, or lie over others."""
    if not kinds.decor_ids.keys() >= {*row.letters.values()}:
        return  # unknown things are told by their letters
    taken: set[tuple[int, int]] = set()
    for x, y, number in things_drawn(row, kinds):
        kind = kinds.decor[number]
        tiles = {(x + dx, y + dy) for dy in range(kind.height) for dx in range(kind.width)}
        if x + kind.width > len(row.drawing[0]) or y + kind.height > len(row.drawing):
            yield f"{label}: {kind.name} at {x},{y} covers {kind.width} x {kind.height} tiles; draw more"
        elif tiles & taken:
            yield f"{label}: {kind.name} at {x},{y} covers another thing; move one of them"
        taken |= tiles


def _hallway_problems(rules: Rules, kinds: Kinds) -> Iterator[str]:
    """Check that what hallways hold exists and can be there."""
    for row in rules.hallways:
        yield from unknowns("chapter", row.chapters, list(rules.chapters), f"hallway.{row.name}.chapters")
        for key in ("niches", "landing", "posts", "barricades", "runner", "litter", "walls"):
            label = f"hallway.{row.name}.{key}.things"
            for piece in getattr(row, key).get("things", {}):
                if piece not in kinds.decor_ids:
                    yield unknown("piece of decor", piece, list(kinds.decor_ids), label)
                    continue
                kind = kinds.decor[kinds.decor_ids[piece]]
                if piece in HUNG and key != "walls":
                    yield f"{label}: {piece} hangs on walls and cannot stand on floor; remove it"
                elif key == "walls" and (piece == TORCH or piece not in (*HUNG, "none")):
                    known = ", ".join(name for name in HUNG if name != TORCH)
                    yield f"{label}: {piece} does not hang on walls, or needs a light; choose from {known}"
                elif key in ("runner", "litter") and (not kind.walk or kind.hazard):
                    yield f"{label}: {piece} is in the way; give flat things that hurt nobody"
                elif key in ("runner", "litter", "barricades", "posts") and kind.width * kind.height > 1:
                    yield f"{label}: {piece} takes more than one tile; give smaller things"


def _style_problems(rules: Rules, kinds: Kinds, room: RoomKind) -> Iterator[str]:
    """Find what is wrong with the tables of single styles in a room kind's row."""
    for style, values in room.styles.items():
        label = f"room.{room.name}.{style}"
        if style not in STYLE_TABLES:
            yield from style_problems([style], label)
            continue
        try:
            row = STYLE_TABLES[style].read(KitNode(values, label))
        except KitError as error:
            yield str(error)
            continue
        if row.get("decor", "") and row["decor"] not in rules.decor_tables:
            yield unknown("decor table", row["decor"], list(rules.decor_tables), f"{label}.decor")
        sides = row.get("width", (9,))[0], row.get("height", (8,))[0]
        if room.off_the_way and row.get("weight") == 0:
            yield f"{label}.weight: 0 keeps no room off the way; give 1 to {MAX_WEIGHT}, or leave it out"
        if style == GUNGEON:
            yield from furnisher_problems(room, str(row.get("furnisher", "")), kinds, label)
            yield from _motif_problems(row, label)
        if row.get("furnisher") == "boss" and min(sides) < _BOSS_SIDE:
            size = f"{_BOSS_SIDE} x {_BOSS_SIDE}"
            yield f"{label}.width: the furnisher boss needs {size} tiles; give larger rooms"


def _motif_problems(row: Mapping[str, Any], label: str) -> Iterator[str]:
    """Check that somebody draws a room's motifs, and that one of them can come."""
    motifs = row.get("motifs", {})
    if motifs and row.get("furnisher") != MOTIF_DRAWER:
        yield f'{label}.motifs: are for furnisher = "{MOTIF_DRAWER}"; set it, or remove motifs'
    if "motifs" in row and not any(motifs.values()):
        yield f"{label}.motifs: none has a weight above 0; give none = 1 for rooms without one"


def _chapter_problems(rules: Rules) -> Iterator[str]:
    taken: dict[tuple[str, str], str] = {}
    mains = [row.name for row in rules.main_chapters]
    beside = {row.name: row.alternate_to for row in rules.chapters.values() if row.alternate_to}
    pools = list(dict.fromkeys(["any", *rules.chapters, *rules.shipped_chapters]))
    for name in mains[MAX_CHAPTERS:]:
        yield (
            f"chapter.{name}: stages have only {MAX_CHAPTERS} chapters; give replaces, or remove a chapter"
        )
    for row in rules.chapters.values():
        label = f"chapter.{row.name}.replaces"
        for key, names in (("bosses", row.bosses), ("mini_bosses", row.mini_bosses)):
            twice = (boss for boss, count in Counter(names).items() if count > 1)
            for boss in twice:
                yield f"chapter.{row.name}.{key}: {shown(boss)} is there twice; keep one"
        if row.replaces and row.replaces not in (*mains, *beside):
            yield unknown("chapter", row.replaces, [*mains, *beside], label)
        if row.alternate_to:
            yield from _beside_problems(row, beside, mains)
        yield from unknowns("chapter", row.districts, list(rules.chapters), f"chapter.{row.name}.districts")
        yield from unknowns("pool", row.pools, pools, f"chapter.{row.name}.pools")
        variant = row.variant if row.replaces else "main"
        first = taken.setdefault((row.replaces or row.name, variant), row.name)
        if first != row.name:
            yield f"{label}: chapter.{first} is already the {variant} of {row.replaces}; keep one"


def _beside_problems(row: Chapter, beside: Mapping[str, str], mains: list[str]) -> Iterator[str]:
    """Yield what is wrong with a chapter of the alternate path."""
    label = f"chapter.{row.name}.alternate_to"
    if row.replaces:
        yield f"{label}: a variant is on the path of the chapter that it replaces; remove it"
    if row.alternate_to not in mains:
        yield unknown("chapter", row.alternate_to, mains, label)
    first = next(name for name, main in beside.items() if main == row.alternate_to)
    if first != row.name:
        yield f"{label}: chapter.{first} is already alternate to {row.alternate_to}; keep one"


# --- between rooms, their doors and their markers ----------------------------------------------------

_OPEN = "open"
_BEGINS = "player_start"
_HIDE = ("secret", "red")  # the doors of secret rooms
_LIGHTS = frozenset({"fire", "torch"})  # markers that the generator places, one for each thing that burns
_COME_WITH_OTHERS = _LIGHTS | {"boss", "enemy", "key"}  # with fires, fights and locks

# The markers that each furnisher of `gungeon` adds to a room, and how many at least and at most.
_PUTS = {
    "battle": {"enemy": (0, MANY)},
    "boss": {"boss": (1, 1), "exit": (1, 1)},
    "shop": {"ware": (1, MANY)},
}


def room_problems(kinds: Kinds) -> Iterator[str]:
    """Find rooms that cannot be reached, or in which a player would start although they are not the start."""
    for name in _HIDE:
        if name in kinds.doors and not kinds.doors[name].is_secret and kinds.secret_rooms:
            label = f"door.{name}.secret"
            yield f"{label}: is the door of secret rooms; give secret = true"
    if _OPEN in kinds.secret_doors:
        yield f"door.{_OPEN}.secret: all rooms without a door kind have this door; leave secret out"
    for room in kinds.rooms.values():
        label = f"room.{room.name}"
        for door in dict.fromkeys(room.door or ()):
            if door in kinds.secret_doors and not room.secret and door != _OPEN:
                yield (
                    f"{label}.door: door.{door} is secret, so no path would lead to the room; give another "
                    f"door, or room.{room.name} secret = true"
                )
            if room.secret and door in kinds.doors and door not in kinds.secret_doors:
                yield (
                    f"{label}.door: door.{door} is in plain sight, but the room is secret; give "
                    f"door.{door} secret = true, or another door"
                )
        if room.name in (room.becomes or ()):
            yield f"{label}.becomes: contains room.{room.name} itself; give other kinds"
        for light in sorted(_LIGHTS & room.markers.keys()):
            yield f"{label}.markers: {light} markers come with what burns; remove {light} here"
        if room.name == START and room.markers.get(_BEGINS) != (1, 1) and _BEGINS in kinds.markers:
            yield f'{label}.markers: the player starts here; give {_BEGINS} = "1"'
        if room.name != START and room.markers.get(_BEGINS, (0, 0))[1]:
            yield f"{label}.markers: players start only in room.{START}; remove {_BEGINS} here"


def _cost_problems(kinds: Kinds) -> Iterator[str]:
    """Find doors whose costs cannot be paid, or that would shut up the start or the rooms with the keys."""
    for door in kinds.costs:
        label = f"door.{door}.needs"
        if KEY not in kinds.markers:
            yield f"{label}: the kit has no marker for the keys; add [marker.{KEY}]"
        if door in kinds.secret_doors:
            yield f"{label}: nobody pays at a door that is hidden; leave secret out"
        if door in _GATES:
            yield f"{label}: doors of this kind ask for what a flow or a plan says; give another kind of door"
        for room in kinds.rooms.values():
            if door in (room.door or ()) and (room.name in (START, "normal") or room.secret):
                why = "is secret" if room.secret else "holds the keys"
                yield f"{label}: is the door of room.{room.name}, which {why}; give that room another door"


def furnisher_problems(room: RoomKind, furnisher: str, kinds: Kinds, label: str) -> Iterator[str]:
    """Find markers that a furnisher puts into a room although its row forbids them. `label` is its table."""
    for marker, (fewest, most) in _PUTS.get(furnisher, {}).items():
        least, limit = room.markers.get(marker, (0, MANY))
        if marker in kinds.markers and (limit < most or least > max(fewest, most)):
            rule = "0.." if not fewest else "1.." if most == MANY else "1"
            yield (
                f"{label}.furnisher: {furnisher} puts {marker} markers into the room, which its row does not "
                f'allow; give room.{room.name} markers = {{ {marker} = "{rule}" }}, or another furnisher'
            )
