"""`build -`: a manifest on standard input, and what a search found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator import generate
from generator.cli import main
from generator.serialise import dumps
from tests.folders import entries

MANIFEST = 'formats = ["json"]\n[group.a]\nspec = "isaac"\nseeds = [1]\n'
HIT = '{"event": "hit", "seed": "1"}\n'
SEARCH = ["search", "isaac", "--set", "stage=2", "--where", "rooms > 0", "--jobs", "1", "--json", "--seeds"]


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*words: str, sent: str = "") -> Result:
    return CliRunner().invoke(main, words, input=sent)


def build(sent: str, *words: str) -> Result:
    return run("build", "-", "--jobs", "1", *words, sent=sent)


def test_a_manifest_of_standard_input_is_that_of_a_file() -> None:
    assert run("check", "-", sent=MANIFEST).stderr == "undercroft: 1 file checked, no problems\n"
    assert build(MANIFEST).exit_code == 0
    Path("undercroft.toml").write_text(MANIFEST, "utf-8")
    done = run("build", "--json", "--jobs", "1")
    assert json.loads(done.stdout.splitlines()[-1])["groups"] == {"a": {"unchanged": 1}}
    (level,) = Path("build").rglob("*.level.json")
    assert level.read_bytes() == dumps(generate("isaac", 1))


def test_what_a_search_found_is_built_as_the_project_does() -> None:
    found = run(*SEARCH, "3:5").stdout
    Path("undercroft.toml").write_text(MANIFEST, "utf-8")
    assert build(found).exit_code == 0
    names = {path.name for path in entries(Path("found")) if path.suffix == ".json"}
    assert names == {"isaac-3-stage-2.level.json", "isaac-4-stage-2.level.json"}
    assert Path("found/isaac-4-stage-2.level.json").read_bytes() == dumps(generate("isaac", 4, stage=2))
    assert not [*Path("found").rglob("*.tscn")]
    assert build(f"\n{found}\n \n", "--check", "--out", "found").exit_code == 0


def test_a_search_that_found_nothing_is_no_wrong_use() -> None:
    found = run(*SEARCH[:5], "rooms < 0", *SEARCH[6:], "3:5")
    assert found.exit_code == 1
    done = build(found.stdout)
    says = "undercroft: standard input: the search found no level; search more seeds, or ask for less\n"
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", says)
    assert entries(Path()) == []


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ("", "standard input: is empty; "),
        (
            "[group.a]\nspec = 'isac'\nseeds = [1]",
            "standard input: group.a.spec: 'isac' is neither a preset nor",
        ),
        (HIT, "standard input:1: is not the end of a search; send all that `undercroft search --json`"),
        (
            "3  rooms = 9\n4  rooms = 11\n",
            "standard input: is what `undercroft search` prints for people; add --json",
        ),
        (
            f'{HIT}{{"event": "done", "spec": "-"}}',
            "standard input:2: spec: was read from standard input; search",
        ),
        (f'{HIT}{{"event": "done", "spec": 3}}', "standard input: group.found.spec: 3 is not text; give"),
        (f'{HIT}{{"event": "done", "spec": "isaac", "set": {{"x": 1}}}}', "standard input: group.found.set"),
        (
            f'{HIT}{{"event": "done", "spec": "isaac"}}\n\n{HIT}{{"event": "done", "spec": "gungeon"}}',
            "standard input:4: comes after the end of a search; build what each search found alone",
        ),
    ],
    ids=["empty", "spec", "no-search", "for-people", "dash", "number", "set", "two-searches"],
)
def test_bad_manifests_are_one_line(sent: str, says: str) -> None:
    done = build(sent)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith(f"undercroft: {says}")
    assert entries(Path()) == []
