"""`undercroft describe`: every value and option, for machines: schemas, help texts, an editor's dock."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from generator.cli import common

if TYPE_CHECKING:
    from generator.spec import LevelSpec


@click.command()
@click.argument("name", metavar="[SPEC|FORMAT]", required=False)
def command(name: str | None) -> None:
    """Print as JSON every value of a spec's style, or every option of a FORMAT; without a name, all."""
    import exporters
    from exporters.theme.loader import BUILT_IN
    from generator.cli.presets import summary_of
    from generator.spec import STYLES, load_spec, preset_names
    from generator.version import VERSION

    table: dict[str, Any]
    if name is None:
        table = {
            "version": VERSION,
            "presets": [
                {"name": name, "summary": summary_of(name), **_given(load_spec(name))}
                for name in preset_names()
            ],
            "styles": {style: _style(style) for style in STYLES},
            "formats": {form: _format(form) for form in exporters.format_names()},
            "theme": {"key": "theme", "default": BUILT_IN, "help": common.THEME_HELP},
        }
    elif name in exporters.format_names():
        table = _format(name)
    elif name in STYLES:
        table = _style(name)
    else:
        spec = load_spec(name)
        table = _style(spec.style) | _given(spec)
    click.echo(json.dumps(table, indent=1))


def _style(name: str) -> dict[str, Any]:
    from generator.seeds import as_seed
    from generator.spec import STYLES, describe

    seed = {"key": "seed", "default": str(as_seed(None, name)[0]), "help": common.SEED_HELP}
    return {
        "style": name,
        "summary": STYLES[name].summary,
        "seed": seed,
        "values": describe(STYLES[name]),
    }


def _given(spec: LevelSpec) -> dict[str, Any]:
    """What a preset or a file makes of its style's values."""
    given = spec.to_dict()
    return {"style": given.pop("style"), "given": given}


def _format(name: str) -> dict[str, Any]:
    import exporters

    form = exporters.exporter(name)
    return {
        "format": name,
        "summary": form.summary,
        "suffixes": list(form.suffixes),
        "options": exporters.describe_format(name),
    }
