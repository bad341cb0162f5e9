"""`undercroft reroll` as people and machines meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator import generate, reroll
from generator.cli import main
from generator.serialise import dumps


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def refused(*args: str | Path) -> str:
    done = run(*args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("undercroft: ") and done.stderr.count("\n") == 1
    return done.stderr


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "isaac-7.level.json"
    path.write_bytes(dumps(generate("isaac", 7)))
    return path


def test_over_the_file_and_nothing_beside_it(saved: Path) -> None:
    done = run("reroll", saved, "--room", 5, "--room", 2)
    made = reroll(generate("isaac", 7), room=[2, 5])
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        *(f"room {number}: {made.rooms[number].kind}, {made.rooms[number].layout}" for number in (2, 5)),
        str(saved),
    ]
    assert saved.read_bytes() == dumps(made)
    assert list(saved.parent.iterdir()) == [saved]


def test_into_another_file(saved: Path, tmp_path: Path) -> None:
    before = saved.read_bytes()
    out = tmp_path / "tries" / "a.json"
    done = run("reroll", saved, "--pin", 0, "--times", 2, "--seed", "spring", "--out", out, "--quiet")
    assert (done.exit_code, done.output) == (0, "")
    assert saved.read_bytes() == before
    assert out.read_bytes() == dumps(reroll(generate("isaac", 7), pin=0, times=2, seed="spring"))


def test_for_machines(saved: Path) -> None:
    done = run("reroll", saved, "--room", 1, "--what", "markers", "--json")
    told = json.loads(done.stdout)
    made = reroll(generate("isaac", 7), room=1, what="markers")
    assert told == {
        "event": "written",
        "fingerprint": made.fingerprint,
        "rooms": [{"id": 1, "kind": "normal", "layout": made.rooms[1].layout}],
        "stayed": [],
        "files": [str(saved)],
        "kept": [],
        "misfits": [],
        "edits": [],
    }


def test_rooms_that_can_be_nothing_else_are_reported(tmp_path: Path) -> None:
    """In the least of chest rooms there is place for one centrepiece, and for nothing beside it."""
    small = {f"chest_{side}": [9, 9] for side in ("width", "height")}
    level = generate("gungeon", 19, chest_rooms=[6, 6], enemy_rooms=[4, 4], **small)
    path = tmp_path / "small.json"
    path.write_bytes(dumps(level))
    done = run("reroll", path, "--pin", 0, "--json")
    told = json.loads(done.stdout)
    assert told["stayed"] and {level.rooms[room].kind for room in told["stayed"]} == {"chest"}
    rooms = ", ".join(map(str, told["stayed"]))
    assert (
        done.stderr
        == f"undercroft: {path}: these rooms can be nothing else, and stayed as they are: {rooms}\n"
    )
    assert "looks like this however it is rolled" in refused("reroll", path, "--room", told["stayed"][0])
    assert run("reroll", path, "--room", told["stayed"][0], "--what", "markers").exit_code == 0


def test_a_link_leads_to_the_file_that_is_written(saved: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(saved.name)
    assert run("reroll", link, "--room", 1).exit_code == 0
    assert link.is_symlink() and saved.read_bytes() == dumps(reroll(generate("isaac", 7), room=1))


def test_export_show_and_check_take_what_comes_out(saved: Path, tmp_path: Path) -> None:
    for style in ("isaac", "rebirth", "gungeon"):
        path = tmp_path / f"{style}.json"
        path.write_bytes(dumps(generate(style, 7)))
        assert run("reroll", path, "--pin", 0).exit_code == 0
        assert run("check", path).exit_code == 0
        assert run("show", path).exit_code == 0
        done = run("export", path, "--out", tmp_path / style)
        assert done.exit_code == 0, done.output
        assert (tmp_path / style / f"{style}.level.json").read_bytes() == path.read_bytes()
        for suffix in ("ldtk", "tmj"):
            done = run("check", tmp_path / style / f"{style}.{suffix}")
            assert done.exit_code == 0 or suffix == "tmj", done.output


def test_a_level_changed_by_hand_is_rolled_with_a_word(saved: Path) -> None:
    table = json.loads(saved.read_bytes())
    enemy = next(marker for marker in table["markers"] if marker["kind"] == "enemy" and marker["room"] != 5)
    enemy["properties"]["note"] = "by hand"
    saved.write_text(json.dumps(table), "utf-8")
    before = saved.read_bytes()
    assert refused("reroll", saved, "--room", 5) == refused("export", saved, "--out", saved.parent)
    assert saved.read_bytes() == before
    done = run("reroll", saved, "--room", 5, "--accept-edits")
    assert done.exit_code == 0
    assert done.stderr == (
        f"undercroft: {saved}: was changed by hand; the other rooms keep that, "
        "so it cannot be generated again\n"
    )
    assert "by hand" in saved.read_text("utf-8")
    assert run("check", saved).exit_code == 0
    assert run("reroll", saved, "--room", 5).stderr == ""


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "--room, --pin: give one of the two"),
        (["--room", "1", "--pin", "2"], "--room, --pin: give one of the two"),
        (["--room", "99"], "isaac-7.level.json: room: 99 is not a room of this level (0 to 8)"),
        (["--room", "x"], "--room: "),
        (["--room", "1", "--what", "walls"], "--what: "),
        (["--room", "1", "--times", "0"], "times: 0 is not a whole number from 1 to 1000"),
        (["--room", "1", "--seed", ""], "seed: "),
        (["--room", "7", "--what", "kind"], "room 7: stays boss: "),
        (["--room", "1", "--layouts", "none"], "layouts: "),
        (["--room", "1", "--out", "."], "--out: "),
        (["--room", "1", "--out", "a\\b.json"], "is not a name for a file"),
    ],
    ids=str,
)
def test_wrong_use_changes_nothing(args: list[str], says: str, saved: Path) -> None:
    before = saved.read_bytes()
    assert says in refused("reroll", saved, *args)
    assert saved.read_bytes() == before and list(saved.parent.iterdir()) == [saved]


def test_files_that_are_none(saved: Path, tmp_path: Path) -> None:
    assert "none.json: cannot be read" in refused("reroll", tmp_path / "none.json", "--room", 1)
    saved.write_text("{}", "utf-8")
    assert "format: is missing" in refused("reroll", saved, "--room", 1)


def test_where_nothing_can_be_written(saved: Path) -> None:
    before = saved.read_bytes()
    done = run("reroll", saved, "--room", 1, "--out", saved / "below.json")
    assert done.exit_code == 1 and "cannot be written" in done.stderr and done.stderr.count("\n") == 1
    assert saved.read_bytes() == before
