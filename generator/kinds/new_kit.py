"""The kit that `undercroft kit new` begins: a garden, with a note for each row."""

from __future__ import annotations

import re
from collections.abc import Mapping

from generator.kinds.kinds import MOST_NAME

_KIT = """\
# A kit: what levels hold, and by which rules, beside what ships with Undercroft. A spec names its folder:
#
#     kit = "{folder}"                     or on the command line: --set kit={folder}
#
# `undercroft check {folder}` tells every problem. docs/kits.md says what each key means.
name = "{name}"

# extends = "../other-kit"             # another kit, or "none"; without it, the shipped one
# without = ["room.arcade"]            # rows of the other kit that are not wanted

[room.garden]
glyph = ";"                            # its letter in `show --floorplan`
color = "#7bd389"                      # on the gallery's pages
icon = "G"                             # on the map: an icon of the theme, or a letter
door = "hedge"                         # the kind of its doors
off_the_way = true                     # no path leads through it
markers = {{ item = "1..", enemy = "0" }}
becomes = ["library"]                  # what a re-roll may make of it

[room.garden.gungeon]                  # what the style gungeon asks for
width = [9, 13]
height = [8, 11]

# When it comes, and where. Rules of a kit are placed after the shipped ones, with dice of their own.
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
// A pond in a garden. docs/layouts.md says what the letters mean; v is the fern of this kit.

map:
v...........v
.............
....v...v....
.....~~~.....
.....~~~..I..
....v...v....
v...........v
"""


def begun(folder: str) -> Mapping[str, str]:
    """The files of a new kit by their paths; `folder` is its name."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", folder).strip("-_")[:MOST_NAME] or "our-kit"
    return {
        "kit.toml": _KIT.format(name=name, folder=name),
        "layouts/garden/pond.txt": _LAYOUT,
    }
