"""Layers: every encoding holds the same gids."""

from __future__ import annotations

import base64
import importlib
import json
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exporters
from exporters.dress import EMPTY
from exporters.formats.tiled import ENCODINGS
from exporters.formats.tiled.syntax import data as tiled_data
from exporters.formats.tiled.write_map import encoded
from generator.errors import BadInput
from generator.installed import install_command
from tests.exporters.small_level import drawn


def unzstd(data: bytes) -> bytes:
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return bytes(importlib.import_module(name).decompress(data))
        except ImportError:
            continue
    raise AssertionError("the test extra brings one")


def gids(keys: dict[str, object]) -> list[int]:
    """The numbers that a layer's keys hold."""
    assert isinstance(keys["data"], bytes)
    data: Any = json.loads(keys["data"])
    if isinstance(data, list):
        assert keys.keys() == {"data"}
        return list(data)
    assert keys["encoding"] == "base64"
    unpack = {"": bytes, "zlib": zlib.decompress, "zstd": unzstd}[str(keys["compression"])]
    return np.frombuffer(unpack(base64.b64decode(data, validate=True)), "<u4").tolist()


SHAPES = st.tuples(st.integers(1, 7), st.integers(1, 7))


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(data=st.data(), shape=SHAPES, highest=st.sampled_from([-1, 0, 8, 9, 98, 99, 998, 999, 70_000]))
def test_every_encoding_holds_the_gids(
    encoding: str, data: st.DataObject, shape: tuple[int, int], highest: int
) -> None:
    """Row by row, each 1 more than the atlas index, 0 for none."""
    count = shape[0] * shape[1]
    numbers = data.draw(st.lists(st.integers(EMPTY, highest), min_size=count, max_size=count))
    layer = np.array(numbers, np.int32).reshape(shape)
    assert gids(encoded(layer, encoding)) == [number + 1 for number in numbers]


def without(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    real = importlib.import_module

    def import_module(name: str) -> object:
        if name in names:
            raise ModuleNotFoundError(name)
        return real(name)

    monkeypatch.setattr(tiled_data.importlib, "import_module", import_module)


def test_without_zstd_there_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "compression.zstd", "backports.zstd")
    with pytest.raises(BadInput) as caught:
        exporters.export(drawn("###\n#.#\n###"), "tiled", {"tiled.encoding": "zstd"})
    assert str(caught.value) == (
        "tiled.encoding: zstd needs Python 3.14 or the package backports.zstd; "
        f"run {install_command('zstd')}, or choose zlib"
    )


def test_bits_that_turn_a_tile_are_never_set(cases: dict[str, Any]) -> None:
    """Nor is there a gid without a tile."""
    for case in cases.values():
        tiles = case.theme.columns * case.theme.rows
        for layer in case.layers:
            found: npt.NDArray[np.uint32] = np.array(gids(encoded(layer, "base64")), np.uint32)
            assert found.max(initial=0) <= tiles < 1 << 28
