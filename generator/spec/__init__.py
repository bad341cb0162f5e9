"""Specs: what a level is asked to be. Frozen, validated once, TOML in and out.

Each value is declared once, with its range, unit and help; `describe` turns the declarations into JSON
for help texts, schemas and docks. A style is a subclass of `LevelSpec` in a file of its own, listed in
`STYLES`.
"""

from __future__ import annotations

from generator.spec.base import LevelSpec, all_keys, describe
from generator.spec.grid import GridSpec
from generator.spec.gungeon import GungeonSpec
from generator.spec.isaac import IsaacSpec
from generator.spec.read import STYLES, load_spec, parse_spec, preset_names, preset_text, spec_from_dict
from generator.spec.rebirth import RebirthSpec, RebirthState
from generator.spec.state import State

__all__ = [
    "STYLES",
    "GridSpec",
    "GungeonSpec",
    "IsaacSpec",
    "LevelSpec",
    "RebirthSpec",
    "RebirthState",
    "State",
    "all_keys",
    "describe",
    "load_spec",
    "parse_spec",
    "preset_names",
    "preset_text",
    "spec_from_dict",
]
