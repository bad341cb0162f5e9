"""The kit that `undercroft kit new` writes: a garden, with a note for each row."""

from __future__ import annotations

import re
from collections.abc import Mapping

from generator.kinds.kinds import MAX_NAME

_KIT = """\
# A kit adds room kinds, enemies and rules of your own to the shipped kit. A spec names its folder:
#
#     kit = "{folder}"                     or on the command line: --set kit={folder}
#
# `undercroft check {folder}` lists every problem. docs/kits.md explains each key.
name = "{name}"

# extends = "../other-kit"             # another kit to add to, or "none"; default: the shipped kit
# without = ["room.arcade"]            # rows of that kit to leave out

[room.garden]
glyph = ";"                            # its letter in `show --floorplan`
color = "#7bd389"                      # its colour on the gallery's pages
icon = "G"                             # its icon on the map: an icon of the theme, or a letter
door = "hedge"                         # the kind of its doors
off_the_way = true                     # it is a dead end: it has one door
markers = {{ item = "1..", enemy = "0" }}
becomes = ["library"]                  # the kinds that a re-roll can change it to

[room.garden.gungeon]                  # its settings in the style gungeon
width = [9, 13]
height = [8, 11]

# When and where it is placed. Your rules come after the shipped ones, and do not change their results.
[special_room.garden]
chance = "1/3"
again = {{ chance = "1/2", when = "coins >= 10" }}
only = ["courage >= 2"]                # conditions: NAME, not NAME, or NAME OP INTEGER
place = "dead_end"

[door.hedge]

[decor.fern]
glyph = "v"                            # its letter in layouts
walk = true
fly = true
shoot = true

[enemy.slug]
role = "walker"
cost = 2
chapters = ["cellar", "caverns"]

[state.courage]                        # a fact of your game: `--set state.courage=5`
range = [0, 10]
default = 2
help = "how brave the player is"
"""

_LAYOUT = """\
// A pond in a garden. docs/layouts.md explains the letters; v is this kit's fern.

map:
v...........v
.............
....v...v....
.....~~~.....
.....~~~..I..
....v...v....
v...........v
"""


def new_kit_files(folder: str, first_line: str = "") -> Mapping[str, str]:
    """Return the files of a new kit, by path, named after `folder`. `first_line` is a comment for editors."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", folder).strip("-_")[:MAX_NAME] or "our-kit"
    return {
        "kit.toml": first_line + _KIT.format(name=name, folder=name),
        "layouts/garden/pond.txt": _LAYOUT,
    }
