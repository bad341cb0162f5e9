"""A level.json that is odd anywhere and lies where one is written: it stays, and there is never a traceback."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from exporters.edits.digests import is_as_written, level_as_written
from generator.cli import main
from generator.serialise import dumps
from tests.exporters import small_level
from tests.hostile import shapes

GONE = object()


def odd_levels() -> list[dict[str, Any]]:
    table = small_level.fifteen_rooms().to_dict()
    found = []
    for *above, key in shapes(table):
        for odd in (GONE, None, [], {}, "x", 10**400, float("nan")):
            if odd == "x" and key == "generator_version":
                continue  # it may be any
            made = copy.deepcopy(table)
            holder = made
            for each in above:
                holder = holder[each]
            if odd is GONE:
                del holder[key]
            else:
                holder[key] = odd
            if made != table:
                found.append(made)
    return found


def test_no_odd_level_counts_as_written_by_the_generator(tmp_path: Path) -> None:
    path = tmp_path / "cellar.level.json"
    path.write_bytes(dumps(small_level.fifteen_rooms()))
    assert is_as_written(path)
    for table in odd_levels():
        path.write_text(json.dumps(table), "utf-8")
        assert not is_as_written(path), table
        assert level_as_written(path) is None


def test_a_level_without_a_version_stays_where_one_is_written(tmp_path: Path) -> None:
    table = small_level.fifteen_rooms().to_dict()
    del table["generator_version"]
    path = tmp_path / "a.level.json"
    path.write_text(json.dumps(table), "utf-8")
    before = path.read_bytes()
    args = ["generate", "isaac", "--to", "json", "--name", "a", "--out", str(tmp_path)]
    for edits, status in (("fail", 1), ("keep", 0), ("merge", 0)):
        done = CliRunner().invoke(main, [*args, "--edits", edits])
        stays = path if edits != "merge" else tmp_path / "a.level.mine.json"
        assert (done.exit_code, stays.read_bytes()) == (status, before), done.exception
        why = (
            "was changed by hand"
            if edits == "merge"
            else "already exists, and nothing says that Undercroft wrote it"
        )
        assert f"{path}: {why}" in done.stderr
