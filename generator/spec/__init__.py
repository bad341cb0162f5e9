"""Specs: the input of generation. Frozen, validated once, read from and written as TOML.

Each value is declared once, with its range, unit and help; `describe` turns the declarations into JSON for
help texts, schemas and docks. Every style has its own subclass of `LevelSpec`, in its folder.
"""

from __future__ import annotations

from generator.spec.base import LevelSpec, all_keys
from generator.spec.read import (
    load_spec,
    parse_spec,
    preset_names,
    preset_summary,
    preset_text,
    saved_spec,
    spec_from_dict,
    spec_of,
)
from generator.spec.schema import describe

__all__ = [
    "LevelSpec",
    "all_keys",
    "describe",
    "load_spec",
    "parse_spec",
    "preset_names",
    "preset_summary",
    "preset_text",
    "saved_spec",
    "spec_from_dict",
    "spec_of",
]
