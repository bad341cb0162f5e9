"""Colours of `show`: where they are wanted, of what is alike, and legible."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import main
from generator.cli import show as glyph_colours
from generator.cli.common import is_coloured
from generator.kinds import SHIPPED
from generator.styles.registry import BUILT_IN as STYLES
from tests.terminal import needs_terminal, undercroft_on_terminal

CODES = re.compile(r"\x1b\[[0-9;]*m")


def shown(*args: str, **env: str) -> str:
    unset = dict.fromkeys(("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"))
    done = CliRunner().invoke(main, ["show", *args], env={**unset, **env})
    assert done.exit_code == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("style", "extra"), [*product(STYLES, ([], ["--floorplan"]))])
def test_colours_change_nothing_but_colours(style: str, extra: list[str]) -> None:
    """Neither the text nor, unless asked for, a byte in a pipe; each line ends without a colour."""
    plain = shown(style, "--seed", "7", *extra)
    painted = shown(style, "--seed", "7", *extra, "--color", "always")
    assert "\x1b" not in plain and CODES.sub("", painted) == plain
    assert len(set(CODES.findall(painted))) > 5
    assert all(CODES.findall(line)[-1:] in ([], ["\x1b[0m"]) for line in painted.splitlines())


def test_what_is_alike_has_one_colour() -> None:
    painted = shown("isaac", "--seed", "7", "--color", "always")
    look = {name: codes for codes, name in re.findall(r"((?:\x1b\[[0-9;]*m)+)\S\x1b\[0m (\w+ ?\w+)", painted)}
    assert look["enemy walker"] == look["enemy flyer"] != look["boss boss"]
    assert look["boss door"] == look["secret door"] != look["door"]
    assert look["player_start"] == look["exit next"] and look["fire"] == look["spikes"]
    plan = shown("isaac", "--seed", "7", "--floorplan", "--color", "always")
    look = {name: codes for codes, name in re.findall(r"((?:\x1b\[[0-9;]*m)+)\S\x1b\[0m (\w+)", plan)}
    assert len({look[kind] for kind in ("start", "boss", "normal", "secret", "shop")}) == 5


@pytest.mark.parametrize(
    ("env", "on_terminal", "in_pipe"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "0"}, True, False),
        ({"CLICOLOR_FORCE": "1"}, True, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
        ({"CLICOLOR": "0"}, False, False),
        ({"TERM": "dumb"}, False, False),
    ],
)
def test_the_usual_variables_are_kept(
    env: dict[str, str], on_terminal: bool, in_pipe: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    for is_terminal, coloured in ((True, on_terminal), (False, in_pipe)):
        monkeypatch.setattr("sys.stdout.isatty", lambda: is_terminal)  # noqa: B023
        assert is_coloured() == coloured
        assert (is_coloured("always"), is_coloured("never")) == (True, False)


@needs_terminal
def test_a_terminal_and_a_pipe_as_they_are(tmp_path: Path) -> None:
    args = ("show", "isaac", "--floorplan")
    assert CODES.search(undercroft_on_terminal(*args, cwd=tmp_path).text)
    assert not CODES.search(undercroft_on_terminal(*args, cwd=tmp_path, NO_COLOR="1").text)
    assert CODES.search(shown("isaac", "--floorplan", FORCE_COLOR="1"))


def luminance(colour: int) -> float:
    """Of one of xterm's 256 colours: a cube of 6 x 6 x 6, then greys; as WCAG counts it."""
    if colour >= 232:
        parts = [8 + 10 * (colour - 232)] * 3
    else:
        steps = [(colour - 16) // 36, (colour - 16) // 6 % 6, (colour - 16) % 6]
        parts = [0 if step == 0 else 55 + 40 * step for step in steps]
    linear = [((part / 255 + 0.055) / 1.055) ** 2.4 if part > 10 else part / 255 / 12.92 for part in parts]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


@pytest.mark.parametrize("name", ["GREY", "BLUE", "BROWN", "TEAL", "PURPLE", "RED", "GREEN"])
def test_colours_are_legible_on_black_and_on_white(name: str) -> None:
    assert is_legible(getattr(glyph_colours, name))


def is_legible(colour: int) -> bool:
    light = luminance(colour)
    return min((light + 0.05) / 0.05, 1.05 / (light + 0.05)) >= 3.5


def test_rooms_have_the_colours_of_their_kinds() -> None:
    """The nearest that can be read: green starts, red bosses, and as many as the kinds can have."""
    colours = {row.name: glyph_colours.nearest(row.color) for row in SHIPPED.rooms.values()}
    assert all(map(is_legible, colours.values()))
    assert len({colours[kind] for kind in ("start", "boss", "shop", "secret", "library", "normal")}) == 6
