"""`undercroft describe`: every value and option, as tables for people, as JSON for programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from generator.cli import colours, common, json_lines
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, hint, shown

if TYPE_CHECKING:
    from exporters.base import Exporter
    from generator.kinds import Kit
    from generator.spec import LevelSpec
    from generator.styles.base import Style


@click.command(cls=HelpfulCommand)
@click.argument(
    "name", metavar="[SPEC|FORMAT]", required=False, shell_complete=common.completes("specs_and_formats")
)
@common.set_option
@colours.color_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as in a pipe.")
def command(name: str | None, values: tuple[str, ...], color: str, as_json: bool) -> None:
    """Explain every value of a SPEC's style, or every option of a FORMAT.

    On a terminal this is a table; in a pipe and with --json it is JSON. Without a name, the table lists the
    presets, styles and formats, and the JSON holds everything about them. If a spec has a kit, or
    --set kit=DIR gives it one, the facts that the kit adds are there too.
    """
    if name is None and values:
        raise click.UsageError("--set: name the SPEC that it changes")
    for_people = sys.stdout.isatty() and not as_json
    overview = _overview if for_people else _everything
    table = overview() if name is None else _about(name, values)
    if not for_people:
        json_lines.emit("description", **table)
        return
    is_coloured = colours.is_coloured(color)
    click.echo(_page(table, name, is_coloured), nl=False, color=is_coloured)


def _overview() -> dict[str, Any]:
    """Return the names and summaries alone, without what takes long to describe."""
    from exporters.registry import usable_exporters
    from generator.cli.presets import summary_of
    from generator.spec import preset_names
    from generator.styles.registry import usable_styles

    common.warn_of_others(formats=True)
    return {
        "presets": {name: summary_of(name) for name in preset_names(others=True)},
        "styles": {style.name: style.summary for style in usable_styles()},
        "formats": {form.name: form.summary for form in usable_exporters()},
    }


def _everything() -> dict[str, Any]:
    from exporters.base import BUILT_IN_THEME
    from exporters.registry import usable_exporters
    from generator.cli.presets import summary_of
    from generator.spec import load_spec, preset_names
    from generator.styles.registry import usable_styles
    from generator.version import VERSION

    common.warn_of_others(formats=True)
    return {
        "version": VERSION,
        "presets": [
            {"name": name, "summary": summary_of(name), **_given(load_spec(name))}
            for name in preset_names(others=True)
        ],
        "styles": {style.name: _style(style) for style in usable_styles()},
        "formats": {form.name: _format(form) for form in usable_exporters()},
        "theme": {"key": "theme", "default": BUILT_IN_THEME, "help": common.THEME_HELP},
    }


def _about(name: str, values: tuple[str, ...]) -> dict[str, Any]:
    """Describe a format, a style, or a spec."""
    import exporters
    from generator.spec import preset_names
    from generator.styles.registry import style, style_names

    if name in exporters.format_names(others=True) and not values:
        return _format(exporters.exporter(name))
    if name in style_names() and not values:
        return _style(style(name))
    if values and name in exporters.format_names(others=True):
        raise BadInput(f"--set: {name} is a format, which has no values of a spec; leave --set out")
    known = (*preset_names(others=True), *style_names(), *exporters.format_names(others=True))
    if name not in known and not name.lower().endswith((".toml", ".json")):
        remedy = hint(name, sorted({*known}))
        raise BadInput(f"{shown(name)} is neither a preset, a format nor a TOML file; {remedy}")
    spec = common.spec_with(name, values)
    return _style(style(spec.style), spec.load_kit()) | _given(spec)


def _style(style: Style, kit: Kit | None = None) -> dict[str, Any]:
    from generator.spec import describe

    seed = {"key": "seed", "default": str(style.read_seed(None)[0]), "help": common.SEED_HELP}
    return {
        "style": style.name,
        "summary": style.summary,
        "seed": seed,
        "values": describe(style.spec, kit),
    }


def _given(spec: LevelSpec) -> dict[str, Any]:
    """Return what a preset or a file makes of its style's values."""
    table = spec.to_dict()
    return {"style": table.pop("style"), "given": table}


def _format(form: Exporter) -> dict[str, Any]:
    from exporters.registry import describe

    return {
        "format": form.name,
        "summary": form.summary,
        "suffixes": list(form.suffixes),
        "options": describe(form),
    }


def _page(table: dict[str, Any], name: str | None, coloured: bool) -> str:
    """Lay out the page for people."""
    import shutil

    from generator.cli.describe_page import DescribePage, flat

    page = DescribePage(shutil.get_terminal_size().columns, coloured)
    if name is None:
        for heading, rows in table.items():
            page.names(heading.capitalize(), rows.items())
        page.note("`undercroft describe NAME` explains one of them: every value, or every option.")
    elif "format" in table:
        page.title(table["format"], f"{table['summary']} ({', '.join(table['suffixes'])})")
        if table["options"]:
            page.values(table["options"])
            page.note(f"Set one with `--option {table['options'][0]['key']}=VALUE`.")
        else:
            page.note("It has no options.")
    else:
        title = table["style"] if name == table["style"] else f"{name} (style {table['style']})"
        page.title(title, table["summary"])
        page.values(table["values"], flat(table["given"]) if "given" in table else None)
        page.note(f"--seed: {table['seed']['help']}")
        page.note(
            f"Set a value with `--set {table['values'][0]['key']}=VALUE`, or in a spec of your own: "
            f"`undercroft presets {table['style']} --full > my.toml` begins one."
        )
    return page.text()
