"""Names of files that every file system takes, made from what people typed."""

from __future__ import annotations

import hashlib
import re

_MOST_NAME = 120  # characters; the files' suffixes come behind


def safe_name(name: str) -> str:
    """A name without characters outside `A-Za-z0-9._-`, not hidden, at most 120 long."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)[:_MOST_NAME].lstrip(".") or "_"


def distinct_name(name: str) -> str:
    """As `safe_name`, and a digest behind it where that changes the name: another's could become the same."""
    safe = safe_name(name)
    if safe == name:
        return name
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{safe[: _MOST_NAME - 1 - len(digest)]}-{digest}"
