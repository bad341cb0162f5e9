"""Variation: letters of a layout whose meaning differs from room to room.

Z = one_of rock pot floor          each Z by itself becomes one of these; a word that is repeated
                                   is twice as likely
Y = group 2 enemy shooter          two of all Y become this, the others floor
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from generator.errors import LayoutError, unknown
from generator.geometry import Point
from generator.kinds import FLOOR, Glyph, Kinds
from generator.named_tuple import NamedTuple
from generator.rng import Stream

P = TypeVar("P")
T = TypeVar("T")

_FIRST_PRIVATE = 0xE000  # signs that nobody types, for what a letter has become
_MAX_CHOICES = 16
_NO_GROUNDS = "void", "door", "hallway"
_FLOOR_SIGN = "."


class Variation(NamedTuple):
    """What a letter can become: signs, and on how many of its tiles, or 0 for each tile by itself.

    With a number, that many tiles become the first sign, the others the second.
    """

    signs: tuple[str, ...]
    many: int


def read_variation(
    text: str, where: str, glyphs: dict[str, Glyph], kinds: Kinds, own_glyph: Callable[[str, str], Glyph]
) -> Variation | None:
    """Parse the variation after `X =`, or return None. Adds what the letter can become to `glyphs`.

    Raises LayoutError, which begins with `where`.
    """
    word, _, rest = text.strip().partition(" ")
    if word == "one_of":
        words = rest.split()
        if not 2 <= len(words) <= _MAX_CHOICES:
            raise LayoutError(
                f"{where}: one_of: name 2 to {_MAX_CHOICES} things, such as `one_of rock pot floor`"
            )
        return Variation(tuple(_sign(_thing(name, where, kinds), glyphs) for name in words), 0)
    if word == "group":
        number, _, subject = rest.strip().partition(" ")
        if (
            not (number.isascii() and number.isdigit() and len(number) < 4 and int(number))
            or not subject.strip()
        ):
            raise LayoutError(
                f"{where}: group: write how many become what, such as `group 2 enemy shooter` "
                "or `group 3 rock`"
            )
        subject = subject.strip()
        is_thing = subject in kinds.decor_ids or subject in _grounds(kinds)
        glyph = _thing(subject, where, kinds) if is_thing else own_glyph(subject, where)
        return Variation((_sign(glyph, glyphs), _FLOOR_SIGN), int(number))
    return None


def _grounds(kinds: Kinds) -> tuple[str, ...]:
    return tuple(name for name in kinds.terrain_ids if name not in _NO_GROUNDS)


def _thing(word: str, where: str, kinds: Kinds) -> Glyph:
    """Return a terrain, or decor of one tile, by its name."""
    if word in _grounds(kinds):
        return Glyph(kinds.terrain_ids[word])
    if word in kinds.decor_ids and word != "none":
        kind = kinds.decor[kinds.decor_ids[word]]
        if (kind.width, kind.height) != (1, 1):
            raise LayoutError(
                f"{where}: {word} covers {kind.width} x {kind.height} tiles; name things of one tile"
            )
        return Glyph(FLOOR, kinds.decor_ids[word])
    known = [*_grounds(kinds), *(name for name in kinds.decor_ids if name != "none")]
    raise LayoutError(f"{where}: {unknown('terrain or decor', word, known)}")


def _sign(glyph: Glyph, glyphs: dict[str, Glyph]) -> str:
    """Return a private sign with this meaning."""
    for sign, known in glyphs.items():
        if known == glyph and ord(sign) >= _FIRST_PRIVATE:
            return sign
    sign = chr(_FIRST_PRIVATE + sum(ord(character) >= _FIRST_PRIVATE for character in glyphs))
    glyphs[sign] = glyph
    return sign


def varied_tiles(
    rows: Sequence[str], variations: Mapping[str, Variation], stream: Stream
) -> Iterator[tuple[int, int, str]]:
    """Yield the tiles (x, y) of a map that vary, and the sign that each becomes."""
    for letter, (signs, many) in variations.items():
        for (x, y), sign in drawn_signs(varying_places(rows, letter), signs, many, stream):
            yield x, y, sign


def varying_places(rows: Sequence[str], letter: str) -> list[Point]:
    """List the tiles (x, y) of a map that have a letter, row by row."""
    return [(x, y) for y, row in enumerate(rows) if letter in row for x, at in enumerate(row) if at == letter]


def drawn_signs(places: Sequence[P], signs: Sequence[T], many: int, stream: Stream) -> Iterator[tuple[P, T]]:
    """Yield a letter's tiles, or groups of them, with what each becomes. `many` is as in `Variation`."""
    if not many:
        for tile in places:
            yield tile, stream.pick(signs)
        return
    shuffled = list(places)
    stream.shuffle(shuffled)
    for number, tile in enumerate(shuffled):
        yield tile, signs[number >= many]


def varied_rows(rows: Sequence[str], variations: Mapping[str, Variation], stream: Stream) -> tuple[str, ...]:
    """Return a map with every variation drawn."""
    drawn = [list(row) for row in rows]
    for x, y, sign in varied_tiles(rows, variations, stream):
        drawn[y][x] = sign
    return tuple("".join(row) for row in drawn)


def fullest_rows(
    rows: tuple[str, ...], variations: Mapping[str, Variation], glyphs: Mapping[str, Glyph], kinds: Kinds
) -> tuple[str, ...]:
    """Return a map with the greatest obstacle on each tile. What is reachable in it always is."""
    table = {
        ord(letter): max(variation.signs, key=lambda sign: _in_the_way(glyphs[sign], kinds))
        for letter, variation in variations.items()
    }
    return tuple(row.translate(table) for row in rows)


def _in_the_way(glyph: Glyph, kinds: Kinds) -> tuple[int, ...]:
    terrain, decor = kinds.terrain[glyph.terrain], kinds.decor[glyph.decor]
    return not terrain.walk, not decor.walk, decor.hazard, glyph.marker is not None
