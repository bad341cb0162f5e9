"""A folder as a team had it with version 0.2.0 builds, syncs, merges and opens with this version."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import undercroft

from exporters.builder import plan
from generator import pipeline
from tests.combinations import usually
from tests.upgrade.team import Team

EDITED = ("cellar-1.level.json", "cellar-1.tscn", "cellar-1.tmj", "cellar-1.ldtk", "cellar-2.ldtk")
# Whatever `import undercroft` gave to a script, a name a line.
NAMES = (Path(__file__).parent / "names-0.2.0.txt").read_text("utf-8").split()


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team(tmp_path)


@pytest.fixture(scope="module")
def unedited(tmp_path_factory: pytest.TempPathFactory) -> Team:
    """The folder as this version builds it without anybody's edits."""
    team = Team(tmp_path_factory.mktemp("unedited"))
    assert team.run("build HERE --edits replace --quiet").status == 0
    return team


def test_it_is_sound_as_it_is(team: Team) -> None:
    team.is_sound()
    team.succeeds("check HERE")


def test_what_changed_is_told_and_what_people_did_stays(team: Team) -> None:
    before = {name: (team.cellars / name).read_bytes() for name in EDITED}
    asked = team.run("build HERE --check")
    assert asked.status == 1 and all("differs from what the manifest gives" in line for line in asked.err)
    built = team.run("build HERE --quiet")
    assert built.status == 0
    for name in ("cellar-1", "cellar-2"):
        assert any(f"so all files of {name} stay; --edits merge" in line for line in built.err), name
    for name in EDITED:
        assert (team.cellars / name).read_bytes() == before[name]
    team.is_sound()
    assert team.run("build HERE --quiet").status == 0


@pytest.mark.parametrize(
    "commands",
    [
        ("sync HERE/levels/cellars", "build HERE --edits merge"),
        pytest.param(("build HERE --edits merge", "sync HERE/levels/cellars"), marks=pytest.mark.soak),
        pytest.param(
            (
                "build HERE",
                "build HERE --edits merge",
                "sync HERE/levels/cellars",
                "build HERE --edits merge",
            ),
            marks=pytest.mark.soak,
        ),
    ],
    ids=["sync-first", "merge-first", "offered-first"],
)
def test_edits_go_into_the_new_files(team: Team, commands: tuple[str, ...], unedited: Team) -> None:
    for command in commands:
        team.succeeds(command)
    team.is_sound()
    before, after = unedited.enemies("cellar-2"), team.enemies("cellar-2")
    assert (after - before, len(before - after)) == ({(29, 12)}, 1)  # one has moved, and no other
    assert team.run("sync HERE/levels/cellars").out == []


def test_what_people_did_is_put_aside_where_they_ask_for_it(team: Team) -> None:
    before = {(team.cellars / name).read_bytes() for name in EDITED}
    assert team.run("build HERE --edits replace").status == 0
    assert before <= {path.read_bytes() for path in team.cellars.iterdir()}
    assert team.run("check HERE").status == 0
    assert team.run("build HERE --check --json").status == 0


def test_a_clone_without_the_record_builds(team: Team) -> None:
    """The record is not in version control."""
    shutil.rmtree(team.folder / "levels" / ".undercroft")
    assert team.run("build HERE").status == 0
    team.is_sound()


NEXT = "9.9.0"


@pytest.fixture
def other_version(team: Team, monkeypatch: pytest.MonkeyPatch) -> Team:
    """The folder, after an upgrade to a version that makes other levels of all seeds."""

    def other(spec: undercroft.LevelSpec, seed: int | str, **given: Any) -> undercroft.Level:
        return generate(spec, int(seed) + 1000, **given)

    generate = pipeline.generate
    monkeypatch.setattr(plan, "VERSION", NEXT)
    monkeypatch.setattr("generator.pipeline.generate", other)
    return team


def fingerprints(folder: Path) -> dict[str, str]:
    levels = sorted(folder.rglob("*.level.json"))
    return {path.name: undercroft.load_level(path).fingerprint for path in levels if ".mine" not in path.name}


@pytest.mark.parametrize("gone", usually([".undercroft"], ["", ".undercroft", "vault/vault-3.level.json"]))
def test_levels_that_were_built_before_can_be_kept(other_version: Team, gone: str) -> None:
    team, folder = other_version, other_version.folder / "levels"
    before = fingerprints(folder)
    if gone == ".undercroft":
        shutil.rmtree(folder / gone)
    elif gone:
        (folder / gone).unlink()
    asked = team.run("build HERE --keep-levels --dry-run")
    assert asked.status == 0 and not any("another level" in line for line in asked.out)
    built = team.run("build HERE --keep-levels --json")
    assert built.status == 0 and fingerprints(folder) == before
    *events, summary = map(json.loads, built.out)
    edited = {"generated": 1} if gone == ".undercroft" else {}  # only the record has it before its edits
    groups = summary["groups"]
    assert (groups["cellars"], groups["vault"]) == ({"built": 2, **edited}, {"built": 1})
    # Version 0.2.0 did not say which of its kits' rows were the team's own.
    unsure = [event["group"] for event in events if "even if the rules or layouts" in event.get("said", "")]
    assert unsure == ["cellars"]
    team.is_sound()


def test_kept_levels_stay_in_later_builds_and_pass_the_check(other_version: Team) -> None:
    team, folder = other_version, other_version.folder / "levels"
    (folder.parent / "undercroft.toml").write_text(VAULT, "utf-8")
    before = fingerprints(folder)["vault-3.level.json"]
    assert team.run("build HERE --keep-levels --prune").status == 0
    later = VAULT.replace('"json"', '"json", "ldtk"')
    (folder.parent / "undercroft.toml").write_text(later, "utf-8")
    assert team.run("build HERE").status == 0
    assert fingerprints(folder)["vault-3.level.json"] == before
    assert before in (folder / "vault" / "vault-3.ldtk").read_text("utf-8")
    assert team.run("build HERE --check").status == 1
    shutil.rmtree(folder / ".undercroft")
    assert team.run("build HERE --check --keep-levels").status == 0


def test_what_was_changed_is_made_again_all_the_same(other_version: Team) -> None:
    team = other_version
    before = fingerprints(team.folder / "levels")["vault-3.level.json"]
    spec = team.folder / "specs" / "vault.toml"
    spec.write_text(f"{spec.read_text('utf-8')}\nroughness = 30\n", "utf-8")
    assert team.run("build HERE --keep-levels").status == 0
    assert fingerprints(team.folder / "levels")["vault-3.level.json"] != before
    refused = team.run("build HERE --keep-levels --force")
    assert refused.status == 2 and refused.err[0].startswith("undercroft: --force: makes all levels again")


VAULT = """out = "levels"
formats = ["json", "tiled"]

[group.vault]
spec = "specs/vault.toml"
seeds = [3]
theme = "look/plain.toml"
path = "{group}/vault-{seed}"
"""


def test_every_name_of_the_library_is_there() -> None:
    assert {name for name in NAMES if not hasattr(undercroft, name)} == set()
    assert set(NAMES) <= set(undercroft.__all__)


def test_the_teams_level_files_are_read(team: Team) -> None:
    for path in sorted((team.folder / "levels").rglob("*.level.json")):
        level = undercroft.load_level(path)
        assert undercroft.problems(level) == [], path
        assert level.to_dict()["seed"] == json.loads(path.read_bytes())["seed"]
