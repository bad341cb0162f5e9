"""JSON files: read safely."""

from __future__ import annotations

import json
from typing import Any

from exporters.merge.outcome import CannotMerge

MAX_BYTES = 1 << 28


def read(data: bytes) -> dict[str, Any]:
    """Parse a table from JSON. Raises CannotMerge if it is damaged or huge."""
    check_size(data)
    try:
        table = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise CannotMerge(f"is not JSON: line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError):
        raise CannotMerge("is not JSON") from None
    if not isinstance(table, dict):
        raise CannotMerge("does not contain a JSON object")
    return table


def check_size(data: bytes) -> None:
    """Raise CannotMerge for a huge file."""
    if len(data) > MAX_BYTES:
        raise CannotMerge(f"has more than {MAX_BYTES >> 20} MB")
