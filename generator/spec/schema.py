"""The values that specs declare: as rows for help texts and docks, and as the JSON Schema of specs."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from generator.json_schema import JsonSchema, fields, value_schema, when_schemas
from generator.kinds import Kit
from generator.spec.base import GameState, LevelSpec, Values, declared, fact_values, style_tables
from generator.styles.registry import usable_styles
from generator.values import Value

# What a style's spec declares, ready for JSON: for help texts, schemas and docks.


def describe(style: type[LevelSpec], kit: Kit | None = None) -> list[dict[str, Any]]:
    """Describe every value of a style: key, type, default, range or choices, unit and help, ready for JSON.

    Values that a kit adds to the state come last, and the kit's chances are the defaults.
    """
    chances = kit.rules.chances if kit else {}
    rows = [
        _with_kit(field.metadata["value"], kit).described(key)
        | ({"default": chances[key]} if key in chances else {})
        for key, field in declared(style)
    ]
    knows_facts = any(field.name == "state" for field in dataclasses.fields(style))
    facts = fact_values(kit) if kit and knows_facts else ()
    return [*rows, *(value.described(f"state.{name}") for name, value in facts)]


def _with_kit(value: Value, kit: Kit | None) -> Value:
    return value._replace(choices=value.kit_choices(kit)) if kit and value.kit_choices else value


_NAMES_A_KIT: JsonSchema = {"properties": {"kit": {"minLength": 1}}, "required": ["kit"]}


def spec_schema(kit: Kit | None = None) -> JsonSchema:
    """Build the schema of specs of all styles, or of those that name a kit: its facts, chapters, chances.

    Without one, a spec that names a kit may have facts that are whole numbers, and choices of any name.

    Editors complete and explain what is in `properties`, and do not look inside an `if`. So the values of all
    styles are there too, as loosely as the styles need.
    """
    styles = {style.name: style for style in usable_styles()}
    schemas = {name: _style_schema(style.spec, kit) for name, style in styles.items()}
    summaries = "; ".join(f"{name}: {style.summary}" for name, style in styles.items())
    chosen = {
        "type": "string",
        "enum": list(styles),
        "description": f"the family of levels, which decides what values there are. {summaries}",
    }
    return {
        "title": "Undercroft spec",
        "description": "What a level is asked to be: the values of a style.",
        "type": "object",
        "required": ["style"],
        "properties": {"style": chosen, **_of_any_style(schemas)},
        **_chosen_by_style(list(styles)),
        "definitions": schemas,
    }


def _chosen_by_style(names: Sequence[str]) -> JsonSchema:
    """Build the schema of the style that a spec names. Each `if` is in the `else` of the one before.

    With an `allOf` list instead, editors would not complete anything.
    """
    if not names:
        return {}
    name, *rest = names
    return {
        "if": {"properties": {"style": {"const": name}}, "required": ["style"]},
        "then": {"$ref": f"#/definitions/{name}"},
        "else": _chosen_by_style(rest),
    }


def any_values_schema(kit: Kit | None = None) -> JsonSchema:
    """Build the schema of values of a spec whose style is not known, such as a manifest's `set`.

    With a kit they are those of specs that name it. Keys may be dotted, as in `"state.coins" = 15`.
    """
    schemas = {style.name: _style_schema(style.spec, kit) for style in usable_styles()}
    return fields(_of_any_style(schemas)) | {"patternProperties": {r"^[a-z_]+\..+$": {}}}


def _of_any_style(schemas: Mapping[str, JsonSchema]) -> JsonSchema:
    """Merge the values of all styles by key. Shared ones allow whatever one of the styles allows."""
    by_key: dict[str, list[JsonSchema]] = {}
    for schema in schemas.values():
        for key, candidate in schema["properties"].items():
            known = by_key.setdefault(key, [])
            if key != "style" and candidate not in known:
                known.append(candidate)
    return {key: _loosely(several) for key, several in by_key.items() if several}


def _loosely(several: Sequence[JsonSchema]) -> JsonSchema:
    """Build one schema that accepts what any of several accepts, without the ranges in which they differ."""
    first = several[0]
    if len(several) == 1:
        return first
    merged = {key: first[key] for key in first if all(schema.get(key) == first[key] for schema in several)}
    if all("properties" in schema for schema in several):
        merged["properties"] = _of_any_style({str(i): schema for i, schema in enumerate(several)})
    if all("enum" in schema for schema in several):
        merged["enum"] = list(dict.fromkeys(choice for schema in several for choice in schema["enum"]))
    helps = dict.fromkeys(schema["description"] for schema in several if "description" in schema)
    return merged | ({"description": "; or ".join(helps)} if helps else {})


def _style_schema(spec: type[LevelSpec], kit: Kit | None) -> JsonSchema:
    tables = style_tables(spec)
    schema = _table_schema(spec, kit)
    schema["title"] = f"{spec.style}: {spec.summary}"
    schema["properties"] = {"style": {"type": "string", "const": spec.style}, **schema["properties"]}
    for name, table in tables.items():
        schema["properties"][name] = (
            _state_schema(table, kit) if _is_state(table) else _table_schema(table, kit)
        )
    if kit is None:
        without = _without_kit(spec, tables)
        schema["allOf"] = [*schema.get("allOf", []), {"if": _NAMES_A_KIT, "else": {"properties": without}}]
    return schema


def _is_state(table: type[Values]) -> bool:
    return issubclass(table, GameState)


def _declared_values(table: type[Values], kit: Kit | None) -> dict[str, Value]:
    """Return the values of a table, with the choices and chances of a kit."""
    chances = kit.rules.chances if kit else {}
    values = {}
    for field in dataclasses.fields(table):
        if field.metadata:
            value: Value = field.metadata["value"]
            if value.kit_choices:
                value = value._replace(choices=value.kit_choices(kit) if kit else ())
            values[field.name] = value._replace(default=chances.get(field.name, value.default))
    return values


def _table_schema(table: type[Values], kit: Kit | None) -> JsonSchema:
    values = _declared_values(table, kit)
    schema: JsonSchema = {
        "type": "object",
        "properties": {key: value_schema(value) for key, value in values.items()},
        "additionalProperties": False,
    }
    narrowed = when_schemas(values)
    return schema | {"allOf": narrowed} if narrowed else schema


def _state_schema(table: type[Values], kit: Kit | None) -> JsonSchema:
    """Build the schema of the state of a game: a style's own keys, and the facts of a kit."""
    schema = _table_schema(table, kit)
    if kit is None:
        return schema | {"additionalProperties": {"type": "integer", "description": "a fact of the kit"}}
    schema["properties"] |= {name: value_schema(value) for name, value in fact_values(kit)}
    return schema


def _without_kit(spec: type[LevelSpec], tables: Mapping[str, type[Values]]) -> dict[str, Any]:
    """Build the schema for a spec without a kit: the usual choices, and no facts."""
    properties: dict[str, Any] = {}
    for field in dataclasses.fields(spec):
        value = field.metadata.get("value")
        if value and value.kit_choices:
            properties[field.name] = {"enum": list(value.choices)}
    for name, table in tables.items():
        if _is_state(table):
            properties[name] = {"propertyNames": {"enum": list(_declared_values(table, None))}}
    return properties
