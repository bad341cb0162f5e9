"""From a click in the studio until the floorplan and the whole level are drawn, and where the time goes.

`python -m tests.benchmarks.studio [CLICKS] [ROUNDS]`

Each click takes the next seed. The figures are medians in milliseconds of wall-clock time, for that is what a
person waits; so each round names the load of the machine, and only rounds of a similar load can be compared.

page     from the click until the page sends its request
making   the floorplan or the level and its JSON, in a worker, as processor time
way      there and back through browser, HTTP and queue: until the answer is there, without the making
drawing  from the answer until the frame that shows it is painted

The last line of a spec is processor time for each click, which a busy machine changes little. Linux only.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from exporters.studio.requests import LevelRequest
from exporters.studio.tasks import do
from tests.browser import Page, browser
from tests.exporters.studio.in_browser import Running, enter, running

SPECS: tuple[tuple[str, dict[str, int]], ...] = (
    ("gungeon", {"rooms": 20}), ("isaac", {"stage": 8}), ("rebirth", {"stage": 8}), ("labyrinth", {}),
)  # fmt: skip
KINDS = ("floorplan", "level")
# [request sent, answer there, painted] for each kind of picture, in ms after the click.
CLICK = """
new Promise((done) => {
  const frame = document.querySelector('#stage-a');
  const painted = {};
  performance.clearResourceTimings();
  const begun = performance.now();
  const told = (kind) => {
    const [one] = performance.getEntriesByType('resource').filter((each) => each.name.endsWith(`/api/${kind}`));
    return [one.startTime, one.responseEnd, painted[kind] ?? painted.level].map((time) => time - begun);
  };
  const observer = new MutationObserver(() => {
    const kind = frame.classList.contains('is-plan') ? 'floorplan' : 'level';
    if (!frame.querySelector('.overlay') || frame.classList.contains('is-old') || painted[kind]) return;
    painted[kind] = true;
    setTimeout(() => { // after the frame in which it was put there
      painted[kind] = performance.now();
      if (kind === 'level') setTimeout(() => { observer.disconnect(); done([told('floorplan'), told('level')]); }, 300);
    });
  });
  observer.observe(frame, { childList: true, subtree: true });
  document.querySelector('#seed-more').click();
})
"""


def processes(root: int) -> Iterator[int]:
    """The processes below one."""
    for task in Path(f"/proc/{root}/task").iterdir():
        for child in map(int, (task / "children").read_text("ascii").split()):
            yield child
            yield from processes(child)


def processor_ms() -> Counter[str]:
    """The processor time that our processes have had, by what they are."""
    found: Counter[str] = Counter()
    for process in processes(os.getpid()):
        words = Path(f"/proc/{process}/cmdline").read_bytes()
        is_browser = b"--user-data-dir" in words or b"--type=" in words
        what = "browser" if is_browser else "workers" if b"multiprocessing" in words else "server"
        found[what] += int(1000 * time.clock_gettime((~process << 3) | 2))  # as clock_getcpuclockid() has it
    return found


def making_ms(kind: str, name: str, values: dict[str, int], clicks: int) -> float:
    """The median of the processor time that a worker needs for the levels of some clicks."""
    known: tuple[frozenset[str], ...] = () if kind == "floorplan" else (frozenset(),)
    took = []
    for seed in range(101, 102 + clicks):
        begun = time.process_time()
        reply = do(kind, LevelRequest(name, dict(values), str(seed), "", ()), *known)
        took.append(1000 * (time.process_time() - begun))
        assert reply.status == 200, reply.body
    return median(took[1:])  # the first one reads what is kept


def measure(page: Page, studio: Running, clicks: int) -> None:
    """Print a round."""
    print(f"\nload {os.getloadavg()[0]:.1f}")
    print(f"{'':22}{'page':>8}{'making':>8}{'way':>8}{'drawing':>8}{'click to drawn':>16}{'most':>8}")
    for name, values in SPECS:
        enter(page, studio, name, "100", **{f"set.{key}": json.dumps(each) for key, each in values.items()})
        page.js(CLICK)  # what is only done once
        before = processor_ms()
        timings = [page.js(CLICK) for _ in range(clicks)]
        spent = processor_ms() - before
        for which, kind in enumerate(KINDS):
            making = making_ms(kind, name, values, clicks)
            sent = median(row[which][0] for row in timings)
            waited = median(row[which][1] - row[which][0] for row in timings)
            drawing = median(row[which][2] - row[which][1] for row in timings)
            drawn = [row[which][2] for row in timings]
            parts = "".join(f"{part:8.1f}" for part in (sent, making, waited - making, drawing))
            print(f"{name:12}{kind:10}{parts}{median(drawn):16.1f}{max(drawn):8.1f}", flush=True)
        each = ", ".join(f"{what} {spent[what] / clicks:.0f}" for what in ("server", "workers", "browser"))
        print(f"{name:12}processor: {each} ms")


def main(clicks: int, rounds: int) -> None:
    """Measure some rounds."""
    with tempfile.TemporaryDirectory() as outer:
        folder = Path(outer) / "game"
        folder.mkdir()
        with running(folder, Path(outer) / "log") as studio, browser() as page:
            page.size(1280, 800)
            for _ in range(rounds):
                measure(page, studio, clicks)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    main(*(given + [20, 3][len(given) :]))
