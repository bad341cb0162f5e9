"""`undercroft presets`: the specs that ship with the package."""

from __future__ import annotations

import click

from generator.cli import common, json_lines
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput


@click.command(cls=HelpfulCommand)
@click.argument("name", required=False, shell_complete=common.completes("presets"))
@click.option(
    "--full", is_flag=True, help="Print every value of the spec, with its help and range as comments."
)
@click.option(
    "--set",
    "values",
    multiple=True,
    metavar="KEY=VALUE",
    shell_complete=common.completes("settings"),
    help="With --full: change a value; kit=DIR adds the facts of your kit. Repeat as needed.",
)
@common.json_option
def command(name: str | None, full: bool, values: tuple[str, ...], as_json: bool) -> None:
    """List the presets, or print the TOML of one, to start a spec of your own from.

    Styles of other packages are among them: their names stand for their defaults.
    """
    from generator.spec import preset_names

    if full and name is None:
        raise BadInput(f"--full: name a preset too; there are {', '.join(preset_names(others=True))}")
    if values and not full:
        raise BadInput("--set: goes with --full; the TOML of a preset is printed as it is")
    if name and name.lower().endswith(".toml"):
        raise BadInput(f"{name}: is a file, not a preset; there are {', '.join(preset_names(others=True))}")
    if name is None:
        common.warn_of_others()
    rows = [_row(preset) for preset in ([name] if name else preset_names(others=True))]
    if name and full:
        rows[0]["toml"] = _full(name, rows[0]["summary"], values)
    if as_json:
        for row in rows:
            json_lines.emit("preset", **row)
    elif name:
        click.echo(rows[0]["toml"], nl=False)
    else:
        widest = max(len(row["name"]) for row in rows)
        for row in rows:
            click.echo(f"{row['name']:{widest}}  {row['summary']}")


def _row(preset: str) -> dict[str, str]:
    from generator.spec import parse_spec, preset_text

    text = preset_text(preset)
    style = parse_spec(text).style
    return {"name": preset, "style": style, "summary": summary_of(preset), "toml": text}


def summary_of(preset: str) -> str:
    """Return what a preset says of itself in its first line."""
    from generator.spec import preset_text

    return preset_text(preset).splitlines()[0].removeprefix("#").strip()


def _full(name: str, summary: str, values: tuple[str, ...]) -> str:
    """Write the preset's TOML with every value of its style."""
    from generator.cli.full_spec import full_toml

    return full_toml(common.spec_with(name, values), summary)
