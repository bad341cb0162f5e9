"""Signs on maps: they stand out in every look, no two are alike, and a map tells from its pixels where things are."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, cycle

import numpy as np
import pytest

from exporters import export
from exporters.dress import dressed
from exporters.formats.png import TILE_PX
from exporters.map_picture import _with_legend, map_pixels, rgb, signs_of, zones_of
from exporters.places import node_of
from exporters.theme import Theme
from exporters.theme.loader import all_looks, load_theme
from generator.arrays import Mask
from generator.kinds import SHIPPED
from generator.kinds.signs import SIGN_DOTS, Dots, Sign, contrast, sign_table
from generator.level import Level
from generator.pipeline import generate
from tests.exporters import locked_level

DARK, LIGHT = (13, 11, 20, 255), (255, 255, 255, 255)
LEAST = 3.0  # WCAG 2.2's contrast of graphics
SHARED = ("super_secret", "ultra_secret", "dirty_bedroom")  # have the sign of their like
LEAST_APART = 10  # dots that differ


def mask(dots: Dots) -> Mask:
    return np.array([[dot == "#" for dot in row] for row in dots])


def all_signs() -> dict[str, Sign]:
    table = sign_table()
    signs = {row.name: sign for row in SHIPPED.rooms.values() if (sign := table.of_room(row))}
    for number in range(len(table.keys["colours"])):
        signs |= {f"{what} {number}": table.of_key(what, number) for what in ("key", "lock", "lever")}
    ways = {kind: table.of_way(kind, 1, 0) for kind in ("one_way", "barred")}
    return signs | ways | {"locked": Sign(table.named("padlock"), table.plain)}


def test_signs_stand_out_in_every_look_and_on_both_backgrounds() -> None:
    """Each against its edge; and of the two, one against what lies around it: tinted floors, the void, paper."""
    edge = sign_table().edge
    level = generate("isaac", 7)
    for look, background in zip(all_looks(load_theme()), cycle((DARK, LIGHT)), strict=False):
        pixels = map_pixels(level, look, list(dressed(level, look)[1]), background, False)
        for placed in signs_of(level):
            ink, (x, y) = placed.sign.ink, (round(side * TILE_PX) for side in (placed.x, placed.y))
            near = pixels[max(0, y - 8) : y + 9, max(0, x - 8) : x + 9, :3].reshape(-1, 3)
            for colour in {f"#{bytes(each).hex()}" for each in near.tolist()} - {ink, edge}:
                best = max(contrast(ink, colour), contrast(edge, colour))
                assert best >= LEAST, (look.look, background, placed.words, colour)


def test_every_sign_has_a_contrast_with_its_edge() -> None:
    """Of 9, so that one of the two has 3 with anything; also a sign in a kit's darkest colour."""
    signs = [*all_signs().values(), Sign(sign_table().named("dot"), "#000000")]
    assert min(contrast(sign.ink, sign_table().edge) for sign in signs) >= LEAST**2


def test_no_two_signs_are_alike() -> None:
    """Not even without their colours, or a dot to a side; only kinds of secret rooms and of bedrooms share theirs."""
    signs = {name: mask(sign.dots) for name, sign in all_signs().items() if name not in SHARED}
    for (one, first), (other, second) in combinations(signs.items(), 2):
        if one.split()[0] == other.split()[0]:  # one thing for two keys: only the shape differs
            assert (first != second).sum() >= 4, (one, other)
            continue
        moved = [np.roll(second, step, axis=axis) for axis in (0, 1) for step in (-1, 0, 1)]
        assert min((first != each).sum() for each in moved) >= LEAST_APART, (one, other)


def with_key_in_the_shop(level: Level) -> Level:
    """With a key where the shop's sign stands otherwise."""
    x, y = node_of(level, next(room for room in level.rooms if room.kind == "shop"))
    key = replace(level.markers[0], id=9999, kind="key", x=int(x), y=int(y), properties={"opens": "gate"})
    return replace(level, markers=(*level.markers, key))


def test_a_map_tells_where_things_are_from_its_pixels() -> None:
    """Each room's, key's and lock's sign is found by its dots and colour, at its place, and nowhere else."""
    wrong, count = [], 0
    for level in (generate("gungeon", 12, flow="two_keys"), with_key_in_the_shop(generate("isaac", 7))):
        pixels = map_pixels(level, *_dressed(level), DARK, False)
        expected = {
            (placed.sign, round(placed.x * TILE_PX), round(placed.y * TILE_PX)) for placed in signs_of(level)
        }
        found = {(sign, x, y) for sign in {each for each, _, _ in expected} for x, y in places(pixels, sign)}
        count += len(expected)
        wrong += [(level.style, sign.color, x, y) for sign, x, y in expected ^ found]
    assert count >= 15
    assert not wrong


def _dressed(level: Level) -> tuple[Theme, list[np.ndarray]]:
    look, layers = dressed(level, load_theme())
    return look, list(layers)


def places(pixels: np.ndarray, sign: Sign) -> list[tuple[int, int]]:
    """Where a sign's dots, and no others around them, have its colour."""
    same = (pixels[..., :3] == rgb(sign.ink)).all(axis=-1)
    windows = np.lib.stride_tricks.sliding_window_view(same, (SIGN_DOTS, SIGN_DOTS))
    ys, xs = np.nonzero((windows == mask(sign.dots)).all(axis=(2, 3)))
    return [(int(x) + SIGN_DOTS // 2, int(y) + SIGN_DOTS // 2) for x, y in zip(xs, ys, strict=True)]


@pytest.mark.parametrize("legend", [False, True])
def test_a_map_is_a_picture_of_two_pixels_a_tile(legend: bool) -> None:
    level = locked_level.level()
    options = {"png.map": True, "png.scale": 2, "png.legend": legend}
    data = export(level, ["png"], options, name="map")["map.png"]
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    assert width == level.width * 2 * TILE_PX or (legend and width > level.width * 2 * TILE_PX)
    assert (height > level.height * 2 * TILE_PX) == legend


def test_a_legend_is_as_wide_as_its_longest_entry() -> None:
    level = generate("isaac", 7)
    rooms = tuple(replace(room, zone=f"the_far_end_of_the_world_{11 - room.id % 2}") for room in level.rooms)
    level = replace(level, rooms=rooms)
    small = np.zeros((level.height * TILE_PX, 30, 4), np.uint8)
    drawn = _with_legend(small, level, [])
    assert (drawn[: len(small), :30] == small).all() and (drawn[:, -5:, :3] == rgb(sign_table().edge)).all()
    words = drawn[len(small) :, :, :3]
    assert (words[:, -15:-5] == rgb(sign_table().plain)).all(axis=-1).any()  # the last letter


def test_zones_are_tinted_in_rooms_with_signs_and_named_in_the_order_of_their_numbers() -> None:
    level = generate("isaac", 7)
    pixels = []
    for count in (1, 2):
        names = {room.id: f"part_{11 - room.id % count}" for room in level.rooms}
        zoned = replace(level, rooms=tuple(replace(room, zone=names[room.id]) for room in level.rooms))
        assert list(zones_of(zoned)) == (["part_10", "part_11"] if count > 1 else [])
        pixels.append(map_pixels(zoned, *_dressed(level), DARK, False))
    shop = next(room for room in level.rooms if room.kind == "shop").bounds
    part = np.s_[shop.y * TILE_PX : shop.bottom * TILE_PX, shop.x * TILE_PX : shop.right * TILE_PX]
    assert (pixels[0][part] != pixels[1][part]).any()
