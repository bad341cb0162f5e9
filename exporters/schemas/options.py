"""The JSON Schema of exporters' options: a table for each format, in a file or in a manifest."""

from __future__ import annotations

from exporters.base import Exporter
from exporters.registry import usable_exporters
from generator.json_schema import JsonSchema, value_schema


def options_schema() -> JsonSchema:
    """Describe the options of all installed formats, as `--options FILE` takes them."""
    return {
        "title": "Undercroft options",
        "description": "Options of formats: a table for each format.",
        "type": "object",
        "properties": {form.name: _format_schema(form) for form in usable_exporters()},
        "additionalProperties": False,
    }


def _format_schema(form: Exporter) -> JsonSchema:
    return {
        "description": form.summary,
        "type": "object",
        "properties": {name: value_schema(option) for name, option in form.options.items()},
        "additionalProperties": False,
    }
