"""A digest of a file, kept in the file itself. It tells an importer whether the file was edited later.

It is the SHA-256 of the file with `BLANK` in place of the digest. Tiled and LDtk do not know the key and
drop it when they save.

If a person has edited the level, its files say so beside the digest. Only the edited level.json can
reproduce such a file, so a matching digest is not a reason to overwrite it.
"""

from __future__ import annotations

import hashlib
import io

KEY = "digest"
EDITED = "edited"
BLANK = "0" * 64
_SLOTS = tuple(  # in JSON, in JSON of one line, and in XML
    slot.encode() for slot in (f'"{KEY}": "{BLANK}"', f'"{KEY}":"{BLANK}"', f' {KEY}="{BLANK}"')
)


def header(edited: bool) -> dict[str, object]:
    """Return the key with a blank digest, and the mark of an `edited` level."""
    return {KEY: BLANK, EDITED: True} if edited else {KEY: BLANK}


def with_digest(file: io.BytesIO) -> bytes:
    """Put a file's digest in place of the `BLANK` of its key. A file without that key is unchanged.

    It is written into the file's memory, which may be large, so nothing else should hold its bytes.
    """
    data = file.getvalue()
    for slot in _SLOTS:
        at = data.find(slot)
        if at >= 0:
            digest = hashlib.sha256(data).hexdigest().encode()
            del data
            file.seek(at + slot.index(BLANK.encode()))
            file.write(digest)
            return file.getvalue()
    return data
