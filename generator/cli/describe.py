"""`undercroft describe` and `presets`: every value and option, and the specs that ship with the package."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.formatting import HelpFormatter

from generator.cli import common, json_lines, runs, tables, writing
from generator.cli.helpful import HelpfulCommand, named_argument
from generator.cli.printed_toml import print_toml
from generator.errors import BadInput, hint, shown
from generator.shipped_files import shipped_folder, shipped_tables
from generator.value_words import by_group, range_and_default, said_rules, toml
from generator.version import VERSION

if TYPE_CHECKING:
    from exporters.edits.dry_run import DryRun
    from generator.kinds import Kit
    from generator.spec import LevelSpec
    from generator.styles.base import Style

# --- describe ----------------------------------------------------------------------------------------


@click.command(cls=HelpfulCommand)
@named_argument(
    "name", metavar="[SPEC|FORMAT]", required=False, shell_complete=common.completes("specs_and_formats")
)
@common.set_option
@common.color_option
@common.file_option(
    "--html", "Write one page instead: each value of SPEC, with levels that show what it does."
)
@common.seed_option
@common.theme_option
@runs.jobs_option
@writing.edits_option()
@writing.dry_run_option
@tables.csv_option
@common.json_option
def describe_command(
    name: str | None,
    values: tuple[str, ...],
    color: str,
    html: Path | None,
    seed: str | None,
    theme: Path | None,
    jobs: int,
    edits: str,
    dry_run: DryRun | None,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Explain every value of a SPEC's style, or every option of a FORMAT.

    On a terminal this is a table; in a pipe and with --json it is JSON. Without a name, the table lists the
    presets, styles and formats, and the JSON holds everything about them. If a spec has a kit, or
    --set kit=DIR gives it one, the facts that the kit adds are there too.
    """
    tables.refuse_both(as_csv, as_json)
    if html:
        if as_csv:
            raise BadInput("--csv: does not go with --html, which writes a page instead; leave one out")
        output = writing.WriteOptions(edits, as_json=as_json, dry_run=dry_run)
        _write_chart(name, values, html, seed, theme, jobs, output)
        return
    if unused := common.first_given("seed", "theme", "jobs", "edits", "dry_run"):
        raise BadInput(f"{unused}: goes with --html, which writes a page; give --html FILE too")
    if name is None and values:
        raise click.UsageError("--set: name the SPEC that it changes")
    for_people = as_csv or (sys.stdout.isatty() and not as_json)
    overview = _overview if for_people else _everything
    table = overview() if name is None else _about(name, values)
    if as_csv:
        tables.print_csv(*_csv(table))
        return
    if not for_people:
        json_lines.emit("description", **table)
        return
    is_coloured = common.is_coloured(color)
    click.echo(_page(table, name, is_coloured), nl=False, color=is_coloured)


def _write_chart(
    name: str | None,
    values: tuple[str, ...],
    path: Path,
    seed: str | None,
    theme: Path | None,
    jobs: int,
    output: writing.WriteOptions,
) -> None:
    from exporters.edits.steps import one_step
    from exporters.pages.cards import CardOptions
    from exporters.pages.chart import SEEDS, Chart, chart_page, charted_block
    from exporters.theme.loader import load_theme
    from generator.pipeline import generate

    writing.require_ending("--html", path, ".html", ".htm")
    if name is None:
        raise BadInput("--html: shows what the values of a spec do; name the SPEC")
    table = _about(name, values)
    if "format" in table:
        raise BadInput(f"--html: shows what the values of a spec do, and {name} is a format; name a SPEC")
    spec, dressed = common.spec_with(name, values), load_theme(theme)
    first = generate(spec, seed)
    seeds = (first.seed_text or first.seed, *(i for i in range(1, SEEDS + 1) if i != first.seed))[:SEEDS]
    words = common.words_for("generate", name, values, theme)
    chart = Chart(spec, flat(spec.to_dict()), tuple(words), seeds, CardOptions(None, theme, (spec.style,)))
    rows = table["values"]
    blocks = runs.over_blocks(charted_block, ((chart, [row]) for row in rows), len(rows), jobs, "drawing")
    charted = [value for block in blocks for value in block]
    title = ", ".join([name, *values, f"seed {seeds[0]}"])
    page = chart_page(title, table["summary"], chart, charted, dressed)
    facts = {"values": len(rows), "bytes": len(page)}
    with one_step():
        output.write_file(path, page, facts, dressed.sources, flag="--html", printed_as="values.html")


def _overview() -> dict[str, Any]:
    """Return the names and summaries alone, without what takes long to describe."""
    from exporters.registry import usable_exporters
    from generator.spec import preset_names, preset_summary
    from generator.styles.registry import usable_styles

    common.warn_of_others(formats=True)
    return {
        "presets": {name: preset_summary(name) for name in preset_names(others=True)},
        "styles": {style.name: style.summary for style in usable_styles()},
        "formats": {form.name: form.summary for form in usable_exporters()},
    }


def _everything() -> dict[str, Any]:
    from exporters.base import BUILT_IN_THEME
    from exporters.registry import format_facts, usable_exporters
    from generator.cli.recognise import marks
    from generator.spec import load_spec, preset_names, preset_summary
    from generator.styles.registry import usable_styles

    common.warn_of_others(formats=True)
    icons = shipped_tables(shipped_folder("exporters") / "themes")[f"{BUILT_IN_THEME}.toml"]["marker"]
    return {
        "version": VERSION,
        "presets": [
            {"name": name, "summary": preset_summary(name), **_given(load_spec(name))}
            for name in preset_names(others=True)
        ],
        "styles": {style.name: _style(style) for style in usable_styles()},
        "formats": {form.name: format_facts(form) for form in usable_exporters()},
        "theme": {
            "key": "theme",
            "default": BUILT_IN_THEME,
            "help": common.THEME_HELP,
            "icons": {name: row["icon"] for name, row in sorted(icons.items())},
        },
        "files": marks(),
    }


def _about(name: str, values: tuple[str, ...]) -> dict[str, Any]:
    """Describe a format, a style, or a spec."""
    import exporters
    from exporters.registry import format_facts
    from generator.spec import preset_names
    from generator.styles.registry import style, style_names

    if name in exporters.format_names(others=True) and not values:
        return format_facts(exporters.exporter(name))
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


_CSV_FACTS = ("key", "group", "type", "default", "low", "high", "step", "unit", "choices", "help")


def _csv(table: dict[str, Any]) -> tuple[Sequence[str], list[list[object]]]:
    """Return the header and the rows of what is described: all names, or values or options."""
    if "presets" in table:
        named = [(what.removesuffix("s"), rows) for what, rows in table.items()]
        return ("what", "name", "summary"), [[what, *row] for what, rows in named for row in rows.items()]
    described = table.get("values", table.get("options", []))
    rows = [[row.get(fact) for fact in _CSV_FACTS] for row in described]
    if "given" not in table:
        return _CSV_FACTS, rows
    given = flat(table["given"])
    here = [given.get(row["key"], row["default"]) for row in described]
    return (*_CSV_FACTS, "here"), [[*row, value] for row, value in zip(rows, here, strict=True)]


def _style(style: Style, kit: Kit | None = None) -> dict[str, Any]:
    from generator.spec import describe

    seed = {"key": "seed", "default": str(style.read_seed(None)[0]), "help": common.SEED_HELP}
    return {"style": style.name, "summary": style.summary, "seed": seed, "values": describe(style.spec, kit)}


def _given(spec: LevelSpec) -> dict[str, Any]:
    """Return what a preset or a file makes of its style's values."""
    table = spec.to_dict()
    return {"style": table.pop("style"), "given": table}


def _page(table: dict[str, Any], name: str | None, coloured: bool) -> str:
    """Lay out the page for people."""
    import shutil

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


# --- tables for people -------------------------------------------------------------------------------

_WIDEST = 110  # longer lines are hard to read
_GAP = 2


class DescribePage:
    """Lines for people, with colours if asked for."""

    def __init__(self, width: int, coloured: bool) -> None:
        self._width = max(40, min(width, _WIDEST))
        self._coloured = coloured
        self._lines: list[str] = []

    def text(self) -> str:
        """Return the page, with a newline at its end."""
        return "\n".join(self._lines) + "\n"

    def title(self, name: str, summary: str) -> None:
        """Add what the page is about."""
        self._wrapped(f"{name}: {summary}", {name: self._styled(name, bold=True)})

    def note(self, text: str) -> None:
        """Add a paragraph between empty lines."""
        self._lines.append("")
        self._wrapped(text)

    def values(self, rows: Sequence[Mapping[str, Any]], chosen: Mapping[str, Any] | None = None) -> None:
        """Add a table under each heading: key, what may be given, default, and help.

        `chosen` are the values of a spec by their keys; those that are not the default are told.
        """
        by_key = {row["key"]: row for row in rows}
        column = max(len(key) for key in by_key) + _GAP
        for heading, section in by_group(rows, "Options").items():
            self._lines += ["", self._styled(heading, bold=True)]
            for row in section:
                self._value(row, by_key, column, chosen)

    def _value(
        self,
        row: Mapping[str, Any],
        rows: Mapping[str, Mapping[str, Any]],
        column: int,
        chosen: Mapping[str, Any] | None,
    ) -> None:
        default = toml(row["default"])
        current = toml(chosen[row["key"]]) if chosen and row["key"] in chosen else default
        key = self._styled(row["key"], fg="cyan") + " " * (column - len(row["key"]))
        lines = [*self._parts(range_and_default(row), column), *self._parts(row["help"], column)]
        if current != default:
            lines.insert(0, self._styled(f"here {current}", bold=True))
        for rule in said_rules(row, rows):
            lines += [self._styled(line, dim=True) for line in self._parts(rule, column)]
        for index, line in enumerate(lines):
            self._lines.append(f"  {' ' * column if index else key}{line}")

    def _parts(self, text: str, column: int) -> list[str]:
        return textwrap.wrap(text, max(20, self._width - column - _GAP), break_on_hyphens=False)

    def names(self, heading: str, rows: Iterable[tuple[str, str]]) -> None:
        """Add a heading, and names with what each is."""
        formatter = HelpFormatter(width=self._width)
        formatter.indent()
        formatter.write_dl([*rows])
        lines = formatter.getvalue().rstrip("\n").split("\n")
        self._lines += ["", self._styled(heading, bold=True), *lines]

    def _wrapped(self, text: str, styled: Mapping[str, str] | None = None) -> None:
        lines = textwrap.wrap(text, self._width, break_on_hyphens=False)
        for plain, painted in (styled or {}).items():
            lines[0] = lines[0].replace(plain, painted, 1)
        self._lines += lines

    def _styled(self, text: str, **style: Any) -> str:
        return click.style(text, **style) if self._coloured else text


def flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Flatten a spec's values to dotted keys."""
    flattened: dict[str, Any] = {}
    for key, value in table.items():
        flattened |= (
            flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {f"{prefix}{key}": value}
        )
    return flattened


# --- presets -----------------------------------------------------------------------------------------


@click.command(cls=HelpfulCommand)
@click.argument("name", required=False, shell_complete=common.completes("presets"))
@common.flag("--full", "Print every value of the spec, with its help and range as comments.")
@common.setting_option("With --full: change a value, such as kit=DIR, which adds the facts of your kit")
@tables.csv_option
@common.json_option
def presets_command(
    name: str | None, full: bool, values: tuple[str, ...], as_csv: bool, as_json: bool
) -> None:
    """List the presets, or print the TOML of one, to start a spec of your own from.

    Styles of other packages are among them: their names stand for their defaults.
    """
    from generator.spec import preset_names

    tables.refuse_both(as_csv, as_json)
    if as_csv and name:
        raise BadInput("--csv: is for the list of presets, and a preset is TOML; leave --csv or NAME out")
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
        rows[0]["toml"] = full_toml(common.spec_with(name, values), rows[0]["summary"])
    if as_json:
        for row in rows:
            json_lines.emit("preset", **row)
    elif name:
        print_toml(rows[0]["toml"], "spec")
    elif as_csv:
        facts = "name", "style", "summary"
        tables.print_csv(facts, ([row[fact] for fact in facts] for row in rows))
    else:
        for line in tables.columns([[row["name"], row["summary"]] for row in rows], "<"):
            click.echo(line)


def _row(preset: str) -> dict[str, str]:
    from generator.spec import parse_spec, preset_summary, preset_text

    text = preset_text(preset)
    style = parse_spec(text).style
    return {"name": preset, "style": style, "summary": preset_summary(preset), "toml": text}


# --- a spec with all its values ----------------------------------------------------------------------

_WIDTH = 100


def full_toml(spec: LevelSpec, summary: str) -> str:
    """Write the text of a spec's file, which reads as the same spec. Each value has its help as a comment."""
    from generator.spec import describe

    rows = describe(type(spec), spec.load_kit())
    by_key = {row["key"]: row for row in rows}
    table = spec.to_dict()
    style = table.pop("style")
    lines = [*_comment(summary), f"style = {toml(style)}"]
    for group, members in by_group((row for row in rows if "." not in row["key"]), "Values").items():
        lines += ["", f"# --- {group} ---"]
        for row in members:
            lines += _entry(row, row["key"], table[row["key"]], by_key)
    for name, values in _tables(table, by_key):
        lines += ["", f"[{name}]"]
        for key, value in values.items():
            lines += _entry(by_key.get(f"{name}.{key}", {}), key, value, by_key)
    return "\n".join(lines) + "\n"


def _tables(table: Mapping[str, Any], rows: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the tables for people, and those that a program filled in, such as what a run remembers."""
    for name, values in table.items():
        if isinstance(values, Mapping) and (
            any(f"{name}.{key}" in rows for key in values) or any(values.values())
        ):
            yield name, values


def _entry(row: Mapping[str, Any], key: str, value: object, rows: Mapping[str, Any]) -> Sequence[str]:
    """Return the lines of a value below its comment."""
    if not row:
        return [f"{key} = {toml(value)}"]
    rules = [line for rule in said_rules(row, rows) for line in _comment(rule)]
    return ["", *_comment(row["help"]), *_comment(range_and_default(row)), *rules, f"{key} = {toml(value)}"]


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(text, _WIDTH - 2, break_on_hyphens=False)]
