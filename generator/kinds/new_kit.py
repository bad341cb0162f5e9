"""The kit that `undercroft kit new` writes: a garden, with a note for each row."""

from __future__ import annotations

import re
from collections.abc import Mapping

from generator.kinds.kinds import MOST_NAME

_KIT = """\
# A kit: what your levels can have, and their rules, in addition to the shipped kit. A spec gives its folder:
#
#     kit = "{folder}"                     or on the command line: --set kit={folder}
#
# `undercroft check {folder}` lists every problem. docs/kits.md explains each key.
name = "{name}"

# extends = "../other-kit"             # another kit, or "none"; without it, the shipped one
# without = ["room.arcade"]            # rows of the other kit to leave out

[room.garden]
glyph = ";"                            # its letter in `show --floorplan`
color = "#7bd389"                      # on the gallery's pages
icon = "G"                             # on the map: an icon of the theme, or a letter
door = "hedge"                         # the kind of its doors
off_the_way = true                     # it is a dead end: it has one door
markers = {{ item = "1..", enemy = "0" }}
becomes = ["library"]                  # what a re-roll can change it to

[room.garden.gungeon]                  # its settings in the style gungeon
width = [9, 13]
height = [8, 11]

# When it is placed, and where. Your rules come after the shipped ones, and have their own dice.
[special_room.garden]
chance = "1/3"
again = {{ chance = "1/2", when = "coins >= 10" }}
only = ["courage >= 2"]                # NAME, not NAME, NAME OP INTEGER
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
// A pond in a garden. docs/layouts.md explains the letters; v is the fern of this kit.

map:
v...........v
.............
....v...v....
.....~~~.....
.....~~~..I..
....v...v....
v...........v
"""


def begun(folder: str, first_line: str = "") -> Mapping[str, str]:
    """The files of a new kit, by path; `folder` is its name, and `first_line` a comment for editors."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", folder).strip("-_")[:MOST_NAME] or "our-kit"
    return {
        "kit.toml": first_line + _KIT.format(name=name, folder=name),
        "layouts/garden/pond.txt": _LAYOUT,
    }
