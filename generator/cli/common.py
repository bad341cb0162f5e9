"""What several commands share: options, values typed by people, and how results are told."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from generator.errors import BadInput, one_line, shown
from generator.names import file_name

if TYPE_CHECKING:
    from generator.kinds import Kit
    from generator.spec import LevelSpec

F = TypeVar("F", bound=Callable[..., Any])

SEED_HELP = (
    "A number from 0 to 2^64 - 1, or any text; for the style rebirth also one of the game's codes. "
    "Default: 0; for rebirth, which has no seed 0, it is 1."
)
THEME_HELP = "A theme's TOML. Default: the built-in one."

seed_option = click.option("--seed", metavar="SEED", help=SEED_HELP)
set_option = click.option(
    "--set",
    "values",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a value of the spec; repeat as needed.",
)
to_option = click.option(
    "--to",
    "formats",
    multiple=True,
    metavar="FORMAT",
    help="A format to write; repeat as needed. `undercroft describe` lists them. Default: all built in.",
)
theme_option = click.option(
    "--theme",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help=THEME_HELP,
)
option_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="An exporter's option, such as png.markers=true.",
)
options_option = click.option(
    "--options",
    "options_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A TOML file of exporters' options, a table a format; --option goes over it.",
)
quiet_option = click.option("--quiet", is_flag=True, help="Print no paths of the files written.")
kit_option = click.option(
    "--kit",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The folder of your own kit, if the layouts hold kinds of it.",
)
kit_of_flow_option = click.option(
    "--kit",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The folder of your own kit, if rooms are of kinds of it.",
)
accept_edits_option = click.option(
    "--accept-edits",
    is_flag=True,
    help="Take a level.json that was changed by hand, if it breaks no rule.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print results as JSON, for machines.")


def tell_problems(found: Sequence[Mapping[str, str]], as_json: bool) -> None:
    """Print problems, a line each, and end with exit status 1 if there is any."""
    if as_json:
        click.echo(json.dumps(found))
    else:
        for each in found:
            click.echo(each["problem"])
    if found:
        raise SystemExit(1)


def out_option(required: bool) -> Callable[[F], F]:
    """`--out`: the folder to write to, the current one unless required."""
    default: dict[str, Any] = {} if required else {"default": "."}  # a default of None would count as given
    return click.option(
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        required=required,
        **default,
        metavar="DIR",
        help="The folder to write to; made if it is missing.",
    )


def key_values(texts: Sequence[str], flag: str) -> dict[str, str]:
    """`KEY=VALUE` texts as a dictionary. Raises BadInput for one without `=`."""
    example = "stage=3" if flag == "--set" else "png.scale=2"
    pairs = {}
    for text in texts:
        key, equals, given = text.partition("=")
        if not key or not equals:
            raise BadInput(f"{flag}: {shown(text)} is not KEY=VALUE; write it so, such as {example}")
        pairs[key] = given
    return pairs


def kit_in(folder: Path | None) -> Kit:
    """The kit of a folder, or the shipped one. Raises KitError."""
    from generator.kinds import read_kit, shipped_kit

    return read_kit(folder) if folder else shipped_kit()


def toml_value(text: str) -> object:
    """A text as TOML's value (`3`, `true`, `[15, 9]`, `"x"`), or else as the plain text that it is."""
    if "\n" in text or "\r" in text:
        return text
    import tomllib  # only for those who set something

    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):  # ValueError: no TOML, or a number of 5000 digits
        return text


def spec_with(name: str, values: Sequence[str]) -> LevelSpec:
    """The spec that the command line names, with the values set there."""
    from generator.spec import load_spec

    spec = load_spec(name)
    pairs = key_values(values, "--set")
    return spec.replace({key: toml_value(given) for key, given in pairs.items()}, "--set")


def warn_of_others(*, formats: bool = False) -> None:
    """Say on standard error which styles of other packages, or also which formats, cannot be used."""
    from exporters.registry import usable_exporters
    from generator.styles.registry import usable_styles

    def warn(line: str) -> None:
        click.echo(f"undercroft: {one_line(line)}", err=True)

    usable_styles(warn)
    if formats:
        usable_exporters(warn)


def default_name(spec_name: str, seed: str, values: Sequence[str]) -> str:
    """`SPEC-SEED` and a `-KEY-VALUE` for each value set, as a name that any file system takes."""
    pairs = key_values(values, "--set").items()
    return file_name(Path(spec_name).stem, seed, *(text for pair in pairs for text in pair))
