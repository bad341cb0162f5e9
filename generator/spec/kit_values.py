"""The values that a kit adds to specs: facts of the player's game, and chances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from generator.errors import BadInput, SpecError, shown
from generator.files import is_digest
from generator.kinds import Kit, read_kit, shipped_kit
from generator.spec.base import GameState, unknown_key
from generator.values import Value

GROUP = "State of the game"


def kit_at_hand(folder: object, where: str = "") -> Kit | None:
    """Return the kit that a spec names, or None if it has a digest or no valid folder name.

    `where` names the spec in the message if the folder is not a kit. Raises KitError.
    """
    if not isinstance(folder, str) or (folder and is_digest(folder)):
        return None
    return read_kit(folder, f"{where}kit") if folder else shipped_kit()


def fact_values(kit: Kit) -> Iterator[tuple[str, Value]]:
    """Yield the declarations of a kit's facts, by name."""
    for name, row in kit.rules.facts.items():
        low, high = row.range
        yield name, Value(row.default, row.help, low=low, high=high, unit=row.unit, group=GROUP)


def with_facts(
    kind: type[GameState], values: Mapping[str, Any], known: list[str], kit: Kit | None
) -> GameState:
    """Build the `state` table of a spec: the style's keys, which are `known`, and all facts of its kit.

    Raises SpecError for an unknown key, and for a number out of range.
    """
    rest = {key: value for key, value in values.items() if key in known}
    own = {key: value for key, value in values.items() if key not in known}
    if kit is None:  # a level's spec: its kit was checked when the level was made
        for key, value in own.items():
            if type(value) is not int:
                raise SpecError(f"state.{shown(key)[1:-1]}: {shown(value)} is not a whole number")
        return kind(**rest, own=tuple(own.items()))
    facts = dict(fact_values(kit))
    for key in own:
        if key not in facts:
            keys = [f"state.{name}" for name in (*known, *facts)]
            raise unknown_key("", f"state.{key}", keys)
    try:
        checked = {
            name: value.checked(f"state.{name}", own.get(name, value.default))
            for name, value in facts.items()
        }
    except BadInput as error:
        raise SpecError(str(error)) from None
    return kind(**rest, own=tuple(checked.items()))


def moved_to(kit: Kit | None, old: Kit | None, table: dict[str, Any], changed: set[str]) -> None:
    """Fit a spec's values to another kit: facts and chances of the old kit that were not set are removed."""
    if kit is None or old is None:
        return
    state = table.get("state")
    if isinstance(state, dict):
        gone = old.rules.facts.keys() - kit.rules.facts.keys()
        kept = {key for key in changed if key.startswith("state.")}
        table["state"] = {
            key: value for key, value in state.items() if key not in gone or f"state.{key}" in kept
        }
    for key, chance in old.rules.chances.items():
        if key not in changed and table.get(key) == chance:
            table.pop(key)
