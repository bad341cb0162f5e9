"""`undercroft presets`: the specs that ship with the package."""

from __future__ import annotations

import json

import click

from generator.cli import common


@click.command()
@click.argument("name", required=False)
@common.json_option
def command(name: str | None, as_json: bool) -> None:
    """List the presets, or print the TOML of one, to start a spec of your own from.

    Styles of other packages are among them: their names stand for their defaults.
    """
    from generator.spec import preset_names

    if name is None:
        common.warn_of_others()
    rows = [_row(preset) for preset in ([name] if name else preset_names(others=True))]
    if as_json:
        click.echo(json.dumps(rows[0] if name else rows, indent=1))
    elif name:
        click.echo(rows[0]["toml"], nl=False)
    else:
        for row in rows:
            click.echo(f"{row['name']:12} {row['summary']}")


def _row(preset: str) -> dict[str, str]:
    from generator.spec import parse_spec, preset_text

    text = preset_text(preset)
    style = parse_spec(text).style
    return {"name": preset, "style": style, "summary": summary_of(preset), "toml": text}


def summary_of(preset: str) -> str:
    """What a preset says of itself in its first line."""
    from generator.spec import preset_text

    return preset_text(preset).splitlines()[0].removeprefix("#").strip()
