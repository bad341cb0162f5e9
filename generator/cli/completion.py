"""What Tab completes: presets and files, formats, keys of specs and of exporters, and their values.

A function gets what click has read of the command so far, and the text that is to be completed. What it reads
may be wrong or half typed: then it offers less, and says nothing.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ZshComplete,
    add_completion_class,
)

from generator.errors import UndercroftError
from generator.shipped_files import shipped_folder
from generator.value_words import plain_text, said_range

# --- what may come next ------------------------------------------------------------------------------

_MAX_FILES = 1000  # of a folder that is looked through
_TRUTHS = ("true", "false")

Items = list["CompletionItem[Any]"]


def specs(ctx: click.Context, incomplete: str, *endings: str) -> Items:
    """Complete presets, styles of other packages, and files: TOML, or with one of some endings."""
    return [*presets(ctx, incomplete), *_files(incomplete, endings or (".toml",))]


def presets(ctx: click.Context, incomplete: str) -> Items:
    """Complete presets, and styles of other packages."""
    from generator.spec import preset_names, preset_summary

    names = [name for name in preset_names(others=True) if name.startswith(incomplete)]
    return [CompletionItem(name, help=preset_summary(name)) for name in names]


def levels_and_specs(ctx: click.Context, incomplete: str) -> Items:
    """Complete `specs`, and saved levels and packs."""
    return specs(ctx, incomplete, ".toml", ".json", ".ucpack")


def specs_levels_and_exports(ctx: click.Context, incomplete: str) -> Items:
    """Complete what `diff` compares."""
    from exporters.reading.forms import main_files

    return specs(ctx, incomplete, ".toml", ".json", *(form.suffix for form in main_files()))


def levels(ctx: click.Context, incomplete: str) -> Items:
    """Complete saved levels."""
    return _files(incomplete, (".json",))


def themes(ctx: click.Context, incomplete: str) -> Items:
    """Complete TOML files."""
    return _files(incomplete, (".toml",))


def formats(ctx: click.Context, incomplete: str) -> Items:
    """Complete the formats that are installed, of a list the last one."""
    from exporters.registry import format_names

    before, comma, begun = incomplete.rpartition(",")
    others = [name for name in format_names(others=True) if name not in before.split(",")]
    return [CompletionItem(f"{before}{comma}{name}") for name in others if name.startswith(begun)]


def specs_and_formats(ctx: click.Context, incomplete: str) -> Items:
    """Complete what `describe` knows."""
    return [*specs(ctx, incomplete), *formats(ctx, incomplete)]


def rules(ctx: click.Context, incomplete: str) -> Items:
    """Complete the rules of levels that `--allow` takes."""
    from generator.checks import rules_to_allow

    return _named(rules_to_allow(), incomplete)


def flows(ctx: click.Context, incomplete: str) -> Items:
    """Complete shipped flows and TOML files."""
    from generator.styles.gungeon.flows.records import shipped_flows

    return [*_named(shipped_flows(), incomplete), *_files(incomplete, (".toml",))]


def layouts(ctx: click.Context, incomplete: str) -> Items:
    """Complete shipped layouts and their pools, a step of the path at a time, and files."""
    from generator.interiors.named import shipped_names

    depth = incomplete.count("/") + 1
    steps = {"/".join(name.split("/")[:depth]) + "/" * (name.count("/") >= depth) for name in shipped_names()}
    return [*_named(sorted(steps), incomplete), *_files(incomplete, (".txt", ".tmj", ".tmx", ".ldtk"))]


def settings(ctx: click.Context, incomplete: str) -> Items:
    """Complete `KEY=` of the spec that the command line names, and after it the values to choose from.

    Without a spec: the keys of all styles.
    """
    return _pairs(_rows_of_specs(ctx), incomplete)


def options(ctx: click.Context, incomplete: str) -> Items:
    """Complete `FORMAT.` of the formats given, or of all, then `FORMAT.KEY=`, and values to choose from.

    Only the format that is named is imported.
    """
    from exporters import exporter, format_names
    from exporters.registry import describe

    name, dot, _ = incomplete.partition(".")
    if not dot:
        names = ctx.params.get("formats") or format_names(others=True)
        return _named([f"{name}." for name in names], incomplete)
    try:
        return _pairs(describe(exporter(name)), incomplete)
    except UndercroftError:
        return []


def _named(names: Iterable[str], incomplete: str) -> Items:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _files(incomplete: str, endings: Sequence[str], *, before: str = "") -> Items:
    """Complete folders, and files with one of the endings. `before` stands in front of each."""
    folder, begun = os.path.split(incomplete)
    try:
        with os.scandir(folder or ".") as entries:
            listing = sorted((entry.name, entry.is_dir()) for entry in islice(entries, _MAX_FILES))
    except (OSError, ValueError):
        return []
    items = []
    for name, is_folder in listing:
        hidden = name.startswith(".") and not begun.startswith(".")
        if name.startswith(begun) and not hidden and name.isprintable():
            path = before + str(Path(folder) / name)
            if is_folder:
                items.append(CompletionItem(f"{path}/"))
            elif name.lower().endswith(tuple(endings)):
                items.append(CompletionItem(path))
    return items


def _rows_of_specs(ctx: click.Context) -> list[dict[str, Any]]:
    """Return the values of the style of the spec that is named, its kit's facts among them."""
    from generator.cli.common import spec_with
    from generator.spec import describe
    from generator.styles.registry import usable_styles

    arguments = (ctx.params.get(key) for key in ("spec", "specs", "source", "sources", "name"))
    named = next(filter(None, arguments), "")
    name = named if isinstance(named, str) else str(named[0])
    for values in (ctx.params.get("values") or (), ()):
        try:
            spec = spec_with(name, values)
            return describe(type(spec), spec.load_kit())
        except UndercroftError:
            continue
    rows = {row["key"]: row for style in usable_styles() for row in describe(style.spec)}
    return [*rows.values()]


def _pairs(rows: Sequence[Mapping[str, Any]], incomplete: str) -> Items:
    """Complete keys, each with a `=` behind it, or the values of the one that is typed."""
    key, equals, begun = incomplete.partition("=")
    if not equals:
        return [
            CompletionItem(row["key"] + ("." if row["type"] == "texts" else "="), help=said_range(row))
            for row in rows
            if row["key"].startswith(incomplete)
        ]
    row = next((candidate for candidate in rows if candidate["key"] == key), None)
    if row is None:
        return []
    if row.get("form") == "folder":
        endings = (".tmj", ".tmx", ".ldtk") if key == "layouts" else ()
        return _files(begun, endings, before=f"{key}=")
    choices = (
        row.get("choices")
        or row.get("sizes")
        or row.get("names")
        or (_TRUTHS if row["type"] == "boolean" else ())
    )
    return _named([f"{key}={plain_text(candidate)}" for candidate in choices], incomplete)


# --- shells ------------------------------------------------------------------------------------------

# Click's own completion, but for bash's words, and for the space that would follow a `KEY=`: bash ends a word
# at `=` and `:`, so that click would see `--set curse=la` as three arguments. Here the script hands over the
# line as it is typed, and what is offered is cut to what bash takes for the last word.

VARIABLE = "_UNDERCROFT_COMPLETE"


def _script(shell: str) -> str:
    """Read the script of a shell, with click's placeholders."""
    return (shipped_folder("generator") / "cli" / f"completion.{shell}").read_text("utf-8")


class BashByLine(BashComplete):
    """Bash: words are read from the line up to the cursor."""

    source_template = _script("bash")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._begun = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the arguments in front of the cursor, and the one that it is in."""
        line = os.environ.get("COMP_LINE", "")
        words = _words(line)[1:]
        self._begun = "" if not words or line[-1:].isspace() else words.pop()
        return words, self._begun

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Format an item's kind, and the part of it that belongs to what bash takes for the last word."""
        begun = self._begun
        if begun.startswith("--"):
            begun = begun.partition("=")[2]  # click has cut the option's name
        breaks = "".join(sign for sign in "=:" if sign in os.environ.get("COMP_WORDBREAKS", "=:"))
        cut = max((index + 1 for index, sign in enumerate(begun) if sign in breaks), default=0)
        value = str(item.value)[cut:] if str(item.value).startswith(begun[:cut]) else str(item.value)
        return f"{item.type},{_quoted(value)}"


def _words(line: str) -> list[str]:
    """Split a line, which may end within quotes, into words."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    words: list[str] = []
    try:
        words.extend(lexer)
    except ValueError:
        words.append(lexer.token)
    return words


def _quoted(value: str) -> str:
    """Quote a value as it may stand in a line of bash. `~`, `=` and the like mean nothing inside a word."""
    return re.sub(r"([^A-Za-z0-9_@%+=:,./~-])", r"\\\1", value)


class ZshWithoutSpace(ZshComplete):
    """Zsh: as click's, but no space behind what ends in `=`, `.` or `/`."""

    source_template = _script("zsh")

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Format an item as click does. What is unfinished goes to zsh unchanged, without help."""
        if str(item.value).endswith(("=", ".", "/")):
            item = CompletionItem(item.value, item.type)
        return super().format_completion(item)


class FishWithCommas(FishComplete):
    """Fish: as click's, which cuts a help text or the name of a file at its first comma."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split -m 1 ","')


def register() -> None:
    """Have click use these classes."""
    add_completion_class(BashByLine)
    add_completion_class(FishWithCommas)
    add_completion_class(ZshWithoutSpace)
