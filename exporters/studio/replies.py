"""What is answered: JSON, and errors that name the place where something is wrong.

{"error": {"code": "bad_input", "message": "cellar.toml: stage: 13 is out of range; give 1 to 12",
           "file": "cellar.toml", "line": null, "key": "stage", "control": "stage", "value": 13}}
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from starlette.responses import Response

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
