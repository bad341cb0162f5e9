"""What the command line proposes to somebody who typed a name that does not exist."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from generator.cli import main
from generator.cli.helpful import DeletingOption
from generator.errors import meant, nearest

TRIED = (
    *("--dry-run", "--delete", "--remove", "--purge", "--clean", "--prun", "--pruned", "--prune-all", "--rm"),
    *("--gc", "--output", "--format", "--jobs", "--force", "--overwrite", "--yes", "--verbose", "--trim"),
)


def commands() -> Iterator[tuple[list[str], click.Context]]:
    """Every command with its words, those of groups too."""

    def below(words: list[str], ctx: click.Context) -> Iterator[tuple[list[str], click.Context]]:
        yield words, ctx
        if isinstance(ctx.command, click.Group):
            for name in ctx.command.list_commands(ctx):
                command = ctx.command.get_command(ctx, name)
                assert command is not None
                inner = command.context_class(command, info_name=name, parent=ctx)
                yield from below([*words, name], inner)

    return below([], click.Context(main, info_name="undercroft"))


def said(*words: str) -> str:
    done = CliRunner().invoke(main, words)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    return done.stderr.removeprefix("undercroft: ").rstrip("\n")


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("build --what-if", "did you mean --dry-run?"),
        ("generate isaac --dryrun", "did you mean --dry-run?"),
        ("show isaac --preview", "see `undercroft show --help`"),
        ("generate isaac -out x", "did you mean --out?"),
        ("generate isaac -seed=7", "did you mean --seed?"),
        ("build --output x", "did you mean --out?"),
        ("build --workers 4", "did you mean --jobs?"),
        ("generate isaac -f png", "did you mean --to?"),
        ("generate isaac --format png", "did you mean --to?"),
        ("build --format png", "see `undercroft build --help`"),
        ("stats isaac -s 0:3", "did you mean --seeds?"),
        ("show isaac -v", "did you mean `undercroft --version`?"),
        ("-v", "did you mean --version?"),
        ("generate isaac --verbose", "there is none"),
        ("generate isaac --jobs 3", "see `undercroft generate --help`"),
        ("generate isaac --force", "did you mean --edits replace?"),
        ("layouts import x --force", "did you mean --replace?"),
        ("generate isaac --Seed 3", "did you mean --seed?"),
    ],
)
def test_an_option_that_other_programs_have(words: str, remedy: str) -> None:
    name = next(word for word in words.split() if word.startswith("-")).partition("=")[0]
    assert said(*words.split()) == f"unknown option {name}; {remedy}"


def test_no_option_that_deletes_is_ever_proposed() -> None:
    tried = proposed = 0
    for words, ctx in commands():
        options = [param for param in ctx.command.params if isinstance(param, click.Option)]
        deleting = {flag for each in options if isinstance(each, DeletingOption) for flag in each.opts}
        known = {flag for each in options for flag in each.opts}
        slips = {flag[:-1] for flag in deleting} | {f"{flag}s" for flag in deleting} | {*TRIED}
        for slip in slips - known if deleting else ():
            line = said(*words, slip)
            tried += 1
            proposed += "did you mean" in line
            assert not any(flag in line.partition("; ")[2] for flag in deleting), line
    assert tried > 10 and proposed > 2


def test_options_that_delete_are_declared_as_such() -> None:
    deletes = {
        (*words, option.opts[0])
        for words, ctx in commands()
        for option in ctx.command.params
        if isinstance(option, click.Option)
        and any(word in (option.help or "").lower() for word in ("remove", "delete"))
    }
    declared = {
        (*words, option.opts[0])
        for words, ctx in commands()
        for option in ctx.command.params
        if isinstance(option, DeletingOption)
    }
    assert declared == deletes == {("build", "--prune")}


@pytest.mark.parametrize(
    ("given", "known", "near"),
    [
        ("staeg", ["stage", "size"], "stage"),
        ("pgn", ["png", "json"], "png"),  # the same letters
        ("tile", ["tiled", "godot"], "tiled"),
        ("GODOT", ["godot"], "godot"),
        ("--dry-run", ["--prune"], ""),
        ("gen", ["generate", "export"], "generate"),
        ("ex", ["export"], ""),
        ("exp", ["export", "explain"], ""),
        ("garden", ["arcade", "treasure"], ""),
        ("", ["png"], ""),
        ("png", [], ""),
    ],
)
def test_what_is_near(given: str, known: list[str], near: str) -> None:
    assert meant(given, known) == near


def test_a_stricter_match() -> None:
    assert nearest("walker", ["stalker"], 0.8) == "" != nearest("walker", ["stalker"])
