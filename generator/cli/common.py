"""What several commands share: options, values that people type, and lines for people."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from generator.cli import json_lines, progress, streams
from generator.errors import BadInput, SpecError, ThemeError, one_line, shown, unknown
from generator.files import file_name, read_bytes

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from generator.kinds import Kit
    from generator.level import Level
    from generator.spec import LevelSpec

F = TypeVar("F", bound=Callable[..., Any])

SEED_HELP = (
    "A number from 0 to 2^64 - 1, or any text; for the style rebirth also one of the game's seed codes. "
    "Default: 0, and 1 for rebirth, which has no seed 0."
)
THEME_HELP = "A theme's TOML. Default: the built-in one."

_MAX_THEME_BYTES = 1 << 20


class _PathType(click.Path):
    """A path. One to what is called `-`, such as `./-`, stays apart from `-`."""

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(file_okay=file_okay, dir_okay=dir_okay, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        return Path("-") if value == "-" else streams.not_dash(Path(str(super().convert(value, param, ctx))))


ANY_PATH, FILE, FOLDER = _PathType(), _PathType(dir_okay=False), _PathType(file_okay=False)


def flag(name: str, help: str, parameter: str | None = None) -> Callable[[F], F]:
    """Add an option without a value, which reaches the command as `parameter` if that has another name."""
    return click.option(name, *filter(None, [parameter]), is_flag=True, help=help)


def file_option(flag: str, help: str, **attributes: Any) -> Callable[[F], F]:
    """Add an option for a file."""
    return click.option(flag, type=FILE, metavar="FILE", help=help, **attributes)


def folder_option(flag: str, help: str, **attributes: Any) -> Callable[[F], F]:
    """Add an option for a folder."""
    return click.option(flag, type=FOLDER, metavar="DIR", help=help, **attributes)


def completes(name: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem[Any]]]:
    """Return how a shell completes a parameter: a function of `generator.cli.completion`, by its name."""

    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem[Any]]:
        from generator.cli import completion

        items: list[CompletionItem[Any]] = getattr(completion, name)(ctx, incomplete)
        return items

    return complete


def _readable(_ctx: click.Context, _param: click.Parameter, theme: Path | None) -> Path | None:
    """Return a theme's file, which must be readable even if no format needs it. Raises ThemeError."""
    if theme is not None:
        read_bytes(theme, _MAX_THEME_BYTES, ThemeError)
    return theme


spec_argument = click.argument("spec", shell_complete=completes("specs"))
seed_option = click.option("--seed", metavar="SEED", help=SEED_HELP)


def setting_option(help: str) -> Callable[[F], F]:
    """Add `--set KEY=VALUE`, perhaps several times."""
    return click.option(
        "--set",
        "values",
        multiple=True,
        metavar="KEY=VALUE",
        shell_complete=completes("settings"),
        help=f"{help}; repeat as needed.",
    )


set_option = setting_option("Change a value of the spec")


def _parted_by_commas(
    _ctx: click.Context, _param: click.Parameter, texts: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the formats of `--to json,png --to tiled`, each once. Raises BadInput for an empty name."""
    names = [(name.strip(), text) for text in texts for name in text.split(",")]
    for name, text in names:
        if not name:
            raise BadInput(f"--to: {shown(text)} has an empty name; write for example json,png")
    return tuple(dict.fromkeys(name for name, _ in names))


def formats_option(help: str) -> Callable[[F], F]:
    """Add `--to`, for one format or several."""
    return click.option(
        "--to",
        "formats",
        multiple=True,
        metavar="FORMATS",
        callback=_parted_by_commas,
        shell_complete=completes("formats"),
        help=help,
    )


to_option = formats_option(
    "Formats to write, such as json,png; `undercroft describe` lists them. Default: all built in."
)
theme_option = click.option(
    "--theme",
    type=ANY_PATH,
    metavar="FILE",
    callback=_readable,
    shell_complete=completes("themes"),
    help=THEME_HELP,
)
option_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    shell_complete=completes("options"),
    help="An exporter's option, such as png.markers=true.",
)
options_option = click.option(
    "--options",
    "options_file",
    type=ANY_PATH,
    metavar="FILE",
    shell_complete=completes("themes"),
    help="A TOML file of exporters' options, one table per format; --option overrides it.",
)
quiet_option = flag("--quiet", "Print no paths of the files written.")
kit_option = folder_option("--kit", "The folder of your own kit, if the layouts use its kinds.")
kit_of_flow_option = folder_option("--kit", "The folder of your own kit, if the rooms are of its kinds.")
scale_option = click.option(
    "--scale",
    type=click.IntRange(1, 8),
    default=1,
    show_default=True,
    help="How many px wide a px of the picture is drawn.",
)
accept_edits_option = flag(
    "--accept-edits", "Accept a level.json that was changed by hand, if it breaks no rule."
)
json_option = flag("--json", "Print results as JSON, for machines.", "as_json")


def tell(line: str) -> None:
    """Say something to the person on standard error, in one line."""
    progress.echo(f"undercroft: {one_line(line)}", err=True)


def tell_all(lines: Iterable[str]) -> None:
    """Say several lines to the person on standard error."""
    for line in lines:
        tell(line)


def not_told(lines: Iterable[str]) -> list[str]:
    """Return those lines that the command has not told yet, such as one that is true of all levels."""
    told: set[str] = click.get_current_context().meta.setdefault("undercroft.told", set())
    new = [line for line in dict.fromkeys(lines) if line not in told]
    told.update(new)
    return new


def tell_note(file: str, line: str, as_json: bool) -> None:
    """Say something about a file that is no problem."""
    if as_json:
        json_lines.emit("note", file=file, note=one_line(line))
    else:
        tell(f"note: {line}")


def print_problems(problems: Iterable[Mapping[str, str]], as_json: bool) -> None:
    """Print problems, one per line."""
    for problem in problems:
        json_lines.tell(as_json, problem["problem"], "problem", **problem)


def tell_problems(problems: Sequence[Mapping[str, str]], as_json: bool, number: int, noun: str) -> None:
    """Print problems, one per line, and end as `tell_checked` does."""
    print_problems(problems, as_json)
    tell_checked(len(problems), as_json, number, noun)


def tell_checked(problems: int, as_json: bool, number: int, noun: str) -> None:
    """End with exit status 1 if there are problems. Else say how many things, such as files, were checked."""
    if as_json:
        json_lines.emit("done", problems=problems)
    elif not problems:
        tell(f"{number} {noun}{'s' if number != 1 else ''} checked, no problems")
    if problems:
        raise SystemExit(1)


def out_option(printed: str = "") -> Callable[[F], F]:
    """Add `--out`, the folder to write to, or `-` if there is something to be printed."""
    told = printed and f"; or - to print {printed}"
    help_text = f"The folder to write to, made if it is missing{told}. Default: the current folder."
    return folder_option("--out", help_text, default=".", callback=None if printed else no_dash)


def no_dash(_ctx: click.Context, _param: click.Parameter, out: Path | None) -> Path | None:
    """Return the folder of an `--out` whose files cannot be printed. Raises BadInput for `-`."""
    if streams.is_dash(out):
        raise BadInput(
            "--out: - is standard output, and this writes several files; give a folder, such as ./-"
        )
    return out


def first_given(*names: str) -> str:
    """Return the flag of the first of these options that the command line has, or an empty text."""
    ctx = click.get_current_context()
    for param in ctx.command.params:
        if param.name in names and ctx.get_parameter_source(param.name) is ParameterSource.COMMANDLINE:
            return param.opts[0]
    return ""


def key_values(texts: Sequence[str], flag: str) -> dict[str, str]:
    """Parse `KEY=VALUE` texts to a dictionary. Raises BadInput for one without `=`.

    A folder has the files of a level once, so an option cannot have two values.
    """
    example = {"--set": "stage=3", "--sweep": "stage=[1,2,3]"}.get(flag, "png.scale=2")
    pairs: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise BadInput(f"{flag}: {shown(text)} is not KEY=VALUE; write for example {example}")
        if flag == "--option" and pairs.get(key, value) != value:
            both = f"{shown(pairs[key])} and as {shown(value)}"
            remedy = "give one, and export the other into another folder"
            raise BadInput(f"{flag}: {shown(key)[1:-1]} is given as {both}; {remedy}")
        pairs[key] = value
    return pairs


level_argument = click.argument(
    "level_file", metavar="LEVEL.json", type=ANY_PATH, shell_complete=completes("levels")
)


def kit_in(folder: Path | None) -> Kit:
    """Load the kit of a folder, or the shipped one. Raises KitError."""
    from generator.kinds import read_kit, shipped_kit

    return read_kit(folder) if folder else shipped_kit()


def toml_value(text: str) -> object:
    """Parse a text as TOML's value (`3`, `true`, `[15, 9]`, `"x"`), or else keep it as plain text."""
    if "\n" in text or "\r" in text:
        return text
    import tomllib  # only for those who set something

    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):  # ValueError: no TOML, or a number of 5000 digits
        return text


_SAVED = "is a saved level, not a spec; `undercroft export` writes it in other formats"
_MAPS = (".tmj", ".tmx", ".world", ".ldtk")


def spec_with(name: str, values: Sequence[str]) -> LevelSpec:
    """Load the spec that the command line names, with the values set there."""
    spec = _spec_of_input() if streams.is_dash(name) else _named_spec(name)
    pairs = key_values(values, "--set")
    return spec.replace({key: toml_value(value) for key, value in pairs.items()}, "--set")


def _named_spec(name: str) -> LevelSpec:
    from generator.spec import load_spec

    if name.lower().endswith(".json"):
        raise BadInput(f"{name}: {_SAVED}")
    if name.lower().endswith(_MAPS) and Path(name).is_file():
        raise BadInput(
            f"{name}: is a map, not a spec; `undercroft import {name} --out DIR` makes a level of it"
        )
    return load_spec(name)


def _spec_of_input() -> LevelSpec:
    """Read the spec on standard input, whose folders and files are relative to the current folder."""
    from generator.spec.read import MAX_BYTES, parse_spec

    if streams.has_levels():
        raise BadInput(f"{streams.INPUT}: {_SAVED}")
    return parse_spec(streams.input_text(MAX_BYTES, SpecError), streams.INPUT, Path())


def stem_of(spec_name: str) -> str:
    """Return what files of a spec's levels are called by: its name, or that of its file."""
    return streams.STEM if streams.is_dash(spec_name) else Path(spec_name).stem


def warn_of_others(*, formats: bool = False) -> None:
    """Say on standard error which styles of other packages, or also which formats, cannot be used."""
    from exporters.registry import usable_exporters
    from generator.styles.registry import usable_styles

    usable_styles(tell)
    if formats:
        usable_exporters(tell)


def own_name(name: str | None, default: str) -> str:
    """Return the name of files that somebody chose, or the default. Raises BadInput if it is empty."""
    if name is not None and not name.strip():
        raise BadInput("--name: is empty; give a name, or leave it out")
    return default if name is None else file_name(name)


def tell_of_name(where: str, name: str | None) -> None:
    """Say that files cannot have a name as it is, and get a similar one."""
    if name and file_name(name) != name:
        allowed = "at most 120 of A-Z, a-z, 0-9, dots, _ and -"
        tell(f"{where}: {shown(name)} is changed for the names of files, which have {allowed}")


def default_name(spec_name: str, seed: str, values: Sequence[str]) -> str:
    """Return `SPEC-SEED` and a `-KEY-VALUE` for each value set, as a name that any file system takes."""
    pairs = key_values(values, "--set").items()
    return file_name(stem_of(spec_name), seed, *(text for pair in pairs for text in pair))


def words_for(command: str, spec: str, values: Sequence[str], theme: Path | None) -> list[str]:
    """Return the words with which a command makes levels of a spec again, for people to copy."""
    words = ["undercroft", command, spec, *(word for value in values for word in ("--set", value))]
    return [*words, "--theme", str(theme)] if theme else words


def seed_of(level: Level) -> str:
    """Return the seed of a level as it was given."""
    return str(level.seed) if level.seed_text is None else level.seed_text


# --- colours -----------------------------------------------------------------------------------------

color_option = click.option(
    "--color",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    help="Print in colours. Default: auto, on a terminal unless NO_COLOR is set.",
)


def is_coloured(choice: str = "auto") -> bool:
    """Decide whether to print in colours.

    `auto` follows NO_COLOR (https://no-color.org), then FORCE_COLOR and CLICOLOR_FORCE, then CLICOLOR=0
    (https://bixense.com/clicolors) and a dumb terminal; without them a terminal has colours.
    """
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    if os.environ.get("CLICOLOR") == "0" or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


# --- rules that a level may break --------------------------------------------------------------------


def _known_rules(_ctx: click.Context, _param: click.Parameter, rules: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rules that were given. Raises BadInput for one that is unknown or that every level needs."""
    if rules:
        from generator.checks import REQUIRED, name_of, rules_to_allow

        needed, known = {name_of(check) for check in REQUIRED}, rules_to_allow()
        for rule in rules:
            if rule in needed:
                raise BadInput(
                    f"--allow: {rule} cannot be allowed: every level must follow it; fix the level"
                )
            if rule not in known:
                raise BadInput(f"--allow: {unknown('rule', rule, known)}")
    return rules


allow_option = click.option(
    "--allow",
    multiple=True,
    metavar="RULE",
    callback=_known_rules,
    shell_complete=completes("rules"),
    help="A rule that levels may break, such as fair-at-the-door: reported as a note, without effect on the "
    "exit status. Repeat as needed.",
)


no_check_option = flag(
    "--no-check",
    "Write levels of your own kit, layouts or flow without holding them against the rules of `check` first.",
    "unchecked",
)


def parted(lines: Iterable[str], allow: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split problems into those of allowed rules, which come second, and others. Lines end with their rule.

    What follows from another line of the same part is left out.
    """
    if not (lines := [*lines]):
        return [], []
    from generator.checks.told import causes  # most runs find no problem

    endings = tuple(f" [{rule}]" for rule in allow)
    problems: list[str] = []
    notes: list[str] = []
    for line in lines:
        (notes if line.endswith(endings) else problems).append(line)
    return causes(problems), causes(notes)
