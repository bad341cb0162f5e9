"""The reader of packs for browsers, which ships with the package: `undercroft-pack.js`."""

from __future__ import annotations

from pathlib import Path

NAME = "undercroft-pack.js"


def web_reader() -> bytes:
    """Return the ES module that opens packs in browsers and in Node."""
    return Path(__file__).with_name(NAME).read_bytes()
