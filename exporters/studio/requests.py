"""What a page sends and gets: JSON, requests as records of checked types, and errors that name a place.

{"error": {"code": "bad_input", "message": "cellar.toml: stage: 13 is out of range; give 1 to 12",
           "file": "cellar.toml", "line": null, "key": "stage", "control": "stage", "value": 13}}

A body is JSON, at most 1 MB, with nothing that is odd inside. What its values mean is for those to say who
make the level.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, NoReturn

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from generator.errors import is_unicode, remedied, shown
from generator.named_tuple import NamedTuple
from generator.node import Node

# --- what is answered --------------------------------------------------------------------------------

JSON = "application/json"


class Reply(NamedTuple):
    """What a worker made of a request: a status, the JSON, and pictures that it names, by their digests."""

    status: int
    body: bytes
    pictures: tuple[tuple[str, bytes], ...] = ()

    def response(self) -> Response:
        """Convert the reply to the response that is sent."""
        return Response(self.body, self.status, media_type=JSON)


def packed(data: object) -> bytes:
    """Encode JSON as short as it can be. A folder's name that is not Unicode gets question marks."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "replace")


def error_body(code: str, message: str, **fields: Any) -> bytes:
    """Encode the JSON of an error. `fields` replaces the fields that are otherwise null."""
    empty = {"file": None, "line": None, "key": None, "control": None, "value": None}
    return packed({"error": {"code": code, "message": message, **empty, **fields}})


def refusal(status: int, code: str, message: str, **fields: Any) -> Response:
    """Make the response for an error."""
    return Response(error_body(code, message, **fields), status, media_type=JSON)


# --- what is sent ------------------------------------------------------------------------------------

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
            if not is_unicode(part):
                raise BadRequestError(400, f"{shown(part)} is not valid Unicode; type it again")
        elif isinstance(part, int) and not -_MAX_DIGITS <= part < 2 * _MAX_DIGITS:
            raise BadRequestError(400, "a number has more than 64 bits; send it as a text")


# --- what is asked for -------------------------------------------------------------------------------

_TAB = "[A-Za-z0-9_-]{1,64}"
MAX_ROOMS = 100_000


LEVEL_KEYS = ("tab", "slot", "spec", "seed", "theme", "rerolls")  # of every request for a level


class LevelRequest(NamedTuple):
    """All that a level is made from: `name` is that of a preset, a style, or a spec's TOML in the project.

    `values` go over it, by dotted key. `theme` is a TOML in the project; empty for the built-in one.
    """

    name: str
    values: dict[str, Any]
    seed: str | None
    theme: str
    rerolls: tuple[dict[str, Any], ...]


class RollRequest(NamedTuple):
    """Rooms to roll again, or those that stay: one of the two is None. The fields are the request's keys."""

    rooms: tuple[int, ...] | None
    pins: tuple[int, ...] | None
    what: str


class WriteRequest(NamedTuple):
    """Files to write. The fields are the request's keys."""

    formats: tuple[str, ...]
    options: dict[str, Any]
    folder: str
    name: str
    edits: str


class Body(Node):
    """The object that a request sent, or a value in it. All methods raise BadRequestError."""

    __slots__ = ()

    def __init__(self, value: Any, key: str | int = "", above: Body | None = None) -> None:
        super().__init__(value, key, above)

    def fail(self, what: str) -> NoReturn:
        """Raise the error with the key's path."""
        raise BadRequestError(400, f"{self.path}: {remedied(what)}", self.path)

    def _seed_text(self) -> str | None:
        """Return the seed, a text or a number, as a text. None stands for the style's own default."""
        seed = self.at("seed", None)
        if seed.value is None or seed.value == "":
            return None
        return str(seed.value) if type(seed.value) is int else seed.text()

    def rooms(self, key: str) -> tuple[int, ...] | None:
        """Return a list of rooms, or None if missing."""
        rooms = self.at(key, None)
        if rooms.value is None:
            return None
        return tuple(room.number(0, MAX_ROOMS) for room in rooms.items(MAX_ROOMS))

    def asker(self) -> tuple[str, str]:
        """Return the tab and the slot in it. A new request makes an older one of the same two out of date."""
        tab, slot = self.at("tab", "tab"), self.at("slot", "a")
        return tab.matching(_TAB, "up to 64 of A-Za-z0-9_-"), slot.matching(_TAB, "up to 64 of A-Za-z0-9_-")

    def level(self) -> LevelRequest:
        """Return the requested level."""
        spec = self.at("spec", {}).only(("name", "set"))
        return LevelRequest(
            name=spec["name"].text(),
            values=spec.at("set", {}).table(),
            seed=self._seed_text(),
            theme=self.at("theme", "").text(),
            rerolls=tuple(row.table() for row in self.at("rerolls", []).items(MAX_ROOMS)),
        )

    def roll(self) -> RollRequest:
        """Return the rooms to roll again."""
        return RollRequest(
            rooms=self.rooms("rooms"),
            pins=self.rooms("pins"),
            what=self.at("what", "layout").text(),
        )

    def files(self) -> WriteRequest:
        """Return the files to write."""
        return WriteRequest(
            formats=tuple(name.text() for name in self.at("formats", []).items(50)),
            options=self.at("options", {}).table(),
            folder=self.at("folder", ".").text(),
            name=self.at("name", "").text(),
            edits=self.at("edits", "keep").text(),
        )
