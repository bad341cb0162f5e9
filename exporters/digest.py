"""A digest that a file holds of itself, by which an importer knows it from one that was edited since.

It is the SHA-256 of the file with `BLANK` in the digest's place. Tiled and LDtk do not know the key, and
leave it out when they save.
"""

from __future__ import annotations

import hashlib

KEY = "digest"
BLANK = "0" * 64


def with_digest(data: bytes) -> bytes:
    """The file with its digest in place of the first `BLANK`."""
    return data.replace(BLANK.encode(), hashlib.sha256(data).hexdigest().encode(), 1)
