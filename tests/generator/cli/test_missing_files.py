"""A file that cannot be read is wrong use: status 2 and one line on standard error, whatever the command."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main

ENDINGS = (".level.json", ".txt", ".toml", ".ldtk", ".ucpack", ".png", "")
# NAME stands for the path; `.X` behind it for an ending that the command reads.
READERS = (
    *("export NAME.json --out out", "show NAME.json", "reroll NAME.json --room 1", "gallery NAME.level.json"),
    *(
        "import NAME.tmj --out out",
        "diff NAME.tmj",
        "diff NAME.json isaac",
        "diff isaac NAME.toml",
        "sync NAME",
        "build NAME.toml",
        "generate NAME.toml",
        "addon install NAME",
    ),
    *(
        "generate isaac --options NAME.toml",
        "generate isaac --theme NAME.toml",
        "generate isaac --set kit=NAME",
    ),
    *("generate gungeon --set flow=NAME.toml", "generate isaac --set layouts=NAME", "presets NAME.toml"),
    *(
        "stats isaac --seeds 0:2 --against NAME.json",
        "pack NAME.toml --seeds 0:1 --out x.ucpack",
        "audit NAME.toml --seeds 0:1",
    ),
    *("layouts check NAME.txt", "layouts check NAME", "layouts show NAME.txt", "layouts import NAME.tmj"),
    *("theme check NAME.toml", "theme new NAME.png", "flow check NAME.toml", "flow show NAME.toml"),
    *("flow check NAME", "flow import NAME.dot", "studio NAME --no-browser", "schema spec --kit NAME"),
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def refused(*words: str) -> str:
    done = run(*words)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1), (words, done.output)
    return done.stderr.removeprefix("undercroft: ").rstrip("\n")


@pytest.mark.parametrize("ending", ENDINGS)
def test_check_of_a_missing_file(ending: str) -> None:
    name = f"none{ending}"
    assert refused("check", name) == f"{name}: cannot be read: No such file or directory; check the name"
    assert refused("check", f"none/{name}").startswith(f"none/{name}: cannot be read: ")
    Path("notes").write_text("x")
    assert refused("check", f"notes/{name}").startswith(f"notes/{name}: cannot be read: Not a directory")


@pytest.mark.parametrize("command", READERS)
def test_other_commands_and_a_missing_file(command: str) -> None:
    assert "none" in refused(*command.replace("NAME", "none").split())
    assert not list(Path().iterdir())


@pytest.mark.parametrize("command", [each for each in READERS if "NAME." in each])
def test_a_folder_where_a_file_belongs(command: str) -> None:
    name = next(word for word in command.split() if "NAME" in word).rpartition("=")[2].replace("NAME", "none")
    Path(name).mkdir()
    assert name in refused(*command.replace("NAME", "none").split())
    assert [each.name for each in Path().iterdir()] == [name]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("command", ["check", "theme check", "flow check", "layouts check"])
def test_a_pipe_is_no_file(command: str) -> None:
    os.mkfifo("none.toml" if "layouts" not in command else "none.txt")
    (there,) = Path().iterdir()
    assert refused(*command.split(), str(there)) == f"{there}: is not a file; name one"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="this user may read everything")
@pytest.mark.parametrize("command", ["check", "theme check", "flow check"])
def test_a_file_that_may_not_be_read(command: str) -> None:
    Path("none.toml").touch(0o000)
    told = refused(*command.split(), "none.toml")
    assert told == "none.toml: cannot be read: Permission denied; allow your user to read it"


def test_check_tells_the_problems_of_the_other_files_too() -> None:
    Path("bad.toml").write_text("style = 'isaac'\nstage = 0")
    Path("picture.png").write_text("x")
    done = run("check", "none.json", "bad.toml", "picture.png")
    assert (done.exit_code, done.stdout.count("\n")) == (2, 1) and done.stdout.startswith("bad.toml: stage: ")
    assert done.stderr == (
        "undercroft: none.json: cannot be read: No such file or directory; check the name\n"
        "undercroft: picture.png: cannot be checked; give a file that ends in .json, .txt, .toml, .ldtk, .tmj, .tmx, .world, .ucpack\n"
    )
    *_, problem, error = map(json.loads, run("check", "none.json", "bad.toml", "--json").stdout.splitlines())
    assert (problem["event"], problem["file"]) == ("problem", "bad.toml")
    assert (error["event"], error["status"], error["file"]) == ("error", 2, "none.json")
