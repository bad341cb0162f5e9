"""The JSON Schemas that ship with the package, as tables of keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from website import markdown

_RANGES = (
    ("minimum", "maximum", ""),
    ("minItems", "maxItems", " entries"),
    ("minLength", "maxLength", " characters"),
)
PAGES = {
    "schema-level": ("level",),
    "schema-spec": ("spec",),
    "schema-manifest": ("manifest",),
    "schema-kit": ("kit", "kit-rows"),
    "schema-theme": ("theme",),
    "schema-flow": ("flow",),
    "schema-options": ("options",),
}
"""The pages below `reference/`, and the schemas whose keys are on each."""
_ALIKE = {"kit-rows": "kit"}  # the keys of the first are among those of the second


def found() -> dict[str, dict[str, Any]]:
    """The schemas by name."""
    from exporters.schemas import all_schemas

    return all_schemas()


def write(folder: Path) -> None:
    """Put the schemas into a folder of the site."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in found().items():
        text = json.dumps(schema, indent=1, ensure_ascii=False)
        (folder / f"{name}.schema.json").write_text(f"{text}\n", "utf-8")


def every_schema() -> str:
    """What each schema describes, with the page of its keys and the file itself."""
    schemas = found()
    rows = []
    for page, names in PAGES.items():
        for name in names:
            title = markdown.plain(schemas[name].get("title", name).removeprefix("Undercroft "))
            said = _sentence(schemas[name])
            rows.append((f"[{title}](reference/{page}.md)", said, _file(name, "_schemas")))
    return markdown.values(("schema", "what it describes", "file"), rows) + markdown.pages_below(
        f"reference/{page}" for page in PAGES
    )


def keys(*names: str) -> str:
    """All keys of schemas whose keys are on one page, and where the files are."""
    parts = []
    for stem in names:
        schema = found()[stem]
        if len(names) > 1:
            parts.append(f"## {schema.get('title', stem)}\n\n")
        identity = f" Its `$id` is `{schema['$id']}`." if "$id" in schema else ""
        parts.append(f"{_sentence(schema)}\n\nThe schema is {_file(stem, '../_schemas')}.{identity}\n\n")
        if stem in _ALIKE:
            parts.append(f"All of its keys are also keys of `{_ALIKE[stem]}`.\n\n")
        else:
            parts += [_table(schema, stem), *_definitions(schema, stem, "#" * min(len(names) + 1, 3))]
    return "".join(parts)


def _file(name: str, folder: str) -> str:
    return f'<a href="{folder}/{name}.schema.json">{name}.schema.json</a>'


def _definitions(schema: dict[str, Any], stem: str, hashes: str) -> Iterator[str]:
    """A section for each part of a schema that others refer to."""
    for key, part in {**schema.get("definitions", {}), **schema.get("$defs", {})}.items():
        title = markdown.anchored(f"{stem}-{key}", markdown.code(key))
        yield f"{hashes} {stem}: {markdown.code(key)}\n\n{title}: {_kind(part, stem)}. {_sentence(part)}\n\n"
        yield _table(part, stem)


def _table(schema: dict[str, Any], stem: str) -> str:
    rows = [*_rows(schema, "", stem)]
    return markdown.values(("key", "value", "meaning"), rows) if rows else ""


def _rows(schema: dict[str, Any], path: str, stem: str) -> Iterator[tuple[str, str, str]]:
    """A row for each key in a schema, those of tables and of lists of tables in it too."""
    required = schema.get("required", ())
    for key, part in schema.get("properties", {}).items():
        here = f"{path}{key}"
        needed = "" if key in required else " (optional)"
        yield markdown.code(here), _kind(part, stem) + needed, _sentence(part)
        yield from _inner(part, here, stem)
    yield from _others(schema, path, stem)
    for choice in (*schema.get("oneOf", ()), *schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from _rows(choice, path, stem)


def _others(schema: dict[str, Any], path: str, stem: str) -> Iterator[tuple[str, str, str]]:
    """The rows of keys that have names of a person's own."""
    for part in (schema.get("additionalProperties"), *schema.get("patternProperties", {}).values()):
        if isinstance(part, dict) and part:  # `true` and {} allow anything, of which there is nothing to say
            here = f"{path}NAME"
            yield markdown.code(here), _kind(part, stem), _sentence(part)
            yield from _inner(part, here, stem)


def _inner(part: dict[str, Any], here: str, stem: str) -> Iterator[tuple[str, str, str]]:
    yield from _rows(part, f"{here}.", stem)
    if isinstance(part.get("items"), dict):
        yield from _inner(part["items"], f"{here}[]", stem)


def _kind(part: dict[str, Any], stem: str) -> str:
    """The type of a value, with its limits."""
    if "$ref" in part:
        name = part["$ref"].rsplit("/", 1)[-1]
        return f'<a href="#{stem}-{name}">{name}</a>'
    for choices in ("oneOf", "anyOf"):
        if choices in part:
            return " or ".join(dict.fromkeys(_kind(one, stem) for one in part[choices]))
    if "const" in part:
        return markdown.code(json.dumps(part["const"]))
    if "enum" in part:
        return "one of " + markdown.codes(json.dumps(one) for one in part["enum"])
    types = part.get("type", "any value")
    kind = " or ".join(types) if isinstance(types, list) else str(types)
    if kind == "array" and isinstance(part.get("items"), dict):
        kind = f"array of ({_kind(part['items'], stem)})"
    pattern = [f"matches {markdown.code(part['pattern'])}"] if "pattern" in part else []
    return ", ".join([kind, *_ranges(part), *pattern])


def _ranges(part: dict[str, Any]) -> Iterator[str]:
    """How large a number may be, how many entries a list has, and how long a text is."""
    for least, most, unit in _RANGES:
        low, high = part.get(least), part.get(most)
        if low is not None and low == high:
            yield f"{low}{unit}"
        elif low is not None and high is not None:
            yield f"{low} to {high}{unit}"
        elif low is not None or high is not None:
            yield f"at most {high}{unit}" if low is None else f"at least {low}{unit}"


def _sentence(part: dict[str, Any]) -> str:
    return markdown.plain(part.get("description", ""))
