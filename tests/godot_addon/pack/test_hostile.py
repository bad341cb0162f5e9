"""A pack that is damaged, or lies, is refused in a line: in Godot and by `undercroft check`."""

from __future__ import annotations

import re

import pytest

from exporters.formats.pack.reader import problems
from tests.exporters.pack_files import damaged, hostile, small_pack

from .conftest import Packs

pytestmark = pytest.mark.xdist_group("pack")


def test_bad_packs_are_refused(packs: Packs) -> None:
    """No level of it is built, every line is ours, and no memory is spent on what it says it holds."""
    built, said = packs.hear("hostile.gd", "res://bad")
    assert built.pop("isaac.ucpack") == 3
    assert {name.removesuffix(".ucpack") for name in built} == set(packs.bad)
    assert {name: count for name, count in built.items() if count > 0} == {}
    told: dict[str, list[str]] = {}
    for line in said:
        if line.startswith("PACK "):
            here = told.setdefault(line.removeprefix("PACK "), [])
        elif line.startswith("MEMORY "):
            assert int(line.split()[1]) < 200 << 20
        elif "ERROR" in line:
            here.append(line)
    others = [
        line for lines in told.values() for line in lines if "ERROR: Undercroft: res://bad/" not in line
    ]
    assert others == []
    assert {name for name, lines in told.items() if not 1 <= len(lines) <= 3} == {"isaac.ucpack"}


def test_check_names_what_is_wrong(packs: Packs) -> None:
    path = small_pack(packs.folder / "own")
    assert problems(path) == []
    data = path.read_bytes()
    bad = packs.folder / "own" / "bad.ucpack"
    fine = {"class", "no-class", "object", "unknown", "other-type", "shapes", "missing"}  # Godot alone knows
    for name, changed in [*damaged(data), *hostile(data)]:
        bad.write_bytes(changed)
        found = problems(bad)
        assert name in fine or found, name
        assert all(re.fullmatch(r"[^\n]{5,200}", line) for line in found)
