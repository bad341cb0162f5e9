"""Reading what the page sends: JSON only, at most 1 MB, and nothing that is odd inside."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NoReturn

from starlette.requests import ClientDisconnect, Request

from generator.errors import shown

MAX_BYTES = 1 << 20
LIMIT = 30.0  # seconds until all of it is there
_MAX_DEPTH = 12
_MAX_PARTS = 20_000
_MAX_DIGITS = 1 << 63


class BadRequestError(Exception):
    """A request that the page never sends: its status, and what is wrong."""

    def __init__(self, status: int, message: str, key: str | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.key = status, message, key


async def read_body(request: Request) -> dict[str, Any]:
    """Read the JSON object in the body of a request. Raises BadRequestError."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise BadRequestError(415, "content-type: is not application/json; send JSON")
    length = request.headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit() and len(length) <= 18) or int(length) > MAX_BYTES:
        raise _too_large()
    data = bytearray()
    try:
        async with asyncio.timeout(LIMIT):
            async for part in request.stream():
                data += part
                if len(data) > MAX_BYTES:
                    raise _too_large()
    except TimeoutError:
        raise BadRequestError(408, f"the request took longer than {LIMIT:.0f} seconds to send") from None
    except ClientDisconnect:
        raise BadRequestError(400, "the request ended in the middle") from None
    return parse_body(bytes(data))


def _too_large() -> BadRequestError:
    return BadRequestError(413, f"the request is larger than {MAX_BYTES} bytes; send less")


def parse_body(data: bytes) -> dict[str, Any]:
    """Parse a JSON object of texts, whole numbers, booleans, lists and objects. Raises BadRequestError."""
    try:
        body = json.loads(data.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):  # ValueError: no UTF-8, no JSON, a number of 5000 digits
        raise BadRequestError(400, "the request is not JSON") from None
    if not isinstance(body, dict):
        raise BadRequestError(400, "the request is not a JSON object")
    _check_parts(body)
    return body


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def _check_parts(root: object) -> None:
    """Refuse deep nesting, too many parts, lone surrogates, and numbers that JSON readers cannot keep."""
    left: list[tuple[object, int]] = [(root, 0)]
    count = 0
    while left:
        part, depth = left.pop()
        count += 1
        if depth > _MAX_DEPTH or count > _MAX_PARTS:
            raise BadRequestError(400, "the request is nested too deep, or has too many parts")
        if isinstance(part, dict):
            left += [(inner, depth + 1) for pair in part.items() for inner in pair]
        elif isinstance(part, list):
            left += [(inner, depth + 1) for inner in part]
        elif isinstance(part, str):
            if any("\ud800" <= letter <= "\udfff" for letter in part):
                raise BadRequestError(400, f"{shown(part)} is not valid Unicode; type it again")
        elif isinstance(part, int) and not -_MAX_DIGITS <= part < 2 * _MAX_DIGITS:
            raise BadRequestError(400, "a number has more than 64 bits; send it as a text")
