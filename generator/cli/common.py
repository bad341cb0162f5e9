"""What several commands share: options, values typed by people, and how results are told."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from generator.errors import BadInput, one_line, shown
from generator.names import distinct_name

if TYPE_CHECKING:
    from exporters import Bundle
    from exporters.misfits import Misfit
    from generator.level import Level
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
    help="A format to write; repeat as needed. Default: all.",
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
json_option = click.option("--json", "as_json", is_flag=True, help="Print results as JSON, for machines.")


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


def toml_value(text: str) -> object:
    """A text as TOML's value (`3`, `true`, `[15, 9]`, `"x"`), or else as the plain text that it is."""
    if "\n" in text or "\r" in text:
        return text
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


def default_name(spec_name: str, seed: str, values: Sequence[str]) -> str:
    """`SPEC-SEED` and a `-KEY-VALUE` for each value set, in characters that any file system takes."""
    parts = [Path(spec_name).stem, seed]
    for key, given in key_values(values, "--set").items():
        parts += [key, given]
    return distinct_name("-".join(parts))


def write_file(path: Path, data: bytes, made_from: Iterable[Path] = ()) -> None:
    """Write one file in the way all are written; BadInput if it is one of those that it was made from."""
    from exporters.bundle import Bundle

    try:
        bundle = Bundle({path.name: data})
    except ValueError:
        raise BadInput(f"{path}: is no file's name; give another") from None
    bundle.guard(made_from)
    bundle.write(path.parent)


class Written(NamedTuple):
    """The files that were written, people's own that were left as they are, and which of these do not fit."""

    paths: list[Path]
    kept: list[Path]
    misfits: Sequence[Misfit] = ()


def write_level(
    level: Level,
    formats: Sequence[str],
    options: Sequence[str],
    options_file: Path | None,
    theme: Path | None,
    out: Path,
    name: str,
) -> Written:
    """Export a level, all in memory first, and write it below `out`."""
    import exporters

    given: dict[str, object] = {}
    if options_file is not None:
        given |= exporters.load_options(options_file, formats or exporters.format_names())
    given |= key_values(options, "--option")
    bundle: Bundle = exporters.export(level, formats or None, options=given, theme=theme, name=name)
    kept = bundle.kept(out)
    found = _misfits(out, [path.relative_to(out).as_posix() for path in kept], bundle) if kept else []
    return Written(bundle.write(out), kept, found)


def _misfits(out: Path, kept: Sequence[str], bundle: Bundle) -> list[Misfit]:
    from exporters.misfits import misfits

    return list(misfits(out, kept, bundle))


def tell_written(written: Written, facts: Mapping[str, object], quiet: bool, as_json: bool) -> None:
    """Say which files there are now, and on standard error which of them are older than this run."""
    paths, kept = ([str(path) for path in some] for some in (written.paths, written.kept))
    if as_json:
        gone = [each.facts() for each in written.misfits]
        click.echo(json.dumps({**facts, "files": paths, "kept": kept, "misfits": gone}))
    elif not quiet:
        for path in paths:
            click.echo(path)
    for path in kept:
        click.echo(f"undercroft: {one_line(path)}: was edited by hand and was not overwritten", err=True)
    for each in written.misfits:
        click.echo(f"undercroft: {one_line(f'{each.file}: {each.said()}')}", err=True)
