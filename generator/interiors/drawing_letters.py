"""The glyphs of a drawing: those of every layout, and new letters for everything else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from generator.errors import LayoutError, shown, unknown
from generator.interiors.editor_room import DrawnObject, objects_of
from generator.interiors.layout_file import said_value, slip_of
from generator.kinds import Kinds
from generator.kinds.marker_properties import FIRST_PROPERTY, MARKER_PROPERTIES
from generator.level import Property
from generator.pattern import pattern

_LETTERS = "ZYQJHLUDNO45678901ABCEFGIKMPRSTVWX23"  # least meaningful to readers first
_NOT_DRAWN = ("id", "kind", "room", "hallway")  # properties that exports add to what is drawn
_WORD = pattern(r"[A-Za-z_][A-Za-z0-9_-]{0,39}\Z")


class Letters:
    """Gives out the glyphs for objects, where equal definitions share one."""

    def __init__(self, kinds: Kinds) -> None:
        self.own: dict[str, str] = {}  # by definition, such as `enemy role=necromancer`
        self._kinds = kinds
        self._taken = {sign for sign, glyph in kinds.glyphs.items() if not glyph.marker}

    def glyph(self, item: DrawnObject, terrain: int) -> str:
        """Return the glyph for an object on a tile of some terrain. Raises LayoutError."""
        objects = objects_of(self._kinds)
        if item.kind not in objects:
            raise LayoutError(
                f"{item.place}: {unknown('marker kind', item.kind, objects)} (or give it the class note)"
            )
        if item.kind in ("one_of", "group"):
            return self._letter(_variation(item), item.place)
        own = _properties(item)
        if slip := slip_of(item.kind, own, self._kinds):
            raise LayoutError(f"{item.place}: {slip}")
        standard = _meant(self._kinds).get((terrain, item.kind, frozenset(own.items())))
        if standard is not None and standard not in self.own.values():
            self._taken.add(standard)
            return standard
        name = self._kinds.terrain[terrain].name
        ground = {} if name == self._kinds.usual_ground(self._kinds.markers[item.kind]) else {"on": name}
        properties = [f"{key}={said_value(value)}" for key, value in {**own, **ground}.items()]
        return self._letter(" ".join([item.kind, *properties]), item.place)

    def of_decor(self, name: str, place: str) -> str:
        """Return the glyph for a piece of decor: its own, or a letter of this room."""
        return self._kinds.decor_signs.get(name) or self._letter(name, place)

    def _letter(self, definition: str, place: str) -> str:
        if definition not in self.own:
            free = next((letter for letter in _LETTERS if letter not in self._taken), None)
            if free is None:
                raise LayoutError(f"{place}: the room has more kinds of things than there are letters")
            self._taken.add(free)
            self.own[definition] = free
        return self.own[definition]


@lru_cache(maxsize=64)
def _meant(kinds: Kinds) -> dict[tuple[object, ...], str]:
    """Return the glyph of each marker that has one, by ground, kind and properties."""
    return {
        (glyph.terrain, glyph.marker, frozenset(glyph.properties.items())): sign
        for sign, glyph in kinds.glyphs.items()
        if glyph.marker
    }


def _properties(item: DrawnObject) -> Mapping[str, Property]:
    """Return a marker's properties as a layout file can hold them. Raises LayoutError."""
    given = MARKER_PROPERTIES.get(item.kind, {})
    properties = {name: given[name].default for name in given if name == FIRST_PROPERTY.get(item.kind)}
    for name, value in item.properties.items():
        if (
            name in _NOT_DRAWN
            or (name in given and given[name].is_rolled)
            or value == ""
            or (name == "wave" and value == 1)
        ):
            continue
        plain = int(value) if isinstance(value, float) and value.is_integer() else value
        fits = isinstance(plain, bool) or (
            _WORD.match(plain) if isinstance(plain, str) else isinstance(plain, int) and abs(plain) < 10**9
        )
        if not fits or not _WORD.match(name) or name == "on":
            raise LayoutError(
                f"{item.place}: {shown(name)}: {shown(value)} cannot be written in a layout; give a whole "
                "number, true, false or a word of letters, digits, - and _"
            )
        properties[name] = plain
    return properties


def _variation(item: DrawnObject) -> str:
    """Write a variation as `one_of rock pot floor` or `group 2 enemy shooter`."""
    of = item.properties.get("of")
    many = item.properties.get("many")
    if not isinstance(of, str) or not of.isprintable() or not of.strip():
        example = "rock pot floor" if item.kind == "one_of" else "enemy shooter"
        raise LayoutError(f"{item.place}: of: is missing; say what it may become, such as {example}")
    if item.kind == "one_of":
        return f"one_of {of.strip()}"
    if not isinstance(many, int) or isinstance(many, bool):
        raise LayoutError(f"{item.place}: many: is missing; say how many of the group become {shown(of)}")
    return f"group {many} {of.strip()}"
