"""Names of files: safe on every file system, unchanged if they are so already, and never the same for two texts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from generator.cli import main
from generator.files import file_name, is_device
from tests.folders import entries

DEVICES = ["con", "PRN", "aux", "nul", "NUL.txt", "com0", "COM1", "com9.level.json", "lpt1", "con."]
PLAIN = st.text("abcABC019._-", min_size=1, max_size=130)
ODD = (
    st.text(max_size=130)
    | PLAIN
    | st.sampled_from(DEVICES)
    | st.sampled_from("ax").map(lambda one: one * 300)
)
PARTS = st.lists(st.text("ab-_. \0", max_size=4), max_size=5)


def is_safe(name: str) -> bool:
    return bool(
        re.fullmatch(r"[A-Za-z0-9._-]{1,120}", name)
        and name.strip(". ") == name
        and not re.match(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)", name)
    )


@given(ODD, ODD)
@example("a:b", "a b")
@example("x" * 300, "x" * 301)
@example("é", "_")
@example("..", ".")
@example("con", "_con")
def test_names_are_safe_and_differ(one: str, other: str) -> None:
    assert is_safe(file_name(one)) and is_safe(file_name(other))
    assert (file_name(one) == file_name(other)) == (one == other)


@given(PLAIN)
def test_safe_names_stay(name: str) -> None:
    assert (file_name(name) == name) == is_safe(name)


@pytest.mark.parametrize("name", DEVICES)
def test_devices_of_windows(name: str) -> None:
    assert is_device(name)
    assert file_name(name).startswith("_") and file_name(name)[1:].lower().startswith(name.lower())
    assert not is_device(file_name(name)) and not is_device(f"{name[:3]}sole")


@given(st.sampled_from(["isaac", "a-b", "a b"]), PARTS, PARTS)
@example("isaac", ["7-stage-2"], ["7", "stage", "2"])
def test_names_of_several_texts_differ(first: str, one: list[str], other: list[str]) -> None:
    names = [file_name(first, *parts) for parts in (one, other)]
    assert all(map(is_safe, names)) and (names[0] == names[1]) == (one == other)


def test_plain_texts_are_joined_and_nothing_else() -> None:
    assert file_name("isaac", "7", "stage", "2", "state.coins", "5") == "isaac-7-stage-2-state.coins-5"
    assert file_name("my-cellar", "7") == "my-cellar-7"
    assert re.fullmatch("isaac-my-seed-[0-9a-f]{8}", file_name("isaac", "my-seed"))


def generate(out: Path, *args: str) -> list[str]:
    done = CliRunner().invoke(main, ["generate", "isaac", "--to", "json", "--out", str(out), "--json", *args])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert [Path(file).name for file in told["files"]] == [f"{told['name']}.level.json"]
    return [told["name"]]


def test_levels_of_one_folder_have_their_own_files(tmp_path: Path) -> None:
    names = ["a:b", "a b", "a_b", "x" * 300, "x" * 301, "con", "nul.x"]
    made = [name for given in names for name in generate(tmp_path, "--name", given)]
    made += generate(tmp_path, "--seed", "7-stage-2")
    made += generate(tmp_path, "--seed", "7", "--set", "stage=2")
    assert len({path.name.casefold() for path in entries(tmp_path)}) == len(made) == 9
    assert "a_b" in made and "isaac-7-stage-2" in made


def test_a_name_that_differs_only_in_case_is_refused(tmp_path: Path) -> None:
    """On Windows and on macOS it would be the same file."""
    generate(tmp_path, "--name", "Cellar")
    generate(tmp_path, "--name", "Cellar")
    done = CliRunner().invoke(
        main, ["generate", "isaac", "--to", "json", "--out", str(tmp_path), "--name", "cellar"]
    )
    assert done.exit_code == 2
    assert done.stderr == (
        f"undercroft: {tmp_path / 'cellar.level.json'}: would replace Cellar.level.json on systems that ignore case; "
        "choose another name\n"
    )
    assert [path.name for path in entries(tmp_path)] == ["Cellar.level.json"]
