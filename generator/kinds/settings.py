"""The tables of a kit that are not rows: numbers by key, names with a number each, and settings of styles."""

from __future__ import annotations

from generator.kinds.chapters import STAGES
from generator.kinds.columns import (
    Column,
    RowTable,
    choice,
    flag,
    name,
    number,
    numbers,
    percent,
    span,
    table,
)
from generator.kinds.kind_tables import DIFFICULTIES
from generator.kinds.style_names import GUNGEON, REBIRTH
from generator.named_tuple import NamedTuple

_share = number(0, 1000, "percent")

ENCOUNTERS = RowTable(
    "encounters",
    "How strong encounters are. Each key of your kit replaces the same key of the shipped kit.",
    {
        "stage": Column(
            numbers(STAGES, 0, 10_000), "points for a medium room with 100 free tiles, one number per stage"
        ),
        "difficulty": Column(
            table(_share, keys=choice(*DIFFICULTIES)),
            "percent of these points, by the room's difficulty",
            form="`{ easy = 92 }`",
        ),
        "way": Column(numbers(2, 0, 1000), "percent of these points near the start and in the furthest room"),
        "more_floor": Column(
            number(0, 10_000), "how many free tiles are added to those of each room", form="tiles"
        ),
        "champions": Column(
            numbers(6, 0, 10_000), "percent of the usual number of champions, one number per chapter"
        ),
        "ambush": Column(
            numbers(6, 0, 100), "percent of the rooms where some enemies arrive later, one number per chapter"
        ),
        "usual_cost": Column(numbers(6, 1, 100), "the cost of an enemy, for styles that only count enemies"),
    },
)
CHANCES = RowTable(
    "chances",
    "Chances that hold in every room unless a spec changes them.",
    {
        "champions": Column(percent, "how many enemies of the first chapter are champions"),
        "tinted_rocks": Column(percent, "how many rocks are tinted"),
        "red_fires": Column(percent, "how many fires are red"),
    },
)
HEAP_NUMBERS = RowTable(
    GUNGEON,
    "Numbers of `gungeon`: rooms that are furnished by procedure, and led levels.",
    {
        "symmetry": Column(percent, "how many floors are symmetric"),
        "floor": Column(
            number(1, 10_000), "the number of floor tiles that crowds are meant for", form="tiles"
        ),
        "two_ways": Column(
            percent,
            "for how many led levels a second path is looked for, to the room before the boss; not every "
            "heap has one: at 75, 54 % get it",
        ),
    },
)
SETTING_TABLES: tuple[RowTable, ...] = (ENCOUNTERS, CHANCES, HEAP_NUMBERS)

MOTIFS = ("none", "pillars", "strip", "split", "ring", "mound", "island")
_motif_weight = number(0, 1000)
SPOTS = ("any", "north", "corner")
TORCH_PLACES = BESIDE, ABOVE, NOWHERE = "beside", "above", "none"


class NumberTable(NamedTuple):
    """A table of names, each with a value: `column` reads the value, and `names` are the allowed names."""

    key: str
    help: str
    column: Column
    names: tuple[str, ...] = ()  # empty: the rows of the table `column.names`


NUMBER_TABLES: tuple[NumberTable, ...] = (
    NumberTable(
        "encounter_share",
        "Room kinds whose encounters have only a part of the budget.",
        Column(_share, "its share of the budget", names="room"),
    ),
    NumberTable(
        "motif",
        "How often each motif appears in enemy rooms of `gungeon` without a layout, unless their row has "
        "`motifs`.",
        Column(_motif_weight, "how often it appears, compared with the others", form="a weight"),
        MOTIFS,
    ),
    NumberTable(
        "decor_place",
        "Where along the walls a piece of decor is placed in rooms of `gungeon`; other decor can be "
        "anywhere.",
        Column(
            choice(*SPOTS),
            "`north`: with its back to the wall above it; `corner`: in a corner",
            form="`north` or `corner`",
            names="decor",
        ),
    ),
    NumberTable(
        "decor_tall",
        "Decor whose upper part a theme draws over the tile behind it. In rooms of `gungeon`, nothing that "
        "is meant to be seen is put there: no loose things, torches or banners.",
        Column(flag, "whether it hides the tile behind it", form="`true`", names="decor"),
    ),
    NumberTable(
        "marker_torches",
        "Where torches hang on the wall behind a marker in rooms of `gungeon`; those not listed: beside it.",
        Column(
            choice(*TORCH_PLACES),
            "`beside`: on both sides of it; `above`: right above it; `none`: nowhere",
            form="`above` or `none`",
            names="marker",
        ),
    ),
)


# --- settings of a room kind for one style: `[room.NAME.STYLE]` --------------------------------------

FURNISHERS = ("quiet", "battle", "boss", "shop", "chest")
MAX_SIDE = 63  # tiles
MAX_WEIGHT = 3
MOTIF_DRAWER = "battle"  # the furnisher that draws motifs
SPEC_WORDS = ("start", "enemy", "boss", "shop", "chest")  # first words of the spec's keys

GUNGEON_ROOMS = RowTable(
    "room.NAME",
    "A room kind in `gungeon`: `[room.NAME.gungeon]`.",
    {
        "rooms": Column(span(0, 9_000), "how many there are", (0, 0)),
        "width": Column(span(7, MAX_SIDE), "its width in tiles, walls included", (9, 13)),
        "height": Column(span(7, MAX_SIDE), "its height in tiles, walls included", (8, 11)),
        "decor": Column(
            name, "its decor; none without this key", "", form="a decor table", names="decor_table"
        ),
        "furnisher": Column(
            choice(*FURNISHERS), f"how it is furnished: {', '.join(FURNISHERS)}", "quiet", form="a furnisher"
        ),
        "motifs": Column(
            table(_motif_weight, keys=choice(*MOTIFS)),
            f"the weights of its motifs, for the furnisher `{MOTIF_DRAWER}`",
            {},
            form="`{ none = 1, island = 3 }`",
        ),
        "least_side": Column(
            number(7, MAX_SIDE), "the shortest side with which it can be furnished", 7, form="tiles"
        ),
        "procedural_share": Column(percent, "how many are furnished by procedure even if a layout fits", 100),
        "weight": Column(
            number(0, MAX_WEIGHT),
            "how late it is connected: rooms with a higher weight are dead ends more often",
            "1 for rooms off the way, else 0",
        ),
        "spec": Column(
            choice(*SPEC_WORDS),
            "`shop`: the spec's `shop_rooms`, `shop_width`, `shop_height` count; also "
            + ", ".join(f"`{word}`" for word in SPEC_WORDS if word != "shop"),
            "",
            form="a word",
        ),
    },
)
REBIRTH_ROOMS = RowTable(
    "room.NAME",
    "A room kind in `rebirth`: `[room.NAME.rebirth]`.",
    {
        "narrow": Column(flag, "some of its rooms are narrow: the spec's `closets`", False),
    },
)
STYLE_TABLES = {GUNGEON: GUNGEON_ROOMS, REBIRTH: REBIRTH_ROOMS}
