"""A body follows the navigation of a running level to each room and each key, opens all doors, and gets to the boss.

All flows and more seeds are in the soak: `python -m tests.soak --only walks`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import generator
from generator.level import Level
from tests.godot_addon.conftest import ADDON
from tests.godot_addon.play.walks import made, unfinished, write
from tests.godot_addon.rounds import Part, imported


@cache
def levels() -> dict[str, Level]:
    plan = {"locks": 2, "keys": "alike", "one_way": 1, "shortcuts": 1}
    return {
        **made(("metroid", "secrets", "switches"), 0),
        "grid": generator.generate("isaac", 4, stage=5, plan=plan),
    }


@imported
def walked(folder: Path) -> None:
    """Levels with abilities, secrets, levers, and on a grid with keys that are used up and two ways back."""
    write(folder, levels())


def test_a_body_gets_to_the_boss(walked: Part) -> None:
    """In `metroid`, past two one-way doors of one room: while it stands in one of them, the other stays as it is."""
    assert walked.said == []
    assert unfinished(walked, levels()) == []


def test_a_body_that_flies_crosses_pits(walked: Part) -> None:
    """On foot, it comes to the shore at most. The one that flies has the script of docs/godot.md."""
    text = (ADDON.parent / "docs/godot.md").read_text("utf-8")
    script = text.partition("## Navigation\n")[2].partition("```gdscript\n")[2].partition("```")[0]
    rest = "var looks_around := false\n\n\nfunc look_around() -> void:\n\tlooks_around = true\n"
    (walked.folder / "hunter.gd").write_text(f"{script}\n\n{rest}", "utf-8")
    ((on_foot, in_air, misfits, layers),) = walked.ask("over_pits.gd", "res://metroid-0.tscn")
    assert not on_foot and in_air
    assert misfits[0].startswith(
        "Undercroft: Slime reaches 10.0 px from its middle and gets stuck: the navigation of metroid-0 is for "
        "bodies that reach 6.0 px."
    )
    assert misfits[1] == ""
    assert layers == [[2, 2], [1, 1], [9, 9], [9, 9]]
