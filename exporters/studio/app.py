"""The addresses of the studio, and what each of them does."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from exporters.studio.requests import (
    LEVEL_KEYS,
    BadRequestError,
    Body,
    LevelRequest,
    Reply,
    RollRequest,
    WriteRequest,
    packed,
    read_body,
    refusal,
)
from exporters.studio.security import Guard
from exporters.studio.watch import Watch
from exporters.studio.workers import SUPERSEDED, QueueKey, Superseded, WorkerPool, WorkQueue
from generator.batch.run import cores
from generator.named_tuple import NamedTuple
from generator.seeds import MAX_SEED
from generator.shipped_files import shipped_folder

_MAX_BYTES = 1 << 26


class PictureStore:
    """Pictures by digest. The least recently requested go first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def add(self, pictures: Iterable[tuple[str, bytes]]) -> None:
        """Keep some more."""
        for digest, data in pictures:
            self._kept[digest] = data
            self._kept.move_to_end(digest)
        while len(self._kept) > 1 and sum(map(len, self._kept.values())) > _MAX_BYTES:
            self._kept.popitem(last=False)

    def get(self, digest: str) -> bytes | None:
        """Return a picture, if it is still kept."""
        if digest in self._kept:
            self._kept.move_to_end(digest)
        return self._kept.get(digest)

    @property
    def known(self) -> frozenset[str]:
        """The digests of all that are there."""
        return frozenset(self._kept)


_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
_FOR_EVER = {"cache-control": "private, max-age=31536000, immutable"}  # the address is the content's digest
_MAX_SEARCHED, _MAX_HITS, _MAX_COUNTED = 1_000_000, 500, 500


class _LevelTask(NamedTuple):
    """A task for a level: the further keys of its request, and how they are read.

    With `draws` it is told which pictures the page knows, and with `writes` it waits for others that write.
    """

    keys: Sequence[str] = ()
    read: Callable[[Body], Sequence[Any]] = lambda _: ()
    draws: bool = False
    writes: bool = False


def _pool(body: Body) -> tuple[str, int]:
    return body.at("pool", "").text(), body.at("levels", 0).number(0, _MAX_COUNTED)


_LEVEL_TASKS = {
    "spec": _LevelTask(),  # every value of it
    "floorplan": _LevelTask(),
    "level": _LevelTask(draws=True),
    "reroll": _LevelTask(RollRequest._fields, lambda body: [body.roll()], draws=True),
    "layouts": _LevelTask(("pool", "levels"), _pool),  # that the spec may draw, and a picture of a pool
    "commands": _LevelTask(WriteRequest._fields, lambda body: [body.files()]),  # that write the same files
    "write": _LevelTask(WriteRequest._fields, lambda body: [body.files()], writes=True),
    "star": _LevelTask(writes=True),
    "unstar": _LevelTask(writes=True),
}


class Studio:
    """A project's folder, the processes that work on it, and the pictures that pages asked for."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.desk = WorkQueue(WorkerPool(workers, folder))
        self.plans = WorkQueue(WorkerPool(1, folder))  # a floorplan waits for no level
        self.searches = WorkQueue(WorkerPool(2, folder, is_behind=True))  # or they would hold up sliders
        self.files = WorkQueue(WorkerPool(1, folder), limit=600)  # one file after the other
        self.pictures = PictureStore()
        self.stopping = asyncio.Event()
        self.watch = Watch(folder, self.stopping)
        self._writes = count()

    def close(self) -> None:
        """End all processes."""
        for desk in (self.desk, self.plans, self.searches, self.files):
            desk.close()

    async def reply(self, request: Request, key: tuple[str, ...], name: str, *arguments: Any) -> Response:
        """Run a task and return its result, which is dropped if the client disconnects meanwhile."""
        desk = self.plans if name == "floorplan" else self.desk
        reply = await _while_asked(request, desk.ask(key, name, *arguments))
        self.pictures.add(reply.pictures)
        return reply.response()

    async def write_reply(self, name: str, *arguments: Any) -> Response:
        """Run a task that writes, in turn. It is never cancelled because a page closes."""
        reply = await asyncio.shield(self.files.ask(("files", str(next(self._writes))), name, *arguments))
        return reply.response()

    def _level_route(self, name: str, task: _LevelTask) -> Route:
        async def answered(request: Request) -> Response:
            body = Body(await read_body(request)).only((*LEVEL_KEYS, *task.keys))
            known = [self.pictures.known] if task.draws else []
            arguments = body.level(), *task.read(body), *known
            if task.writes:
                return await self.write_reply(name, *arguments)
            return await self.reply(request, (name, *body.asker()), name, *arguments)

        return Route(f"/api/{name}", answered, methods=["POST"])

    # --- addresses ---------------------------------------------------------------------------------------

    async def described(self, request: Request) -> Response:
        """Describe everything that can be chosen. This is a page's first request."""
        await self.watch.note(_client(request))
        return await self.reply(request, ("described", _client(request)), "described")

    async def folders(self, request: Request) -> Response:
        """List the folders in a folder of the project."""
        return await self.reply(
            request, ("folders", _client(request)), "folders", request.query_params.get("path", ".")
        )

    async def picture(self, request: Request) -> Response:
        """Return a picture that a level named."""
        data = self.pictures.get(request.path_params["digest"])
        if data is None:
            return refusal(404, "not_found", "this picture is no longer kept; ask for the level again")
        return Response(data, media_type="image/png", headers=_FOR_EVER)

    async def stars(self, request: Request) -> Response:
        """List the starred levels in the project's manifest."""
        return await self.reply(request, ("stars", _client(request)), "stars")

    async def search(self, request: Request) -> Response:
        """Stream seeds whose levels meet a condition, as they are found."""
        body = Body(await read_body(request)).only((*LEVEL_KEYS, "where", "first", "count", "most"))
        query = SearchAsked(
            body.level(),
            body["where"].text(),
            body.at("first", 1).number(0, MAX_SEED),
            body.at("count", 1000).number(1, _MAX_SEARCHED),
            body.at("most", 24).number(1, _MAX_HITS),
        )
        lines = found(query, ("search", *body.asker()), self.searches, self.pictures, self.stopping)
        return StreamingResponse(lines, media_type="application/x-ndjson")

    async def events(self, request: Request) -> Response:
        """Stream the changes of the project's files."""
        return StreamingResponse(self.watch.events(_client(request)), media_type="text/event-stream")

    def routes(self) -> list[Route]:
        """Return all addresses."""
        return [
            Route("/", _page),
            Route("/page/{path:path}", _page),
            Route("/shared/{path:path}", _shared),
            Route("/favicon.ico", _no_icon),
            Route("/api/described", self.described),
            Route("/api/folders", self.folders),
            Route("/api/pictures/{digest:str}.png", self.picture),
            Route("/api/stars", self.stars),
            Route("/api/events", self.events),
            *(self._level_route(name, task) for name, task in _LEVEL_TASKS.items()),
            Route("/api/search", self.search, methods=["POST"]),
        ]


def studio_app(folder: Path, token: str, port: int, workers: int = 0) -> tuple[Guard, Studio]:
    """Build the application of a project's folder. Also return the studio behind it.

    So many `workers` make levels, 0 for as many as there are cores, up to 3.
    """
    studio = Studio(folder, workers or min(3, max(2, cores())))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        warming = asyncio.gather(studio.plans.warm(), studio.desk.warm())
        try:
            yield
        finally:
            warming.cancel()
            studio.close()
            with suppress(asyncio.CancelledError, OSError):  # or a process that cannot be begun
                await warming

    errors: dict[Any, Callable[[Request, Any], Awaitable[Response]]] = {
        BadRequestError: _bad_request,
        HTTPException: _not_there,
    }
    app = Starlette(routes=studio.routes(), exception_handlers=errors, lifespan=lifespan)
    return Guard(app, token, port), studio


async def _bad_request(_: Request, error: BadRequestError) -> Response:
    return refusal(error.status, "bad_request", error.message, key=error.key)


async def _not_there(_: Request, error: HTTPException) -> Response:
    code = "not_found" if error.status_code == 404 else "bad_request"
    return refusal(error.status_code, code, error.detail)


def _client(request: Request) -> str:
    """Return which tab sent a request, as far as a request without a body shows it."""
    return request.query_params.get("tab", "tab")[:64]


async def _while_asked(request: Request, work: Awaitable[Reply]) -> Reply:
    """Wait for the reply. If the client disconnects, the work is cancelled and the reply is dropped."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait([task, gone], return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            task.cancel()
            return Reply(499, b"{}")
        return task.result()
    finally:
        gone.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _page(request: Request) -> Response:
    return _file("exporters.studio", "page", request.path_params.get("path") or "index.html")


async def _no_icon(_: Request) -> Response:
    """Answer browsers that request an icon for anything but our page, as they log a missing one."""
    return Response(status_code=204)


async def _shared(request: Request) -> Response:
    return _file("exporters.pages", "assets", request.path_params["path"])


def _file(package: str, folder: str, name: str) -> Response:
    """Return a shipped file of a known type. Its path may consist only of plain names."""
    parts = PurePosixPath(name).parts
    media = _TYPES.get(PurePosixPath(name).suffix)
    file = shipped_folder(package).joinpath(folder, *parts)
    is_plain = all(
        part.isascii() and part[:1].isalnum() and "\\" not in part and ":" not in part for part in parts
    )
    if not media or not is_plain or len(name) > 200 or not file.is_file():
        raise HTTPException(404, "there is no such page")
    return Response(file.read_bytes(), media_type=media)


# A search as a stream: lines of JSON, as hits are found, as long as somebody listens.

_MIN, _MAX = 5, 20_000  # seeds of a block
_QUICK, _SLOW = 0.2, 0.6  # seconds that a block should take


class SearchAsked(NamedTuple):
    """A condition on levels, the seeds that are tried, and how many hits are enough."""

    level: LevelRequest
    where: str
    first: int
    seeds: int
    most: int


async def found(
    request: SearchAsked, key: QueueKey, desk: WorkQueue, pictures: PictureStore, stopping: asyncio.Event
) -> AsyncIterator[bytes]:
    """Yield the lines: `hit` for each, `progress` after each block, and `done` or `error` at the end."""
    try:
        async with desk.turn(key) as worker:
            size, sums = _MIN, Counter(tried=0, hits=0, failed=0)
            while (
                (left := request.seeds - sums["tried"]) > 0
                and (most := request.most - sums["hits"]) > 0
                and not stopping.is_set()
            ):
                begun = time.monotonic()
                block = request.first + sums["tried"], min(size, left), most
                reply = await desk.run(worker, "search", request.level, request.where, *block, pictures.known)
                if desk.is_outdated(key):
                    raise Superseded
                if reply.status != 200:
                    yield reply.body + b"\n"
                    return
                pictures.add(reply.pictures)
                hit_lines, _, last = reply.body.rpartition(b"\n")
                if hit_lines:
                    yield hit_lines + b"\n"
                counts: dict[str, int] = json.loads(last)["block"]
                sums.update(counts)
                yield packed({"progress": {**sums, "count": request.seeds}}) + b"\n"
                if counts["tried"] < block[1]:  # there are no seeds beyond
                    break
                size = _next_size(size, time.monotonic() - begun)
            yield packed({"done": sums}) + b"\n"
    except Superseded:
        yield SUPERSEDED.body + b"\n"


def _next_size(size: int, took: float) -> int:
    """Choose how many seeds the next block has: more if this one was quick, fewer if it was slow."""
    if took < _QUICK:
        return min(2 * size, _MAX)
    return max(size // 2, _MIN) if took > _SLOW else size
