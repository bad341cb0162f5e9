"""Who may ask: this machine's own browser, with the token, from the studio's own page.

Any page that a browser shows can send requests to 127.0.0.1, and a name that it owns can be made to lead
there (DNS rebinding). So each request must name our own address as its host, come from our own page, and
bring a cookie that only the printed address gives.
"""

from __future__ import annotations

import secrets
from typing import Any

from starlette.datastructures import Headers, QueryParams
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from exporters.studio.requests import refusal

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """Lets through what comes from the studio's own page, and answers everything else itself.

    `port` is the one that is listened on, known when the server has begun.
    """

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app, self._token, self._port = app, token, port

    @property
    def cookie(self) -> str:
        """The cookie's name: cookies do not know ports, and two studios must not disturb each other."""
        return f"undercroft_studio_{self._port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. Websockets are not spoken."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            refused = self._refused(scope)
            if refused:
                refused.headers["connection"] = "close"  # or a page of others could hold all that there are
            answer = refused or self._welcomed(scope)
            await (answer or self._app)(scope, receive, _with_headers(send))

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        hosts = {f"127.0.0.1:{self._port}", f"localhost:{self._port}"}
        host = headers.getlist("host")
        if len(host) != 1 or host[0] not in hosts:
            return _refusal(scope, "host", "this address is not the studio's; open the printed one")
        if self._is_entry(scope):  # from a terminal, a mail, a bookmark: the token alone counts
            return None
        origin, site = headers.getlist("origin"), headers.get("sec-fetch-site", "same-origin")
        is_ours = origin in ([], [f"http://{host[0]}"])
        has_origin = bool(origin) or scope["method"] in ("GET", "HEAD")
        is_typed = site == "none" and scope["method"] == "GET"  # into the address bar
        if not (is_ours and has_origin and (site == "same-origin" or is_typed)):
            return _refusal(scope, "origin", "the request does not come from the studio's own page")
        cookie = cookie_parser(headers.get("cookie", "")).get(self.cookie, "")
        if not _is_same(cookie, self._token):
            return _refusal(scope, "token", "the token is missing; open the address that the studio printed")
        return None

    def _is_entry(self, scope: Scope) -> bool:
        return scope["method"] == "GET" and scope["path"] == "/" and "token" in _query(scope)

    def _welcomed(self, scope: Scope) -> Response | None:
        """Answer the printed address: set the cookie and redirect to the page without the token."""
        if not self._is_entry(scope):
            return None
        if not _is_same(_query(scope)["token"], self._token):
            return PlainTextResponse(
                "This token is not the studio's. Open the address that it printed.\n", 403
            )
        answer = RedirectResponse("/", 303, {"cache-control": "no-store"})
        answer.set_cookie(self.cookie, self._token, path="/", httponly=True, samesite="strict")
        return answer


def _refusal(scope: Scope, code: str, message: str) -> Response:
    """Refuse with JSON for the page's script, or a line of text for a person who opens the page itself."""
    if scope["path"] == "/":
        return PlainTextResponse(f"Undercroft Studio: {message}\n", 403)
    return refusal(403, code, message)


def _is_same(sent: str, token: str) -> bool:
    return secrets.compare_digest(sent.encode("utf-8", "replace"), token.encode())


def _query(scope: Scope) -> QueryParams:
    return QueryParams(scope["query_string"])


def _with_headers(send: Send) -> Send:
    """Add the headers that all responses share. Nothing stays in a cache unless a response says so."""

    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            own: list[Any] = list(message.get("headers", []))
            present = {name.lower() for name, _ in own}
            added = {**_HEADERS, **({} if b"cache-control" in present else {"cache-control": "no-store"})}
            message = {
                **message,
                "headers": own + [(key.encode(), value.encode()) for key, value in added.items()],
            }
        await send(message)

    return with_headers
