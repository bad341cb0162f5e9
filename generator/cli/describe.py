"""`undercroft describe`: every value and option, for machines: schemas, help texts, an editor's dock."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from generator.cli import common

if TYPE_CHECKING:
    from exporters.base import Exporter
    from generator.kinds import Kit
    from generator.spec import LevelSpec
    from generator.styles.base import Style


@click.command()
@click.argument("name", metavar="[SPEC|FORMAT]", required=False)
@common.set_option
def command(name: str | None, values: tuple[str, ...]) -> None:
    """Print as JSON every value of a spec's style, or every option of a FORMAT; without a name, all.

    With a kit, of the spec or set by --set kit=DIR, its facts of the game are there too.
    """
    import exporters
    from exporters.registry import usable_exporters
    from exporters.theme.loader import BUILT_IN
    from generator.cli.presets import summary_of
    from generator.spec import load_spec, preset_names
    from generator.styles.registry import style, style_names, usable_styles
    from generator.version import VERSION

    table: dict[str, Any]
    if name is None and values:
        raise click.UsageError("--set: name the SPEC that it changes")
    if name is None:
        common.warn_of_others(formats=True)
        table = {
            "version": VERSION,
            "presets": [
                {"name": name, "summary": summary_of(name), **_given(load_spec(name))}
                for name in preset_names(others=True)
            ],
            "styles": {style.name: _style(style) for style in usable_styles()},
            "formats": {form.name: _format(form) for form in usable_exporters()},
            "theme": {"key": "theme", "default": BUILT_IN, "help": common.THEME_HELP},
        }
    elif name in exporters.format_names(others=True) and not values:
        table = _format(exporters.exporter(name))
    elif name in style_names() and not values:
        table = _style(style(name))
    else:
        spec = common.spec_with(name, values)
        table = _style(style(spec.style), spec.load_kit()) | _given(spec)
    click.echo(json.dumps(table, indent=1))


def _style(found: Style, kit: Kit | None = None) -> dict[str, Any]:
    from generator.spec import describe

    seed = {"key": "seed", "default": str(found.read_seed(None)[0]), "help": common.SEED_HELP}
    return {
        "style": found.name,
        "summary": found.summary,
        "seed": seed,
        "values": describe(found.spec, kit),
    }


def _given(spec: LevelSpec) -> dict[str, Any]:
    """What a preset or a file makes of its style's values."""
    given = spec.to_dict()
    return {"style": given.pop("style"), "given": given}


def _format(form: Exporter) -> dict[str, Any]:
    from exporters.options import describe

    return {
        "format": form.name,
        "summary": form.summary,
        "suffixes": list(form.suffixes),
        "options": describe(form),
    }
