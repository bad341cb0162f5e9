"""Half a character, as JSON's escapes can hold it: no file can have it, and one line says where it is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import exporters
from generator import generate
from generator.cli import main
from generator.errors import BadInput
from generator.level import Level

HALF = "sham\ud800bler"
WHY = r"'sham\ud800bler' is not valid Unicode; type it again"


def _odd(part: str) -> tuple[Level, str]:
    level = generate("isaac", 7)
    if part == "fact":
        return replace(level, facts={**level.facts, "mine": HALF}), "the level's facts: mine"
    if part == "room":
        rooms = (replace(level.rooms[0], name=HALF), *level.rooms[1:])
        return replace(level, rooms=rooms), f"room 0 ({HALF}, start at 32,11): name".replace(
            HALF, r"sham\ud800bler"
        )
    first, marker, *others = level.markers
    odd = replace(marker, properties={**marker.properties, "mine": HALF})
    return replace(level, markers=(first, odd, *others)), "marker 1 (enemy at 21,13): mine"


@pytest.mark.parametrize("part", ["marker", "room", "fact"])
def test_a_level_with_half_a_character_is_refused_in_one_line(part: str) -> None:
    level, place = _odd(part)
    with pytest.raises(BadInput) as error:
        exporters.export(level, "json", name="a")
    assert str(error.value) == f"a: {place}: {WHY}"


def test_a_map_with_half_a_character_is_refused_in_one_line(tmp_path: Path) -> None:
    exporters.export(generate("isaac", 7), ["json", "tiled"], name="a").write(tmp_path)
    path = tmp_path / "a.tmj"
    text, half = path.read_text("utf-8"), json.dumps(HALF)
    path.write_text(text.replace('"shambler"', half, 1), "utf-8")
    for words in (["sync", str(tmp_path)], ["import", str(path), "--out", str(tmp_path / "back")]):
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 2, done.output
        assert done.stderr == f"undercroft: a: marker 1 (enemy at 21,13): name: {WHY}\n"
