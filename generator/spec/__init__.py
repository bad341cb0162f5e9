"""Specs: what a level is asked to be. Frozen, validated once, TOML in and out.

Each value is declared once, with its range, unit and help; `describe` turns the declarations into JSON
for help texts, schemas and docks. Every style has a subclass of `LevelSpec` of its own, in its folder.
"""

from __future__ import annotations

from generator.spec.base import LevelSpec, all_keys, describe
from generator.spec.read import (
    load_spec,
    parse_spec,
    preset_names,
    preset_text,
    spec_from_dict,
    spec_of,
)

__all__ = [
    "LevelSpec",
    "all_keys",
    "describe",
    "load_spec",
    "parse_spec",
    "preset_names",
    "preset_text",
    "spec_from_dict",
    "spec_of",
]
