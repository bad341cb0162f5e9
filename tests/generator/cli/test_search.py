from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from generator.cli import main


def test_a_slip_in_a_condition_is_shown_with_its_place_beside_the_results_not_among_them() -> None:
    done = CliRunner().invoke(main, ["search", "isaac", "--where", "rooms >> 3", "--seeds", "0:2"])
    assert done.exit_code == 2 and done.stdout == ""
    text, caret, *rest = done.stderr.splitlines()
    assert text.strip() == "rooms >> 3" and caret.strip() == "^"
    assert len(rest) == 1 and "--where: column " in rest[0]


def test_levels_meet_all_conditions_that_are_given() -> None:
    """Each condition is read by itself, so `or` in one of them does not let levels past another."""
    first, second = "dead_ends == 3 or dead_ends == 4", "rooms == 8"
    words = ["search", "isaac", "--seeds", "0:60", "--jobs", "1"]
    both, one, slip = (
        CliRunner().invoke(main, [*words, *(word for text in texts for word in ("--where", text))])
        for texts in (
            (first, second),
            (f"({first}) and {second}",),
            (second, "rooms == 3 # )", "loops == 2)"),
        )
    )
    assert both.exit_code == 0 and both.stdout == one.stdout and "dead_ends = 4" in both.stdout
    assert slip.exit_code == 2 and slip.stderr.splitlines()[0] == "loops == 2)"


def test_a_search_for_the_first_few_tells_the_seeds_up_to_the_last_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks end wherever they do. What is told, and kept in a file, does not depend on them."""
    words = ("isaac", "--set", "rooms=12", "--where", "rooms.boss.distance >= 5", "--seeds", "0:200")
    file = tmp_path / "kept.json"
    kept = (*words, "--jobs", "1", "--resume", str(file))
    two = _events(*words, "--first", "3", "--jobs", "2")
    assert two == _events(*words, "--first", "3", "--jobs", "1")
    monkeypatch.setattr("generator.styles.isaac.floorplan._MAX_TRIES", 1)
    hits, whole = _events(*words, "--jobs", "1")
    assert whole["found"] == len(hits) > 6 and whole["failed"] > 3
    for first in (3, 6):
        last = int(hits[first - 1]["seed"])
        events = _events(*kept, "--first", str(first))
        assert events[1]["seeds"] == json.loads(file.read_text())["next"] == last + 1
        assert events == _events(*words[:-1], f"0:{last + 1}", "--jobs", "1"), "as if it ended there"
    assert _events(*kept) == (hits, whole)
    assert _events(*kept, "--first", "3")[1]["seeds"] == int(hits[2]["seed"]) + 1


def _events(*words: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    lines = CliRunner().invoke(main, ["search", *words, "--json"]).stdout.splitlines()
    *hits, done = map(json.loads, lines)
    return hits, done
