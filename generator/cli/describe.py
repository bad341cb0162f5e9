"""`undercroft describe`: every value and option, for machines."""

from __future__ import annotations

import json
from typing import Any

import click


@click.command()
@click.argument("name", metavar="[SPEC|FORMAT]", required=False)
def command(name: str | None) -> None:
    """Print as JSON every value of a spec's style, or every option of a FORMAT; without a name, all."""
    import exporters
    from generator.spec import STYLES, describe, load_spec

    table: dict[str, Any]
    if name is None:
        table = {
            "styles": {style: _style(style) for style in STYLES},
            "formats": {form: exporters.describe_format(form) for form in exporters.format_names()},
        }
    elif name in exporters.format_names():
        table = {"format": name, "options": exporters.describe_format(name)}
    elif name in STYLES:
        table = _style(name)
    else:
        spec = load_spec(name)
        given = spec.to_dict()
        given.pop("style")
        table = {"style": spec.style, "summary": spec.summary, "values": describe(type(spec)), "given": given}
    click.echo(json.dumps(table, indent=1))


def _style(name: str) -> dict[str, Any]:
    from generator.spec import STYLES, describe

    return {"style": name, "summary": STYLES[name].summary, "values": describe(STYLES[name])}
