"""`undercroft presets`: the specs that ship with the package."""

from __future__ import annotations

import click


@click.command()
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the presets, or print the TOML of one, to start a spec of your own from."""
    from generator.spec import preset_names, preset_text

    if name:
        click.echo(preset_text(name), nl=False)
        return
    for preset in preset_names():
        first = preset_text(preset).splitlines()[0].removeprefix("#").strip()
        click.echo(f"{preset:12} {first}")
