"""`undercroft why`: how often the rows of a kit come, and the reasons, from the code that chooses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from generator.batch.why import merged, see_block
from generator.spec import load_spec
from tests.commands import undercroft
from tests.generator.kits.base import write_kit

ROWS = """
[room.cistern]
glyph = "|"
off_the_way = true

[special_room.cistern]
styles = ["isaac"]
only = ["stage >= 9"]
[special_room.crypt]
room = "cistern"
styles = ["isaac"]
chance = "0/1"
[special_room.cellar]
room = "cistern"
styles = ["isaac"]
must = true

[enemy.giant]
role = "walker"
cost = 9
[enemy.ghost]
role = "walker"
cost = 1
chapters = ["ossuary"]
[enemy.rat]
role = "walker"
cost = 1
"""
DRAWN = "map:\n" + "\n".join(["." * 13] * 7) + "\n"


def fates(folder: Path) -> dict[tuple[str, str], Any]:
    kit = write_kit(folder / "west", ROWS)
    for name in ("normal/any/easy/open", "cistern/one"):
        path = kit / "layouts" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(DRAWN)
    done = undercroft("why", "isaac", "--set", "kit=west", "--seeds", "1:7", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[-1]["event"] == "done" and events[-1]["levels"] == 6
    return {(event["table"], event["name"]): event for event in events[:-1]}


def test_reasons_are_those_of_the_code_that_chooses(tmp_path: Path) -> None:
    found = fates(tmp_path)
    told = {row: (event["levels"], event["why"]) for row, event in found.items()}
    assert told["special_room", "cistern"][1] == "its `only` does not hold"
    assert told["special_room", "crypt"][1] == "its `chance` did not come up"
    assert told["special_room", "cellar"] == (6, "")
    assert told["enemy", "ghost"] == (0, "is not of the level's chapter")
    assert told["enemy", "giant"] == (0, "two of it cost more than a room's budget")
    assert told["layout", "own/cistern/one"] == (6, "")
    assert "others were drawn there by chance" in told["layout", "own/normal/any/easy/open"][1]


def test_a_hub_waits_for_a_large_level_and_a_bare_layout_takes_no_loose_things(tmp_path: Path) -> None:
    """Both came "by chance" and "no room of that table came", though each level had such rooms."""
    table = "[decor_table.den.wall]\nchance = 90\nthings = { pot = 1 }\n"
    room = (
        '[room.den]\nglyph = ";"\n[room.den.gungeon]\nrooms = [1, 1]\nprocedural_share = 0\ndecor = "den"\n'
    )
    kit = write_kit(tmp_path / "west", room + table)
    for name, tag in (("normal/star", "hub"), ("den/one", "bare")):
        path = kit / "layouts" / f"{name}.txt"
        path.parent.mkdir(parents=True)
        path.write_text(f"exits: N any, E any, S any, W any\ntags: {tag}\n{DRAWN}")
    few = ("--set", "enemy_rooms=[5,5]", "--seeds", "1:3", "--json")
    done = undercroft("why", "gungeon", "--set", "kit=west", *few, cwd=tmp_path)
    told = {
        (event.get("table"), event.get("name")): event for event in map(json.loads, done.stdout.splitlines())
    }
    assert told["layout", "own/den/one"]["levels"] == 2
    assert "has the tag hub, and only one in 8 drawn rooms" in told["layout", "own/normal/star"]["why"]
    assert "layouts with the tag bare take none" in told["decor_table", "den.wall: pot"]["why"]


def test_reasons_do_not_depend_on_what_a_process_made_before(tmp_path: Path) -> None:
    """Not even those of choices that are cached."""
    rows = '[special_room.attic]\nroom = "shop"\nstyles = ["isaac", "rebirth"]\nonly = ["stage >= 9"]\n'
    kit = str(write_kit(tmp_path / "west", rows + ROWS[ROWS.index("[enemy.giant]") :]))
    for name in ("isaac", "rebirth", "gungeon"):
        spec = load_spec(name).replace({"kit": kit})
        whole = see_block((spec, range(1, 5)))
        assert whole.passed_over["enemy", "ghost"].total() > 9
        assert merged(see_block((spec, [seed])) for seed in range(1, 5)) == whole, name
