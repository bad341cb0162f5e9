"""The game's own scenes for markers, doors and decor: the options `godot.scenes` and `godot.properties`.

    [godot.scenes]
    enemy = "res://enemies/slime.tscn"                      every marker of this kind
    "enemy.role=shooter" = "res://enemies/archer.tscn"      those with this property
    door = "res://doors/door.tscn"                          every door
    "door.boss" = "res://doors/boss_door.tscn"              those of this kind
    "door.side=north" = "res://doors/tall_door.tscn"        those with this fact
    "decor.barrel" = "res://props/barrel.tscn"

    [godot.properties]
    "enemy.role" = "kind_of_enemy"                          an exported property of the scene's root

The most specific key wins; if two keys have a property or fact, the first one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from exporters.formats.godot.text import is_identifier
from generator.errors import BadInput, hint, shown
from generator.kinds import SHIPPED, Kinds

_MAX_PATH = 1000  # characters
# Properties that the exporter sets itself, or that would turn the instance into another node.
_TAKEN = frozenset({"name", "owner", "position", "scene_file_path", "script", "unique_name_in_owner"})


class _SceneRule(NamedTuple):
    """A row of the table: its subject, and the fact and value that it requires (any without a fact)."""

    subject: str
    fact: str
    value: str
    path: str


class SceneTable(NamedTuple):
    """The scenes for things, and the root properties to set from facts."""

    wishes: tuple[_SceneRule, ...] = ()
    exported: Mapping[str, str] = {}  # "enemy.role": the property's name

    def scene(self, subjects: Sequence[str], facts: Mapping[str, object]) -> str | None:
        """Return the scene for a thing, given its names, most specific first, or None without a scene."""
        for by_fact in (True, False) if self.wishes else ():
            for subject in subjects:
                for wish in self.wishes:
                    if wish.subject == subject and bool(wish.fact) is by_fact and _fits(wish, facts):
                        return wish.path
        return None

    def properties(self, subjects: Sequence[str], facts: Mapping[str, object]) -> dict[str, object]:
        """Return the properties to set on the instance's root, for the facts in the table."""
        return dict(self._properties(subjects, facts)) if self.exported else {}

    def _properties(
        self, subjects: Sequence[str], facts: Mapping[str, object]
    ) -> Iterator[tuple[str, object]]:
        for subject in reversed(subjects):  # the most specific one comes last and wins
            for fact, value in facts.items():
                name = self.exported.get(f"{subject}.{fact}")
                if name:
                    yield name, value


def _fits(wish: _SceneRule, facts: Mapping[str, object]) -> bool:
    return not wish.fact or (wish.fact in facts and _as_text(facts[wish.fact]) == wish.value)


def _as_text(value: object) -> str:
    """Return a fact as written in a key."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def scene_table(
    scenes: Mapping[str, str], properties: Mapping[str, str], kinds: Kinds = SHIPPED
) -> SceneTable:
    """Read the table of the two options. Raises BadInput for an unknown key or a bad value.

    Keys may name any of `kinds` and of the shipped kinds, so one options file serves the levels of all kits.
    """
    known = _subjects(kinds)
    return SceneTable(
        tuple(_wish(key, path, known) for key, path in scenes.items()),
        {_fact_key(key, known): _property(key, name) for key, name in properties.items()},
    )


def _subjects(kinds: Kinds) -> tuple[str, ...]:
    both = (kinds, SHIPPED)
    names = (
        *(name for table in both for name in table.markers),
        "door",
        *(f"door.{name}" for table in both for name in table.doors),
        *(f"decor.{kind.name}" for table in both for kind in table.decor[1:]),
    )
    return tuple(dict.fromkeys(names))


def _wish(key: str, path: str, known: Sequence[str]) -> _SceneRule:
    left, equals, value = key.partition("=")
    where = f"godot.scenes.{shown(key)[1:-1]}"
    subject, fact = _parted(left, where, known) if equals else (left, "")
    if subject not in known or (equals and not fact):
        raise BadInput(f"{where}: is not a kind of marker, door or decor; {hint(left, known)}")
    return _SceneRule(subject, fact, value, project_path(where, path, (".tscn", ".scn")))


def _fact_key(key: str, known: Sequence[str]) -> str:
    where = f"godot.properties.{shown(key)[1:-1]}"
    _, fact = _parted(key, where, known)
    if not fact:
        raise BadInput(f"{where}: is not a property of a marker or a fact; write one such as enemy.role")
    return key


def _parted(text: str, where: str, known: Sequence[str]) -> tuple[str, str]:
    """Split off the longest possible subject, and return it and the fact after it."""
    fitting = [subject for subject in known if text == subject or text.startswith(f"{subject}.")]
    if not fitting:
        raise BadInput(f"{where}: is not a kind of marker, door or decor; {hint(text, known)}")
    subject = max(fitting, key=len)
    return subject, text[len(subject) + 1 :]


def _property(key: str, name: str) -> str:
    if not is_identifier(name) or name in _TAKEN or len(name) > 100:
        problem = "is not the name of an exported property; give one such as kind_of_enemy"
        raise BadInput(f"godot.properties.{shown(key)[1:-1]}: {shown(name)} {problem}")
    return name


def project_path(where: str, path: str, suffixes: Sequence[str]) -> str:
    """Return `path`, if it is a path in a Godot project. Raises BadInput otherwise."""
    parts = path.removeprefix("res://").split("/")
    plain = path.startswith("res://") and not re.search(r'[\\:*?"<>|\x00-\x1f\x7f]', path[6:])
    if not plain or any(part.strip() in ("", ".", "..") for part in parts) or len(path) > _MAX_PATH:
        example = f"res://folder/file{suffixes[0]}"
        raise BadInput(f"{where}: {shown(path)} is not a path in a project; give one such as {example}")
    if not path.endswith(tuple(suffixes)):
        raise BadInput(f"{where}: {shown(path)} does not end in {' or '.join(suffixes)}")
    return path
