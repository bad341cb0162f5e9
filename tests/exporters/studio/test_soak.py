"""Ten minutes of slider moves, for the server and for the page: `pytest -m soak`."""

from __future__ import annotations

import asyncio
import random
import resource
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from tests.browser import Page, browser
from tests.engines import HANG
from tests.exporters.studio.in_browser import enter, running, settled
from tests.exporters.studio.test_serving import Server
from tests.waiting import as_a_hand_moves

DRAGS, STEPS = 600, 30  # a drag a second, thirty steps each
MAX_MEGABYTES = 300  # of a process
MAX_OF_A_PAGE = 64  # megabytes of its scripts
MAX_NODES = 30_000
# A new level in each frame, so that most of them are never drawn.
MOVES = """
(async () => {
  for (let i = 0; i < 600; i++) {
    document.querySelector('#seed-more').click();
    await new Promise(requestAnimationFrame);
  }
})()
"""


def megabytes_of(process: int) -> list[int]:
    """The memory of a process and of those that it began."""
    pages = int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    lists = Path(f"/proc/{process}/task").glob("*/children")  # each thread has a list of its own
    children = [int(each) for one in lists for each in one.read_text("ascii").split()]
    return [pages * resource.getpagesize() >> 20, *(size for each in children for size in megabytes_of(each))]


def moves(rnd: random.Random) -> list[dict[str, Any]]:
    """The requests of one drag of one slider."""
    name, key, low, high = rnd.choice(
        [("gungeon", "rooms", 2, 60), ("rebirth", "stage", 1, 12), ("isaac", "stage", 1, 8)]
    )
    seed = str(rnd.getrandbits(32))
    return [
        {"tab": "one", "spec": {"name": name, "set": {key: rnd.randint(low, high)}}, "seed": seed}
        for _ in range(STEPS)
    ]


@pytest.mark.soak
def test_sliders_may_be_moved_for_ten_minutes(tmp_path: Path) -> None:
    """Of each drag at least a floorplan and a level come, nothing fails, and memory is bounded."""
    server = Server(tmp_path)
    rnd = random.Random(1)

    async def drag(client: httpx.AsyncClient) -> None:
        tasks = []
        for move in moves(rnd):
            tasks += [
                asyncio.ensure_future(client.post(f"/api/{kind}", json=move))
                for kind in ("floorplan", "level")
            ]
            await as_a_hand_moves()
        found = [answer.status_code for answer in await asyncio.gather(*tasks)]
        assert set(found) <= {200, 409} and 200 in found[::2] and 200 in found[1::2]

    async def session() -> None:
        settings: dict[str, Any] = {"headers": {"origin": server.origin}, "timeout": HANG}
        async with httpx.AsyncClient(base_url=server.origin, follow_redirects=True, **settings) as client:
            await client.get(server.address)
            for number in range(DRAGS):
                await drag(client)
                if number % 20 == 0:
                    assert max(megabytes_of(server.process.pid)) < MAX_MEGABYTES, number

    try:
        asyncio.run(session())
    finally:
        server.close()


def kept_by(page: Page) -> tuple[int, int]:
    """Megabytes of a page's scripts, and its nodes, without what nobody needs any more."""
    page.send("HeapProfiler.collectGarbage")
    told = {each["name"]: each["value"] for each in page.send("Performance.getMetrics")["metrics"]}
    return int(told["JSHeapUsedSize"]) >> 20, int(told["Nodes"])


@pytest.mark.soak
def test_a_page_keeps_nothing_of_levels_that_were_drawn(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    with running(folder, tmp_path / "log") as studio, browser() as page:
        page.send("Performance.enable")
        enter(page, studio, "gungeon")
        for _ in range(5):
            page.js(MOVES)
            settled(page)
            megabytes, nodes = kept_by(page)
            print(f"{megabytes} MB, {nodes} nodes")
            assert megabytes < MAX_OF_A_PAGE and nodes < MAX_NODES
        assert page.console == []
