"""Tab in a shell: what is offered, in real bash and in the words that zsh, fish and PowerShell exchange with us."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete, get_completion_class
from click.testing import CliRunner

from exporters.registry import format_names
from generator.cli import main
from generator.cli.completion import VARIABLE, register
from generator.spec import preset_names
from tests.cases import for_each
from tests.engines import HANG
from tests.generator.cli.test_help import COMMANDS

register()


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cellar.toml").write_text('style = "isaac"\n')
    Path("isaac-7.level.json").write_text("{}")
    Path("notes.md").write_text("ours")
    Path(".hidden.toml").write_text("")
    Path("our specs").mkdir()
    Path("our specs", "deep.toml").write_text('style = "gungeon"\n')


def offered(*words: str) -> list[str]:
    """What is offered for the last word."""
    complete = ShellComplete(main, {}, "undercroft", VARIABLE)
    return [item.value for item in complete.get_completions([*words[:-1]], words[-1])]


def keys(spec: str) -> list[str]:
    told = json.loads(CliRunner().invoke(main, ["describe", spec]).stdout)
    return [f"{row['key']}=" for row in told["values"]]


FILES = ["cellar.toml", "our specs/"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["gener"], ["generate"]),
        (["layouts", ""], ["show", "check", "stats", "new", "import"]),
        (["theme", "n"], ["new"]),
        (["generate", "isaac", "--ed"], ["--edits"]),
        (["check", "levels", "--allow", "fair"], ["fair-at-the-door"]),
        (["generate", ""], [*preset_names(), *FILES]),
        (["generate", "our specs/"], ["our specs/deep.toml"]),
        (["search", "isa"], ["isaac"]),
        (["pack", "isaac", "vo"], ["void"]),
        (["show", ""], [*preset_names(), "cellar.toml", "isaac-7.level.json", "our specs/"]),
        (["export", "i"], ["isaac-7.level.json"]),
        (["presets", ""], [*preset_names()]),
        (["describe", "p"], ["procedural", "png"]),
        (["generate", "isaac", "--to", ""], [*format_names()]),
        (["generate", "isaac", "-t", "json,t"], ["json,tiled"]),
        (["generate", "isaac", "--to", "png,json", "--option", ""], ["png.", "json."]),
        (["he"], ["help"]),
        (["help", "layouts", "sh"], ["show"]),
        (["generate", "isaac", "--theme", "c"], ["cellar.toml"]),
        (["generate", "isaac", "--set", "state.k"], ["state.keys="]),
        (["generate", "isaac", "--set", "curse=l"], ["curse=labyrinth", "curse=lost"]),
        (["generate", "isaac", "--set", "hard="], ["hard=true", "hard=false"]),
        (["generate", "isaac", "--set", "kit="], ["kit=our specs/"]),
        (["generate", "isaac", "--set", "none="], []),
        (["show", "our specs/deep.toml", "--set", "loop"], ["loop_share=", "loop_length="]),
        (["generate", "isaac", "--set", "stage=99", "--set", "hall"], []),
        (["generate", "--set", "hall"], ["hallway_width=", "hallway_torches="]),
        (["generate", "nonsense", "--set", "hall"], ["hallway_width=", "hallway_torches="]),
        (["generate", "isaac", "--to", "png", "--option", ""], ["png."]),
        (["generate", "isaac", "--option", "tiled.e"], ["tiled.encoding="]),
        (["generate", "isaac", "--option", "tiled.encoding=z"], ["tiled.encoding=zlib", "tiled.encoding=zstd"]),
        (["generate", "isaac", "--option", "godot.sc"], ["godot.scenes."]),
        (["generate", "isaac", "--option", "none.x"], []),
        (["flow", "show", "hu"], ["hub"]),
        (["layouts", "show", "bos"], ["boss/", "boss_challenge/"]),
        (["layouts", "show", "boss/colos"], ["boss/colosseum"]),
        (["nonsense", "isaac", "--set", "x"], []),
    ],
)  # fmt: skip
def test_what_is_offered(words: list[str], expected: list[str]) -> None:
    assert offered(*words) == expected


def test_the_keys_are_those_of_the_style() -> None:
    for spec in ("isaac", "gungeon", "cellar.toml"):
        assert offered("generate", spec, "--set", "") == keys(spec)
    assert set(offered("generate", "--set", "")) == {
        key for spec in ("isaac", "rebirth", "gungeon") for key in keys(spec)
    }


@for_each(path=[path for path, found in COMMANDS.items() if not isinstance(found, click.Group)])
def test_every_option_of_every_command_can_be_completed(path: str) -> None:
    """Without a value, without an error, and with the options themselves."""
    command = COMMANDS[path]
    words = path.split()[1:]
    options = [param for param in command.params if isinstance(param, click.Option)]
    assert {option.opts[0] for option in options} <= {*offered(*words, "--")}
    for option in options:
        if not option.is_flag:
            offered(*words, option.opts[0], "")
            offered(*words, f"{option.opts[0]}=")


# --- in shells -----------------------------------------------------------------------------------------


def program(folder: Path) -> dict[str, str]:
    """An environment in which `undercroft` is this one."""
    file = folder / "bin" / "undercroft"
    file.parent.mkdir()
    root = Path(__file__).parents[3]
    file.write_text(f'#!/bin/sh\nPYTHONPATH="{root}" exec "{sys.executable}" -m generator.cli "$@"\n')
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return {**os.environ, "PATH": f"{file.parent}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="Windows has no bash, macOS one of 2007")
def test_real_bash(tmp_path: Path) -> None:
    """It ends words at `=` and `:`, so only what comes behind it is put in; a file's spaces are escaped."""
    lines = {
        "undercroft gene": "generate",
        "undercroft generate isaac --set stage=3 --set cur": "curse=",
        "undercroft generate isaac --set curse=la": "labyrinth",
        "undercroft generate isaac --set=curse=la": "labyrinth",
        "undercroft generate 'our specs/d": r"our\ specs/deep.toml",
        "undercroft generate isaac --option tiled.encoding=zl": "zlib",
    }
    script = ['eval "$(_UNDERCROFT_COMPLETE=bash_source undercroft)"']
    for line in lines:
        script.append(f'COMP_LINE="{line}"; COMP_POINT=${{#COMP_LINE}}; compopt() {{ echo "$2"; }}')
        script.append('_undercroft_completion undercroft; echo "${COMPREPLY[@]}"')
    done = subprocess.run(
        ["bash", "--norc", "-c", "\n".join(script)],
        env=program(tmp_path), capture_output=True, text=True, check=False, timeout=HANG,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.split("\n")[:-1] == ["generate", "nospace", *[*lines.values()][1:]]


@pytest.mark.parametrize(
    ("shell", "env", "says"),
    [
        ("zsh", {"COMP_WORDS": "undercroft generate isaac --set curse=la", "COMP_CWORD": "4"}, "plain\ncurse=labyrinth\n_\n"),
        ("zsh", {"COMP_WORDS": "undercroft generate isaac --set cur", "COMP_CWORD": "4"}, "plain\ncurse=\n_\n"),
        ("fish", {"COMP_WORDS": "undercroft generate isaac --set cur", "COMP_CWORD": "cur"}, "plain,curse=\t"),
    ],
)  # fmt: skip
def test_the_words_of_other_shells(shell: str, env: dict[str, str], says: str) -> None:
    done = CliRunner().invoke(main, [], env={VARIABLE: f"{shell}_complete", **env})
    assert done.exit_code == 0 and done.stdout.startswith(says)
    source = CliRunner().invoke(main, [], env={VARIABLE: f"{shell}_source"})
    assert source.exit_code == 0 and "_undercroft_completion" in source.stdout


def test_fish_gets_texts_with_commas_whole() -> None:
    """click's script splits a line at every comma, and shows what is in front of the second."""
    source = CliRunner().invoke(main, [], env={VARIABLE: "fish_source"}).stdout
    assert 'string split -m 1 "," $completion' in source


def test_the_page_tells_how_to_turn_it_on() -> None:
    page = (Path(__file__).parents[3] / "docs" / "commands.md").read_text("utf-8")
    for shell in ("bash", "zsh", "fish", "powershell"):
        assert f"{VARIABLE}={shell}_source" in page or f'{VARIABLE} = "{shell}_source"' in page
        assert shell == "powershell" or get_completion_class(shell)
