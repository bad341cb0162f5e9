"""Who may not ask, and what is not read: nothing of it is an error of the server's own."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.types import Message

from exporters.studio import requests
from exporters.studio.project import to_write_in
from exporters.studio.requests import MAX_BYTES
from generator.errors import BadInput
from tests import hostile
from tests.exporters.studio.page import ORIGIN, PORT, TOKEN, Page

pytestmark = pytest.mark.xdist_group("studio")
ASKED = {"spec": {"name": "isaac"}, "seed": 7}
OURS = {"origin": ORIGIN, "content-type": "application/json"}


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"host": "evil.example"}, "host"),
        ({"host": f"evil.example:{PORT}"}, "host"),
        ({"host": "127.0.0.1:1"}, "host"),
        ({"host": ""}, "host"),
        ({"origin": "http://evil.example"}, "origin"),
        ({"origin": "null"}, "origin"),
        ({"origin": f"https://127.0.0.1:{PORT}"}, "origin"),
        ({"origin": f"http://127.0.0.1:{PORT + 1}"}, "origin"),
        ({"sec-fetch-site": "cross-site"}, "origin"),
        ({"sec-fetch-site": "same-site"}, "origin"),
        ({"cookie": ""}, "token"),
        ({"cookie": f"undercroft_studio_{PORT}={TOKEN[:-1]}"}, "token"),
        ({"cookie": f"undercroft_studio_{PORT + 1}={TOKEN}"}, "token"),
        ({"cookie": f"undercroft_studio_{PORT}=\xff"}, "token"),
    ],
)
def test_others_are_refused(studio: Page, headers: dict[str, str], code: str) -> None:
    raw = {key: text.encode("latin-1") for key, text in {**OURS, **headers}.items()}
    for answer in (
        studio.client.post("/api/level", json=ASKED, headers=raw),
        studio.client.get("/api/described", headers=raw),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, code)
        assert "access-control-allow-origin" not in answer.headers
        assert answer.headers["connection"] == "close"
    page = studio.client.get("/", headers=raw)
    assert page.status_code == 403 and page.text.startswith("Undercroft Studio: ")


def test_a_page_of_others_cannot_send_even_a_plain_form(studio: Page) -> None:
    """A form needs no leave of the server's: it comes with an origin, or from old programs with none."""
    no_origin = studio.client.post("/api/level", json=ASKED)
    assert no_origin.json()["error"]["code"] == "origin"
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = studio.client.post("/api/level", content=b"{}", headers={**OURS, "content-type": kind})
        assert answer.status_code == 415


def test_the_token_stands_in_no_address_afterwards(studio: Page) -> None:
    answer = studio.client.get(f"/?token={TOKEN}", headers={"cookie": ""}, follow_redirects=False)
    assert answer.status_code == 303 and answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    assert (
        "no-store" in answer.headers["cache-control"] and answer.headers["referrer-policy"] == "no-referrer"
    )
    assert studio.client.get("/?token=another", headers={"cookie": ""}).status_code == 403
    assert (
        studio.client.post(
            f"/api/level?token={TOKEN}", json=ASKED, headers={**OURS, "cookie": ""}
        ).status_code
        == 403
    )


def test_the_page_runs_what_is_ours_alone(studio: Page) -> None:
    answer = studio.client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    assert (
        answer.headers["x-content-type-options"] == "nosniff"
        and answer.headers["cache-control"] == "no-store"
    )


@pytest.mark.parametrize(
    "path",
    [
        "/page/../app.py", "/page/%2e%2e/app.py", "/page/..%2fapp.py", "/page//etc/passwd", "/page/app.py",
        "/page/__init__.py", "/shared/..%5c..%5capp.py", "/shared/../cards.py", "/page/%00.html",
        "/page/" + "a/" * 200 + "x.js", "/api/pictures/..%2fx.png", "/api/nothing", "/app.py", "/shared/x:y.css",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_page(studio: Page, path: str) -> None:
    assert studio.client.get(path).status_code == 404


def test_a_browser_that_asks_for_an_icon_is_told_of_no_error(studio: Page) -> None:
    """It does so beside whatever is no page of ours, such as a stylesheet."""
    assert studio.client.get("/favicon.ico").status_code == 204


def test_shared_parts_of_the_gallery_are_there(studio: Page) -> None:
    assert studio.client.get("/shared/picture.js").headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("path", ["..", "/", "/etc", "specs/../..", "a\0b", "garden/kit.toml", "~"])
def test_no_folder_outside_is_listed(studio: Page, path: str) -> None:
    answer = studio.client.get("/api/folders", params={"path": path})
    assert answer.status_code == 422 and answer.json()["error"]["control"] == "path"


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_an_address_takes_its_method_alone(studio: Page, method: str) -> None:
    assert studio.client.request(method, "/api/level", headers=OURS).status_code == 405


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param(b"{" * 100_000, 400, id="half"),
        pytest.param(b"[" * 500_000, 400, id="deep"),
        pytest.param(b'{"a":' * 50 + b"1" + b"}" * 50, 400, id="deeper than any"),
        pytest.param(b'{"seed": ' + b"9" * 100_000 + b"}", 400, id="digits"),
        pytest.param(b'{"seed": NaN}', 400, id="not a number"),
        pytest.param(b'{"seed": "\\ud800"}', 400, id="half a letter"),
        pytest.param(b'{"seed": "\xff"}', 400, id="not UTF-8"),
        pytest.param(b"[]", 400, id="a list"),
        pytest.param(b"", 400, id="nothing"),
        pytest.param(b'{"a":"' + b"x" * MAX_BYTES + b'"}', 413, id="huge"),
        pytest.param(json.dumps({"rerolls": [{}] * 30_000}).encode(), 400, id="many parts"),
    ],
)
def test_odd_bodies_are_refused(studio: Page, body: bytes, status: int) -> None:
    assert studio.client.post("/api/level", content=body, headers=OURS).status_code == status
    parts = (body[start : start + 65_536] for start in range(0, len(body), 65_536))  # its length is not said
    assert studio.client.post("/api/level", content=parts, headers=OURS).status_code == status


def test_a_body_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "LIMIT", 0)

    async def nothing_more() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]}
    with pytest.raises(requests.BadRequestError) as raised:
        asyncio.run(requests.read_body(Request(scope, nothing_more)))
    assert raised.value.status == 408


WHOLE: dict[str, dict[str, Any]] = {
    "/api/spec": {},
    "/api/floorplan": {},
    "/api/level": {"theme": "", "rerolls": [{"room": 1, "layout": 1}]},
    "/api/reroll": {"rooms": [1], "what": "markers"},
    "/api/commands": {
        "rerolls": [{"room": 1, "layout": 1}],
        "formats": ["png"],
        "options": {"png.scale": 1},
        "folder": ".",
        "name": "x",
        "edits": "keep",
    },
    "/api/write": {
        "rerolls": [{"room": 1, "layout": 1}],
        "formats": ["png"],
        "options": {"png.scale": 1},
        "folder": "fuzz",
        "name": "x",
        "edits": "fail",
    },
    "/api/star": {"group": "fuzz"},
    "/api/unstar": {},
    "/api/layouts": {"pool": "shop", "levels": 0},
    "/api/search": {"where": "loops > 90", "first": 1, "count": 5, "most": 1},
}


@pytest.mark.parametrize(
    "row", [{}, {"room": 999, "layout": 1}, {"room": True}, {"room": 1, "layout": 2**62}]
)
@pytest.mark.parametrize("path", ["/api/level", "/api/commands", "/api/write"])
def test_rolls_that_no_level_has_are_refused(studio: Page, path: str, row: dict[str, Any]) -> None:
    error = studio.error(path, {**ASKED, **WHOLE[path], "rerolls": [row]})
    assert error["message"].startswith("rerolls")


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_is_sent_is_answered(studio: Page, data: st.DataObject) -> None:
    """With a status that says whose fault it is, and a line: never by an error of the server's own."""
    path = data.draw(st.sampled_from(sorted(WHOLE)))
    spec = {"name": "isaac", "set": {"stage": 2, "room_size": [15, 9], "state": {"coins": 1}, "layouts": ""}}
    body = hostile.changed(data, {"tab": "t", "slot": "a", "seed": "7", "spec": spec, **WHOLE[path]})
    if path == "/api/layouts" and isinstance(body.get("levels"), int):
        body["levels"] = min(body["levels"], 2)
    answer = studio.client.post(path, content=json.dumps(body).encode(), headers=OURS)
    assert answer.status_code in (200, 400, 422), answer.text
    if answer.status_code != 200:
        message = answer.json()["error"]["message"]
        assert message and message.isprintable() and "Traceback" not in message


@pytest.mark.parametrize("folder", [".git", ".github/workflows", "levels/.cache", "a/../.git", "link"])
def test_nothing_is_written_into_a_folder_that_begins_with_a_dot(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "link").symlink_to(".git")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match="begins with a dot; pick another one"):
        to_write_in(folder)
    assert [to_write_in(each) for each in ("levels", ".", "./a.b")] == [Path("levels"), Path(), Path("a.b")]
