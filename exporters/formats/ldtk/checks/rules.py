"""Checks of the rules of an auto-layer."""

from __future__ import annotations

from exporters.formats.ldtk.checks.known import Known, Layer
from exporters.formats.ldtk.checks.spot import Spot, is_whole
from generator.errors import shown

_ANYTHING = 1_000_001
_FIRST_GROUP = 1000
_SIZES = (1, 3, 5, 7, 9)
_MOVING = (
    "tileXOffset",
    "tileYOffset",
    "tileRandomXMin",
    "tileRandomXMax",
    "tileRandomYMin",
    "tileRandomYMax",
)


def check_rules(groups: Spot, layer: Layer, source: Layer | None, known: Known) -> None:
    """Check that every rule has its own uid, a complete pattern of known values, and tiles of the tileset."""
    tileset = known.tilesets.get(-1 if layer.tileset is None else layer.tileset)
    count = tileset.columns * tileset.rows if tileset else 0
    for group in groups.tables() if groups.there else ():
        known.claim(group["uid"])
        for rule in group["rules"].tables():
            uid = known.claim(rule["uid"])
            _pattern(rule, source)
            layer.rules[uid] = _tiles(rule, count if tileset else None)
            stamped = rule["tileMode"].value == "Stamp"
            layer.moved |= stamped or any(rule[key].value not in (0, None) for key in _MOVING)


def _pattern(rule: Spot, source: Layer | None) -> None:
    size, pattern = rule["size"].whole(1, _SIZES[-1]), rule["pattern"].raw_list()
    if size is not None and (size not in _SIZES or len(pattern) != size * size):
        rule["pattern"].fail(f"has {len(pattern)} values; a rule of size {size} is odd and has {size * size}")
    if source:
        groups = set(source.values.values())
        for wanted in dict.fromkeys(map(_asked, pattern)):
            if not _is_asked(wanted, source, groups):
                rule["pattern"].fail(
                    f"asks for {shown(wanted)}, which is not a value or group of the IntGrid"
                )
        beyond = rule["outOfBoundsValue"].whole(0, null=True)
        if beyond and beyond not in source.values:
            rule["outOfBoundsValue"].fail(f"{beyond} is not a value of the IntGrid; LDtk drops it")


def _asked(wanted: object) -> object:
    return abs(wanted) if isinstance(wanted, int) and is_whole(wanted) else shown(wanted)


def _is_asked(wanted: object, source: Layer, groups: set[int]) -> bool:
    if not isinstance(wanted, int):
        return False
    if wanted in (0, _ANYTHING) or wanted in source.values:
        return True
    return wanted >= _FIRST_GROUP and wanted % 1000 == 0 and wanted // 1000 - 1 in groups


def _tiles(rule: Spot, count: int | None) -> frozenset[int]:
    """Return the tiles that a rule draws."""
    tiles = set()
    for choice in rule["tileRectsIds"].items():
        for tile in choice.items():
            number = tile.whole(0)
            if number is not None:
                tiles.add(number)
                if count is not None and number >= count:
                    tile.fail(f"{number} is not a tile of the tileset, which has {count}")
    return frozenset(tiles)
