"""`undercroft show`: a level as text."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import common


@click.command()
@click.argument("source", metavar="SPEC|LEVEL.json")
@common.seed_option
@common.set_option
@click.option("--floorplan", "plan_only", is_flag=True, help="Only the floorplan, a letter a cell.")
def command(source: str, seed: str, values: tuple[str, ...], plan_only: bool) -> None:
    """Print a level as text: of SPEC, a preset's name or a TOML file, or of a saved level."""
    from generator.picture import floorplan_text, level_text
    from generator.pipeline import generate

    if source.endswith(".json"):
        text = level_text(common.load_level_or_fail(Path(source)))
    elif plan_only:
        text = floorplan_text(generate(common.spec_with(source, values), seed, until="floorplan"))
    else:
        text = level_text(generate(common.spec_with(source, values), seed))
    click.echo(text)
