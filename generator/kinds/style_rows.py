"""What one style alone knows of a room kind: the tables `[room.NAME.STYLE]` of a kit."""

from __future__ import annotations

from generator.kinds.columns import Column, RowTable, choice, flag, name, number, span
from generator.kinds.style_names import HEAP, REMAKE

FURNISHERS = ("quiet", "battle", "boss", "shop", "chest")
MOST_SIDE = 63  # tiles
MOST_WEIGHT = 3
SPEC_WORDS = ("start", "enemy", "boss", "shop", "chest")  # that values of its spec begin with

HEAP_ROOMS = RowTable(
    "room.NAME",
    "What `gungeon` knows of a room kind: `[room.NAME.gungeon]`.",
    {
        "rooms": Column(span(0, 9_000), "`[least, most]`", "how many there are", (0, 0)),
        "width": Column(span(7, MOST_SIDE), "`[least, most]`", "its width in tiles, walls included", (9, 13)),
        "height": Column(
            span(7, MOST_SIDE), "`[least, most]`", "its height in tiles, walls included", (8, 11)
        ),
        "decor": Column(
            name, "a decor table", "what stands in it; nothing if it is not given", "", names="decor_table"
        ),
        "furnisher": Column(
            choice(*FURNISHERS), "a furnisher", f"who furnishes it: {', '.join(FURNISHERS)}", "quiet"
        ),
        "least_side": Column(
            number(7, MOST_SIDE), "tiles", "the shortest side that it can be furnished with", 7
        ),
        "procedural_share": Column(
            number(0, 100), "percent", "how many are furnished although there are layouts for them", 100
        ),
        "weight": Column(
            number(0, MOST_WEIGHT),
            f"0 to {MOST_WEIGHT}",
            "how late it is connected: higher weights are dead ends more often",
            "1 off the way, else 0",
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
REMAKE_ROOMS = RowTable(
    "room.NAME",
    "What `rebirth` knows of a room kind: `[room.NAME.rebirth]`.",
    {
        "narrow": Column(
            flag, "`true` or `false`", "some of its rooms are narrow: the spec's `closets`", False
        ),
    },
)
STYLE_TABLES = {HEAP: HEAP_ROOMS, REMAKE: REMAKE_ROOMS}
