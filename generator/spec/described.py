"""What a style's spec declares, ready for JSON: for help texts, schemas and docks."""

from __future__ import annotations

import dataclasses
from typing import Any

from generator.kinds.kit import Kit
from generator.spec.base import LevelSpec, declared
from generator.spec.kit_values import fact_values
from generator.values import Value


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
