"""`undercroft generate`: a level from a spec and a seed."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import common
from generator.names import safe_name


@click.command()
@click.argument("spec")
@common.seed_option
@common.set_option
@common.to_option
@common.theme_option
@common.option_option
@common.options_option
@common.out_option(required=False)
@click.option("--name", metavar="NAME", help="The files' name. Default: SPEC-SEED and the values set.")
@common.quiet_option
@common.json_option
def command(
    spec: str,
    seed: str | None,
    values: tuple[str, ...],
    formats: tuple[str, ...],
    theme: Path | None,
    options: tuple[str, ...],
    options_file: Path | None,
    out: Path,
    name: str | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Generate the level of SPEC, a preset's name or a TOML file, and write it."""
    from generator.pipeline import generate

    level = generate(common.spec_with(spec, values), seed)
    name = safe_name(name) if name else common.default_name(spec, seed or str(level.seed), values)
    written = common.write_level(level, formats, options, options_file, theme, out, name)
    facts = {"name": name, "seed": str(level.seed), "fingerprint": level.fingerprint}
    common.tell_written(written, facts, quiet, as_json)
