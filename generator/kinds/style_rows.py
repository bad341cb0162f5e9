"""Settings of a room kind for one style: the tables `[room.NAME.STYLE]` of a kit."""

from __future__ import annotations

from generator.kinds.columns import Column, RowTable, choice, flag, name, number, span
from generator.kinds.style_names import GUNGEON, REBIRTH

FURNISHERS = ("quiet", "battle", "boss", "shop", "chest")
MAX_SIDE = 63  # tiles
MAX_WEIGHT = 3
SPEC_WORDS = ("start", "enemy", "boss", "shop", "chest")  # first words of the spec's keys

GUNGEON_ROOMS = RowTable(
    "room.NAME",
    "A room kind in `gungeon`: `[room.NAME.gungeon]`.",
    {
        "rooms": Column(span(0, 9_000), "`[least, most]`", "how many there are", (0, 0)),
        "width": Column(span(7, MAX_SIDE), "`[least, most]`", "its width in tiles, walls included", (9, 13)),
        "height": Column(
            span(7, MAX_SIDE), "`[least, most]`", "its height in tiles, walls included", (8, 11)
        ),
        "decor": Column(name, "a decor table", "its decor; none without this key", "", names="decor_table"),
        "furnisher": Column(
            choice(*FURNISHERS), "a furnisher", f"how it is furnished: {', '.join(FURNISHERS)}", "quiet"
        ),
        "least_side": Column(
            number(7, MAX_SIDE), "tiles", "the shortest side with which it can be furnished", 7
        ),
        "procedural_share": Column(
            number(0, 100), "percent", "how many are furnished by procedure even if a layout fits", 100
        ),
        "weight": Column(
            number(0, MAX_WEIGHT),
            f"0 to {MAX_WEIGHT}",
            "how late it is connected: rooms with a higher weight are dead ends more often",
            "1 for rooms off the way, else 0",
        ),
        "spec": Column(
            choice(*SPEC_WORDS),
            "a word",
            "`shop`: the spec's `shop_rooms`, `shop_width`, `shop_height` count; also "
            + ", ".join(f"`{word}`" for word in SPEC_WORDS if word != "shop"),
            "",
        ),
    },
)
REBIRTH_ROOMS = RowTable(
    "room.NAME",
    "A room kind in `rebirth`: `[room.NAME.rebirth]`.",
    {
        "narrow": Column(
            flag, "`true` or `false`", "some of its rooms are narrow: the spec's `closets`", False
        ),
    },
)
STYLE_TABLES = {GUNGEON: GUNGEON_ROOMS, REBIRTH: REBIRTH_ROOMS}
