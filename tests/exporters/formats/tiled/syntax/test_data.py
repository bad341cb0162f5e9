"""Tiles in every form of Tiled: what is written and read again is equal, and a bomb is never unpacked."""

from __future__ import annotations

import base64
import gzip
import json
import tracemalloc
import zlib

import numpy as np
import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from exporters.formats.tiled.syntax import data as tiled_data
from exporters.formats.tiled.syntax.data import Gids, TileDataError, decoded, encoded

PACKINGS = [("csv", ""), *(("base64", each) for each in ("", "zlib", "gzip", "zstd"))]
PACKERS = {"zlib": zlib.compress, "gzip": gzip.compress, "zstd": zstd.compress}


@st.composite
def layers(draw: st.DrawFn) -> Gids:
    height, width = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    most = draw(
        st.sampled_from([0, 9, 10, 99, 100, 999, 1000, 70_000, (1 << 20) - 1, 1 << 20, (1 << 32) - 1])
    )
    count = height * width
    numbers = draw(st.lists(st.integers(0, most), min_size=count, max_size=count))
    return np.array(numbers, np.uint32).reshape(height, width)


@given(layers(), st.sampled_from(PACKINGS))
def test_what_is_written_and_read_again_is_equal(gids: Gids, packing: tuple[str, str]) -> None:
    written = encoded(gids, *packing)
    assert np.array_equal(decoded(json.loads(written), *packing, gids.size), gids.ravel())
    assert encoded(decoded(json.loads(written), *packing, gids.size).reshape(gids.shape), *packing) == written


@given(layers())
def test_numbers_may_be_a_text(gids: Gids) -> None:
    """As in XML, with whatever space Tiled has put between them."""
    text = encoded(gids, "csv", "").decode().strip("[]")
    assert np.array_equal(decoded(text, "csv", "", gids.size), gids.ravel())
    spaced = text.replace(",", " ,\n  ")
    assert np.array_equal(decoded(spaced, "csv", "", gids.size), gids.ravel())


def test_numbers_have_a_line_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """In however many bands they are written, and if they are too large for the table."""
    gids = np.array([[0, 1, 100], [10, 9, 0], [6, 6, 6]], np.uint32)
    whole = encoded(gids, "csv", "")
    assert whole == b"[\n0,1,100,\n10,9,0,\n6,6,6\n]"
    monkeypatch.setattr(tiled_data, "_BAND", 3)
    assert encoded(gids, "csv", "") == whole
    monkeypatch.setattr(tiled_data, "_TABLE_BITS", 1)
    assert encoded(gids, "csv", "") == whole


@pytest.mark.parametrize("compression", PACKERS)
def test_a_bomb_spends_no_memory(compression: str) -> None:
    bomb = base64.b64encode(PACKERS[compression](bytes(1 << 26))).decode()
    tracemalloc.start()
    try:
        with pytest.raises(TileDataError, match="has 401 bytes, not 4 for each of 100 tiles"):
            decoded(bomb, "base64", compression, 100)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("text", "encoding", "says"),
    [
        ("1," * (1 << 20), "csv", "is not a list of 100 tile numbers"),
        ("AAA " * (1 << 20), "base64", "has 2359296 bytes, not 4 for each of 100 tiles"),
    ],
    ids=["csv", "base64"],
)
def test_a_long_text_in_small_pieces_spends_no_memory(text: str, encoding: str, says: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(TileDataError, match=says):
            decoded(text, encoding, "", 100)
        assert tracemalloc.get_traced_memory()[1] < 4 * len(text)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("data", "encoding", "compression", "says"),
    [
        (None, "csv", "", "None is neither a list nor text"),
        ([1], "csv", "", "has 1 entries, not 2"),
        ([1, True], "csv", "", "entry 1: True is not a whole number from 0 to 4294967295"),
        ([1.5, 2], "csv", "", "entry 0: 1.5 is not a whole number"),
        ([1 << 80, 2], "csv", "", "entry 0: .* is not a whole number"),
        ([0, -1], "csv", "", "entry 1: -1 is not a whole number"),
        ("1", "csv", "", "is not a list of 2 tile numbers"),
        ("1,-1", "csv", "", "is not a list of 2 tile numbers"),
        ("1,99999999999", "csv", "", "is not a list of 2 tile numbers"),
        ("1,4294967296", "csv", "", "entry 1: 4294967296 is not a whole number"),
        ("1,2", "morse", "", "unknown encoding 'morse'"),
        ("AAA", "base64", "", "is not base64"),
        ("\u00e9AAA", "base64", "", "is not base64"),
        ("AAAA", "base64", "", "has 3 bytes, not 4 for each of 2 tiles"),
        ("AAAA", "base64", "lzma", "unknown compression 'lzma'"),
        *(
            ("AAAA", "base64", compression, "cannot be unpacked: ")
            for compression in ("zlib", "gzip", "zstd")
        ),
    ],
)
def test_what_tiled_could_not_have_written_is_told(
    data: object, encoding: str, compression: str, says: str
) -> None:
    with pytest.raises(TileDataError, match=says):
        decoded(data, encoding, compression, 2)
