"""A digest that a file holds of itself, by which an importer knows it from one that was edited since.

It is the SHA-256 of the file with `BLANK` in the digest's place. Tiled and LDtk do not know the key, and
leave it out when they save.

A file of a level that a person has edited says so beside the digest: nobody but that person's level.json can
give it again, so the digest does not make it ours to write over.
"""

from __future__ import annotations

import hashlib

KEY = "digest"
EDITED = "edited"
BLANK = "0" * 64


def header(edited: bool) -> dict[str, object]:
    """The digest's key, still blank, and what tells that the level was `edited`."""
    return {KEY: BLANK, EDITED: True} if edited else {KEY: BLANK}


def with_digest(data: bytes) -> bytes:
    """The file with its digest in place of the first `BLANK`."""
    return data.replace(BLANK.encode(), hashlib.sha256(data).hexdigest().encode(), 1)
