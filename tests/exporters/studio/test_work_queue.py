"""The newest request of a tab wins, and what is no longer wanted is ended."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from exporters.studio import workers
from exporters.studio.requests import Reply
from exporters.studio.workers import BUSY, LOST, SUPERSEDED, TOO_LONG, Worker, WorkQueue
from tests.exporters.studio.page import TOKEN, Page, begun
from tests.waiting import until


class SlowWorker:
    """Does its task when allowed to; counts as lost if it was ended."""

    def __init__(self) -> None:
        self.is_ended = asyncio.Event()
        self.looks = 0

    def seconds(self) -> float:
        """None at all: on a busy machine it does not get a processor."""
        self.looks += 1
        return 0

    def end(self) -> None:
        self.is_ended.set()


class SlowPool:
    """Workers whose tasks are done when a test says so."""

    def __init__(self, size: int) -> None:
        self.free = asyncio.Semaphore(size)
        self.workers: list[SlowWorker] = []
        self.begun: dict[str, asyncio.Event] = {}

    def let(self, name: str) -> None:
        self.begun[name].set()

    @asynccontextmanager
    async def worker(self) -> AsyncIterator[SlowWorker]:
        async with self.free:
            self.workers.append(SlowWorker())
            yield self.workers[-1]

    async def run(self, worker: SlowWorker, name: str, given: tuple[Any, ...]) -> Reply:
        let = self.begun[name] = asyncio.Event()
        ends = [asyncio.ensure_future(event.wait()) for event in (let, worker.is_ended)]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
        return Reply(200, name.encode()) if let.is_set() else LOST


async def settled() -> None:
    """Everything that can go on has gone on."""
    for _ in range(20):
        await asyncio.sleep(0)


Story = Callable[[SlowPool, WorkQueue], Awaitable[None]]


def play(story: Story, size: int = 2) -> None:
    async def main() -> None:
        pool = SlowPool(size)
        await asyncio.wait_for(story(pool, WorkQueue(pool)), 60)  # type: ignore[arg-type]

    asyncio.run(main())


def test_of_many_requests_the_first_and_the_newest_are_made() -> None:
    async def story(pool: SlowPool, desk: WorkQueue) -> None:
        asked = []
        for name in "abcd":
            asked.append(asyncio.ensure_future(desk.ask(("tab",), name)))
            await settled()
        assert [task.done() and task.result() is SUPERSEDED for task in asked] == [False, True, True, False]
        pool.let("a")
        assert (await asked[0]).body == b"a"
        await settled()
        pool.let("d")
        assert (await asked[3]).body == b"d"
        assert pool.begun.keys() == {"a", "d"}

    play(story)


def test_tabs_do_not_disturb_each_other() -> None:
    async def story(pool: SlowPool, desk: WorkQueue) -> None:
        asked = [asyncio.ensure_future(desk.ask((tab,), tab)) for tab in "xy"]
        await settled()
        pool.let("y")
        assert (await asked[1]).body == b"y"
        pool.let("x")
        assert (await asked[0]).body == b"x"

    play(story)


def test_what_must_not_hold_each_other_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A floorplan waits for no level. A roll may fail, so it does not put the level aside that is to be drawn."""
    asked = {}

    async def ask(desk: WorkQueue, key: tuple[str, ...], name: str, *given: Any) -> Reply:
        asked[name] = desk, key
        return Reply(200, b"{}")

    monkeypatch.setattr(WorkQueue, "ask", ask)
    with begun(tmp_path) as client:
        studio = Page(tmp_path, client)
        client.get(f"/?token={TOKEN}")
        for path in ("/api/floorplan", "/api/level", "/api/reroll"):
            studio.post(path, {"tab": "one", "spec": {"name": "isaac"}})
    (plans, _), (levels, level), (rolls, roll) = asked.values()
    assert plans is not levels and levels is rolls and level != roll


def test_what_takes_long_is_ended_for_something_newer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 0)

    async def story(pool: SlowPool, desk: WorkQueue) -> None:
        slow = asyncio.ensure_future(desk.ask(("tab",), "slow"))
        await settled()
        new = asyncio.ensure_future(desk.ask(("tab",), "new"))
        assert await slow is SUPERSEDED
        await settled()
        pool.let("new")
        assert (await new).body == b"new"

    play(story)


@pytest.mark.parametrize("is_wanted", [True, False], ids=["outdated", "nobody waits"])
def test_what_only_waits_for_a_processor_is_not_ended(
    is_wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine would be busier still with new processes."""
    monkeypatch.setattr(workers, "PATIENCE", 1e-6)

    async def story(pool: SlowPool, desk: WorkQueue) -> None:
        starved = asyncio.ensure_future(desk.ask(("tab",), "starved"))
        await settled()
        if not is_wanted:
            starved.cancel()
        new = asyncio.ensure_future(desk.ask(("tab",), "new"))
        (worker,) = pool.workers
        while worker.looks < 5:
            await asyncio.sleep(0)
        assert not worker.is_ended.is_set()
        pool.let("starved")
        if is_wanted:
            assert (await starved).body == b"starved"
        while "new" not in pool.begun:
            await asyncio.sleep(0)
        pool.let("new")
        assert (await new).body == b"new"

    play(story)


def test_what_nobody_waits_for_is_ended_and_leaves_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(pool: SlowPool, desk: WorkQueue) -> None:
        gone = asyncio.ensure_future(desk.ask(("tab",), "gone"))
        await settled()
        queued = asyncio.ensure_future(desk.ask(("tab",), "queued"))
        await settled()
        monkeypatch.setattr(workers, "PATIENCE", 0)
        queued.cancel()
        gone.cancel()
        await asyncio.wait([gone, queued])
        next_one = asyncio.ensure_future(desk.ask(("tab",), "next"))
        await settled()
        pool.let("next")
        assert (await next_one).body == b"next"
        assert pool.begun.keys() == {"gone", "next"}

    play(story, 1)


def test_a_superseded_request_that_goes_away_at_once_lets_nobody_in() -> None:
    """As when a page ends each old request when it sends a new one."""

    async def story(pool: SlowPool, desk: WorkQueue) -> None:
        first, old = (asyncio.ensure_future(desk.ask(("tab",), name)) for name in ("first", "old"))
        await settled()
        new = asyncio.ensure_future(desk.ask(("tab",), "new"))
        await asyncio.sleep(0)
        old.cancel()
        await settled()
        assert pool.begun.keys() == {"first"}
        pool.let("first")
        assert (await first).body == b"first"
        await settled()
        pool.let("new")
        assert (await new).body == b"new"

    play(story)


def test_more_tabs_than_can_be_served_are_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 0)

    async def story(pool: SlowPool, desk: WorkQueue) -> None:
        tabs = [
            asyncio.ensure_future(desk.ask((str(number),), "task")) for number in range(workers._MAX_LINES)
        ]
        await settled()
        assert await desk.ask(("one more",), "task") is BUSY
        for tab in tabs:
            tab.cancel()
        await asyncio.wait(tabs)
        next_one = asyncio.ensure_future(desk.ask(("one more",), "next"))
        await settled()
        pool.let("next")
        assert (await next_one).body == b"next"

    play(story)


def test_nothing_takes_for_ever() -> None:
    async def story(pool: SlowPool, desk: WorkQueue) -> None:
        assert await WorkQueue(pool, limit=0.01).ask(("tab",), "endless") is TOO_LONG  # type: ignore[arg-type]

    play(story)


def test_who_stops_it_while_its_workers_begin_hears_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with begun(tmp_path):
        pass
    gc.collect()  # tasks whose end nobody asked for tell so now
    assert not caplog.text


def test_a_worker_that_was_killed_while_it_had_nothing_to_do_is_not_asked(tmp_path: Path) -> None:
    worker = Worker(tmp_path)
    try:
        assert worker.call("folders", (".",)).status == 200
        assert worker.is_alive and worker.pid
        os.kill(worker.pid, signal.SIGKILL)  # as a system does that is short of memory
        until(lambda: not worker.is_alive, "the worker's end is not noticed")
    finally:
        worker.close()
