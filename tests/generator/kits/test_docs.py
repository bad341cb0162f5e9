"""The page about kits: what it shows works."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli.group import main
from generator.kinds.kit_problems import kit_problems

DOCS = Path(__file__).parents[3] / "docs"
KITS = (DOCS / "kits.md").read_text("utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def undercroft(*words: str) -> str:
    with pytest.raises(SystemExit) as left, CliRunner().isolation() as (out, _, _):
        main(list(words))
    assert not left.value.code, out.getvalue().decode()
    return out.getvalue().decode()


def test_the_room_kind_of_the_page_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    layout = tmp_path / "our-kit" / "layouts" / "garden" / "spring.txt"
    layout.parent.mkdir(parents=True)
    layout.write_text(blocks(KITS, "text")[0], "utf-8")
    (tmp_path / "our-kit" / "kit.toml").write_text(blocks(KITS, "toml")[0], "utf-8")
    checked, shown, found, _made = (
        undercroft(*shlex.split(line)[1:]) for line in blocks(KITS, "sh")[0].splitlines()
    )
    assert checked == "" and "; garden" in shown
    assert len(found.splitlines()) >= 3
    assert list((tmp_path / "build").glob("*.tscn")) and list((tmp_path / "build").glob("*.tmj"))


def test_examples_of_rows_are_sound(tmp_path: Path) -> None:
    _, *rows = [block for block in blocks(KITS, "toml") if "[" in block]
    assert len(rows) == 6
    garden = '[room.garden]\nglyph = ";"\noff_the_way = true\n'
    (tmp_path / "kit.toml").write_text("\n".join(['name = "our-kit"', garden, *rows]), "utf-8")
    assert kit_problems(tmp_path) == []


def test_a_new_kit_has_no_problems_and_is_not_written_over(tmp_path: Path) -> None:
    folder = tmp_path / "our kit"
    assert "pond.txt" in undercroft("kit", "new", str(folder))
    assert undercroft("check", str(folder)) == ""
    kit = folder / "kit.toml"
    kit.write_text(f"# mine\n{kit.read_text()}", "utf-8")
    with pytest.raises(SystemExit) as left:
        main(["kit", "new", str(folder)])
    assert left.value.code == 1
    assert kit.read_text().startswith("# mine\n")
