"""JSON Schemas: all that ships fits them, and they take and refuse what the readers take and refuse."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from jsonschema.validators import validator_for

from exporters.builder.manifest import load_manifest
from exporters.registry import format_names, options_in, usable_exporters
from exporters.schemas import all_schemas, schema_files
from exporters.theme import file as theme_file
from exporters.theme.file import FRAME_MS, TILE_SIZE
from exporters.theme.loader import load_theme
from exporters.theme.schema import theme_schema
from generator import generate
from generator.cli import main
from generator.errors import BadInput, KitError
from generator.kinds import read_kit, shipped_kit
from generator.kinds.all_tables import RULE_TABLES
from generator.kinds.columns import KitNode
from generator.kinds.kind_tables import KIND_TABLES
from generator.kinds.rules import SEVERAL
from generator.kinds.settings import SETTING_TABLES
from generator.serialise import dumps
from generator.spec import describe, spec_from_dict
from generator.styles.gungeon.flows.flow_file import parse_flow
from generator.styles.gungeon.flows.library import shipped_rules
from generator.styles.registry import usable_styles
from generator.version import VERSION
from tests.cases import for_each
from tests.editors import marked
from tests.hostile import toml

ROOT = Path(__file__).parents[3]
SCHEMAS = all_schemas()
CHECKS = {name: validator_for(schema)(schema) for name, schema in SCHEMAS.items()}
SHIPPED = {
    "spec": [*ROOT.glob("generator/presets/*.toml"), *ROOT.glob("godot_addon/demo/specs/*.toml"), ROOT / "docs/campaign/heap.toml"],
    "manifest": [ROOT / "docs/campaign/undercroft.toml"],
    "kit": [*ROOT.glob("docs/examples/*/kit.toml"), ROOT / "generator/kinds/shipped/kit.toml"],
    "kit-rows": [path for path in (*ROOT.glob("docs/examples/[oh]*/*.toml"), *ROOT.glob("generator/kinds/shipped/*.toml")) if path.name not in ("kit.toml", "tiles.toml")],
    "theme": [ROOT / "exporters/themes/undercroft.toml", ROOT / "docs/examples/orbital/theme/orbital.toml", *ROOT.glob("docs/examples/sheets/*.toml")],
    "flow": [*ROOT.glob("generator/styles/gungeon/flows/shipped/*.toml"), ROOT / "godot_addon/demo/specs/flows/cellar.toml"],
}  # fmt: skip
FILES = [(name, path) for name, paths in SHIPPED.items() for path in paths]


def fits(name: str, table: object) -> bool:
    return bool(CHECKS[name].is_valid(table))


def table_of(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def below(schema: dict[str, Any], *keys: str) -> Any:
    for key in keys:
        schema = schema[key]
    return schema


# --- all of them --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_sound_and_has_a_version_and_says_what_it_is_of(name: str) -> None:
    schema = SCHEMAS[name]
    validator_for(schema).check_schema(schema)
    version = "1" if name == "level" else VERSION
    assert schema["$id"] == f"urn:undercroft:schema:{name}:{version}"
    assert schema["title"].startswith("Undercroft") and schema["description"]


@for_each(case=FILES)
def test_what_ships_fits_its_schema(case: tuple[str, Path]) -> None:
    name, path = case
    assert [error.message for error in CHECKS[name].iter_errors(table_of(path))] == []


def test_a_real_editor_of_toml_agrees(tmp_path: Path) -> None:
    """Taplo checks what ships, and marks a misspelt key in each kind of file."""
    for file, text in schema_files().items():
        (tmp_path / file).write_text(text, "utf-8")
    for number, (name, path) in enumerate(FILES):
        text = f"#:schema ./{name}.schema.json\n{path.read_text('utf-8')}"
        (tmp_path / f"good-{number}.toml").write_text(text, "utf-8")
    for name in SHIPPED:
        (tmp_path / f"bad-{name}.toml").write_text(f"#:schema ./{name}.schema.json\nmisspelt = 3\n", "utf-8")
    assert set(marked(tmp_path)) == {f"bad-{name}.toml" for name in SHIPPED}


def test_the_command_lists_prints_and_writes_them(tmp_path: Path) -> None:
    listed = CliRunner().invoke(main, ["schema"])
    assert [line.split()[0] for line in listed.stdout.splitlines()] == list(SCHEMAS)
    printed = CliRunner().invoke(main, ["schema", "spec"])
    assert json.loads(printed.stdout) == SCHEMAS["spec"]
    assert CliRunner().invoke(main, ["schema", "--out", str(tmp_path)]).exit_code == 0
    assert {path.name for path in tmp_path.glob("*.json")} == {f"{name}.schema.json" for name in SCHEMAS}
    refused = CliRunner().invoke(main, ["schema", "specs"])
    assert refused.exit_code == 2 and "did you mean spec?" in refused.stderr


def test_the_catalogue_names_schemas_of_the_site_by_names_that_only_our_files_have() -> None:
    from exporters.project import ProjectWish, project_files

    entries = json.loads((ROOT / ".github" / "schemastore.json").read_text("utf-8"))
    patterns = {entry["url"].removeprefix("https://SITE/_schemas/"): entry["fileMatch"] for entry in entries}
    assert patterns == {"manifest.schema.json": ["undercroft.toml"], "level.schema.json": ["*.level.json"]}
    assert patterns.keys() <= schema_files().keys() and "undercroft.toml" in project_files(ProjectWish())
    assert all(entry.keys() == {"name", "description", "fileMatch", "url"} for entry in entries)


# --- schemas and readers agree ------------------------------------------------------------------------

SPEC_ROWS = [
    (style.name, row)
    for style in usable_styles()
    for row in describe(style.spec)
    if row["key"] not in ("kit", "only_layout")  # a kit is a folder that must be there
]
OPTION_ROWS = [
    (form.name, name, option.described(name)) for form in usable_exporters() for name, option in form.options.items()
]  # fmt: skip
ODD = (True, False, 0, 1, -1, "", "none", "1", 1.5, [], [1, 2], {}, {"a": "b"}, {"a": 1}, "x" * 4097)


def values_for(row: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Good values, values just outside, and values of other types."""
    near = [row["default"], *row.get("choices", ())]
    if "low" in row:
        low, high = row["low"], row["high"]
        near += [low - 1, low, low + 1, high - 1, high, high + 1]
        if isinstance(row["default"], list):  # in their order: that these run backwards no schema can say
            pairs = st.lists(st.integers(low - 1, high + 1), min_size=1, max_size=3).map(sorted)
            return st.one_of(pairs, st.sampled_from((*near, *ODD)))
        return st.one_of(st.integers(low - 3, high + 3), st.sampled_from((*near, *ODD)))
    return st.sampled_from((*near, *ODD))


def nested(key: str, value: object) -> dict[str, Any]:
    head, _, rest = key.partition(".")
    return {head: {rest: value}} if rest else {head: value}


def reads_spec(table: dict[str, Any]) -> bool:
    try:
        spec_from_dict(table)
    except BadInput:
        return False
    return True


@given(data=st.data())
def test_a_value_of_a_spec_fits_the_schema_exactly_if_it_can_be_read(data: st.DataObject) -> None:
    style, row = data.draw(st.sampled_from(SPEC_ROWS))
    value = data.draw(values_for(row))
    table = {"style": style, **nested(row["key"], value)}
    assert fits("spec", table) == reads_spec(table), table


def test_what_one_value_asks_of_another_is_in_the_schema() -> None:
    narrowed = [
        (style.name, row, when)
        for style in usable_styles()
        for row in describe(style.spec)
        for when in row.get("when", ())
        if "low" in when and "." not in row["key"]
    ]
    assert narrowed
    for style, row, when in narrowed:
        for value in (when["low"] - 1, when["low"]):
            table = {"style": style, when["key"]: when["values"][0], row["key"]: value}
            assert fits("spec", table) == reads_spec(table) == (value == when["low"]), table


@pytest.mark.parametrize("style", [style.name for style in usable_styles()])
def test_every_value_of_a_style_can_be_completed_and_is_explained(style: str) -> None:
    known = SCHEMAS["spec"]["definitions"][style]["properties"]
    for row in describe(next(each.spec for each in usable_styles() if each.name == style)):
        head, _, rest = row["key"].partition(".")
        found = known[head]["properties"][rest] if rest else known[head]
        assert row["help"] in found["description"] and found["default"] == row["default"]
    assert not fits("spec", {"style": style, "misspelt": 1}) and not fits("spec", {"style": "other"})


def test_editors_find_the_keys_without_a_look_behind_an_if() -> None:
    """They complete what stands in `properties`, and nothing at all beside an `allOf` at the top."""
    everywhere = {key.partition(".")[0] for _, row in SPEC_ROWS for key in (row["key"],)}
    values = (SCHEMAS["spec"], SCHEMAS["manifest"]["definitions"]["values"])
    assert all(everywhere <= set(schema["properties"]) for schema in values)
    for name, schema in SCHEMAS.items():
        assert "allOf" not in schema and set(schema.get("required", ())) <= set(schema["properties"]), name
    for table in SEVERAL:
        row = SCHEMAS["kit"]["properties"][table]["additionalProperties"]
        assert row["properties"] == row["items"]["properties"]


def test_facts_and_chapters_of_a_kit_are_in_the_schema_that_is_made_for_it() -> None:
    kit = read_kit(ROOT / "docs/examples/orbital")
    (fact, row), *_ = kit.rules.facts.items()
    own = validator_for(SCHEMAS["spec"])(all_schemas(kit)["spec"])
    for state, is_good in (
        ({fact: row.range[1]}, True),
        ({fact: row.range[1] + 1}, False),
        ({"oxigen": 1}, False),
    ):
        table = {"style": "gungeon", "kit": "kit", "state": state}
        assert own.is_valid(table) == is_good and fits("spec", table)
        assert not fits("spec", {"style": "gungeon", "state": state})


def test_what_a_kit_adds_is_in_the_schemas_of_manifests_flows_and_themes_too(tmp_path: Path) -> None:
    folder = ROOT / "docs/examples/orbital"
    kit = read_kit(folder)
    done = CliRunner().invoke(main, ["schema", "--kit", str(folder), "--out", str(tmp_path)])
    assert done.exit_code == 0, done.stderr
    schemas = {path.name.partition(".")[0]: json.loads(path.read_bytes()) for path in tmp_path.glob("*.json")}
    for name, schema in schemas.items():
        assert (schema == SCHEMAS[name]) == (name in ("kit", "kit-rows", "options", "level")), name
    (fact, row), *_ = kit.rules.facts.items()
    manifest = validator_for(SCHEMAS["manifest"])(schemas["manifest"])
    for state, is_good in (
        ({fact: row.range[1]}, True),
        ({fact: row.range[1] + 1}, False),
        ({"oxigen": 1}, False),
    ):
        wish = {"group": {"g": {"spec": "own.toml", "seeds": "0:3", "set": {"state": state}}}}
        assert manifest.is_valid(wish) == is_good and fits("manifest", wish)
    offered = schemas["theme"]["properties"]
    assert {*kit.kinds.decor_ids} - {"none"} <= {*offered["decor"]["properties"]}
    assert {*kit.kinds.doors} <= {*offered["door"]["properties"]}


@given(data=st.data())
def test_an_option_fits_the_schema_exactly_if_it_can_be_read(data: st.DataObject) -> None:
    form, name, row = data.draw(st.sampled_from(OPTION_ROWS))
    value = data.draw(values_for(row))
    try:
        options_in({form: {name: value}}, format_names(), "options")
        is_good = True
    except BadInput:
        is_good = False
    # A text is read as on a command line: "true" and "3" are truths and numbers there, and only there.
    assert fits("options", {form: {name: value}}) == is_good or value == "1"


COLUMNS = [
    (table.key, key, column)
    for table in (*KIND_TABLES, *RULE_TABLES, *SETTING_TABLES)
    for key, column in table.columns.items()
]
CELLS = [
    *ODD, 12, 13, 100, 101, 1000, 1001, "a", "A", "a b", "ä", "#7bd389", "#7bd38", "1/3", "0..1", "1..", "coins >= 10",
    "not lost", "beside:shop", "dead_end", "walker", ["a"], ["A"], [1], [0, 3], ["a", "b"], {"easy": 1}, {"A": 1},
    {"chance": "1/4", "when": "lost"}, {"chance": "1/4"}, {"room": "vault"}, {"room": "vault", "x": 1}, {"then": 1},
    {"chance": 9, "things": {"pot": 3}}, {"item": "1.."}, {"E": {"role": "walker"}}, {"coins": [1, 2]}, {"a": True},
]  # fmt: skip


def kit_cells() -> Iterator[tuple[str, str, object]]:
    """All cells of the shipped kit."""
    for path in (ROOT / "generator/kinds/shipped").glob("*.toml"):
        for key, rows in table_of(path).items():
            for row in rows.values() if isinstance(rows, dict) else ():
                for each in row if isinstance(row, list) else [row]:
                    if isinstance(each, dict):
                        yield from ((key, name, value) for name, value in each.items())


def test_a_cell_of_a_kit_that_can_be_read_fits_and_one_that_fits_can_be_read() -> None:
    told = 0
    real: dict[tuple[str, str], list[object]] = {}
    for key, name, value in kit_cells():
        real.setdefault((key, name), []).append(value)
    for key, name, column in COLUMNS:
        check = validator_for(SCHEMAS["kit"])(column.read.schema)
        for value in (*CELLS, *real.get((key, name), ())):
            try:
                column.read(KitNode(value, name))
                is_good = True
            except KitError:
                is_good = False
            assert check.is_valid(value) == is_good or (not is_good and not isinstance(value, (bool, int))), (
                key, name, value
            )  # fmt: skip
            told += is_good
    assert told > len(COLUMNS)
    assert {table.key for table in RULE_TABLES} > SEVERAL - {"rebirth"}


def test_a_column_of_a_kit_is_explained_with_its_default_if_it_has_one() -> None:
    """Editors fill in a `default`; one that is a text stands in the description, as the file says it otherwise."""
    for table, key, column in COLUMNS:
        of_table = SCHEMAS["kit"]["properties"][table]
        row = of_table.get("additionalProperties") or of_table  # a setting has no rows
        found, default = row["properties"][key], column.default
        is_said = isinstance(default, str) and default != ""
        assert found["description"] == column.help + (f"; default: {default}" if is_said else ""), (
            table,
            key,
        )
        filled = list(default) if isinstance(default, tuple) else default
        is_filled = isinstance(default, (bool, int)) or (isinstance(default, tuple) and default != ())
        assert ("default" in found, found.get("default")) == (is_filled, filled if is_filled else None)
    assert {type(column.default) for _, _, column in COLUMNS} >= {str, bool, int, tuple, object}


def test_a_misspelt_key_of_a_row_and_a_row_that_lacks_one_do_not_fit() -> None:
    garden = table_of(ROOT / "docs/examples/garden/kit.toml")
    assert fits("kit", garden)
    for table, row in (
        (table, row) for table, rows in garden.items() if isinstance(rows, dict) for row in rows
    ):
        if not isinstance(garden[table][row], dict):
            continue
        broken = copy.deepcopy(garden)
        broken[table][row]["misspelt"] = 1
        assert not fits("kit", broken), (table, row)
    del garden["room"]["garden"]["glyph"]
    assert (
        not fits("kit", garden) and not fits("kit", {"name": "shipped"}) and not fits("kit", {"name": "a b"})
    )
    assert not fits("kit", {"name": "a", "terrain": {"void": {"walk": True, "fly": True, "shoot": True}}})


# --- files with places of their own: one change at a time ---------------------------------------------


def changed(table: Any) -> Iterator[Any]:
    """The table with one value replaced by each odd one, or one key misspelt or left out."""
    for key, value in list(table.items()) if isinstance(table, dict) else list(enumerate(table)):
        if isinstance(value, (dict, list)):
            for inner in changed(value):
                yield _with(table, key, inner)
        for odd in (-1, 3, 1001, "no such", True, [], {}):
            yield _with(table, key, odd)
        if isinstance(table, dict):
            rest = {other: each for other, each in table.items() if other != key}
            yield rest
            yield {**rest, f"{key}x": value}


def _with(table: Any, key: Any, value: object) -> Any:
    made = copy.copy(table)
    made[key] = value
    return made


FLOW = """
[flow]
name = "f"
[[room]]
id = "a"
kind = "start"
[[room]]
id = "b"
kind = "normal"
tags = ["hub"]
size = "small"
difficulty = "hard"
zone = "z"
[[room]]
id = "c"
kind = "boss"
[[connection]]
path = ["a", "b"]
secret = false
[[connection]]
path = ["b", "c"]
one_way = false
[[lock]]
on = ["b", "c"]
needs = ["k"]
optional = true
[[key]]
name = "k"
room = "b"
count = 2
consumed = false
lever = false
must = true
[[rule]]
name = "porch"
on = "normal-normal"
times = [0, 2]
[own_rule.porch]
keeps = true
room = [{ id = "p", kind = "normal" }]
connection = [{ path = ["A", "p", "B"] }]
[pacing]
curve = ["fight", "boss"]
at_most_in_a_row = { fight = 3 }
[zone.z]
floor = "shop"
chapter = "crypt"
"""


def test_a_flow_that_can_be_read_fits_and_wrong_keys_and_numbers_fit_neither() -> None:
    good = refused = 0
    for table in changed(tomllib.loads(FLOW)):
        try:
            parse_flow(toml(table), "flow", shipped_rules(), shipped_kit())
        except BadInput:
            refused += not fits("flow", table)
        else:
            good += 1
            assert fits("flow", table), table
    assert good > 40 and refused > 300


@pytest.mark.parametrize(
    ("key", "most"), [("room", 200), ("connection", 1000), ("lock", 1000), ("key", 1000)]
)
def test_a_flow_has_so_many_rooms_and_connections_and_no_more(key: str, most: int) -> None:
    flow = tomllib.loads(FLOW)
    rows = flow[key] * (most + 1)
    assert fits("flow", flow | {key: rows[:most]})
    assert not fits("flow", flow | {key: rows[: most + 1]})
    with pytest.raises(BadInput, match=f"{most}"):
        parse_flow(toml(flow | {key: rows[: most + 1]}), "flow", shipped_rules(), shipped_kit())


MANIFEST = {
    "out": "levels",
    "formats": ["json", "pack"],
    "options": {"png": {"scale": 2}},
    "group": {
        "g": {"spec": "isaac", "seeds": [1, "text"], "set": {"stage": 2, "state": {"coins": 3}}, "path": "{group}/{seed}"},
        "r": {"spec": "isaac", "seeds": [1], "rerolls": [{"room": 1, "kind": "shop", "seed": "7", "layout": 1, "markers": 2}]},
        "h": {"levels": ["handmade.level.json"], "formats": ["json"]},
    },
    "campaign": {
        "c": {"seed": 3, "spec": "isaac", "memory": False, "stages": [{"name": "s", "seed": 4, "options": "options.toml"}, {"name": "t"}]}
    },
}  # fmt: skip


def test_a_manifest_that_can_be_read_fits_and_wrong_keys_and_numbers_fit_neither(tmp_path: Path) -> None:
    (tmp_path / "options.toml").write_text("[png]\nscale = 2\n", "utf-8")
    (tmp_path / "handmade.level.json").write_bytes(dumps(generate("isaac", 4)))
    good = refused = 0
    for table in (MANIFEST, *changed(MANIFEST)):
        (tmp_path / "undercroft.toml").write_text(toml(table), "utf-8")
        try:
            load_manifest(tmp_path)
        except BadInput:
            refused += not fits("manifest", table)
        else:
            good += 1
            assert fits("manifest", table), table
    assert good > 20 and refused > 150
    assert not fits("manifest", {"group": {"g": {"spec": "isaac", "seeds": "0:3", "set": {"stag": 2}}}})
    for key, value in {"spec": "isaac", "seeds": [1], "set": {}, "rerolls": []}.items():
        assert not fits("manifest", {"group": {"g": {"levels": ["handmade.level.json"], key: value}}})


def test_the_reader_of_themes_asks_for_the_keys_of_the_schema_and_no_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: dict[str, set[str]] = {}

    class Watched(theme_file.ThemeNode):
        def done(self) -> None:
            asked.setdefault(self.path, set()).update(self._asked)
            super().done()

    monkeypatch.setattr(theme_file, "ThemeNode", Watched)
    (tmp_path / "own.toml").write_text(toml(built_in_theme(tmp_path)), "utf-8")
    load_theme(tmp_path / "own.toml")
    load_theme(SHIPPED["theme"][1], read_kit(ROOT / "docs/examples/orbital").kinds)
    schema = theme_schema()
    tables = schema["definitions"]
    places = {"floor": "floor", "decor": "decor", "marker": "icon"}
    for path, keys in asked.items():
        first = path.partition(".")[0]
        if first in places:
            assert keys <= set(tables[places[first]]["properties"]), path
        elif first == "door":
            assert keys == set(tables["side"]["properties"]), path
        elif first in ("wall", "pit"):
            assert keys <= set(below(schema, "properties", first, "properties")), path
        elif not first:
            assert keys | {"margin", "spacing", "source", "tile_size"} == set(schema["properties"]), path
    assert {"", "wall", "floor.default"} <= set(asked)


def built_in_theme(folder: Path) -> dict[str, Any]:
    """The table of a copy of the built-in theme, whose files lie in the folder, without its looks."""
    for image in (ROOT / "exporters/themes").glob("*.png"):
        (folder / image.name).write_bytes(image.read_bytes())
    table = table_of(ROOT / "exporters/themes/undercroft.toml")
    return {**{key: value for key, value in table.items() if key != "look"}, "name": "own"}


def test_numbers_of_a_theme_have_the_readers_limits(tmp_path: Path) -> None:
    table = built_in_theme(tmp_path)
    assert fits("theme", table)
    for path, limits in ((("tile_size",), TILE_SIZE), (("decor", "torch", "frame_ms"), FRAME_MS)):
        for value in (limits[0] - 1, limits[1] + 1):
            broken = copy.deepcopy(table)
            below(broken, *path[:-1])[path[-1]] = value
            (tmp_path / "t.toml").write_text(toml(broken), "utf-8")
            assert not fits("theme", broken)
            with pytest.raises(BadInput, match=path[-1]):
                load_theme(tmp_path / "t.toml")
