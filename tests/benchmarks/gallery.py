"""How large galleries are, how long they take to make, and how soon a browser shows them.

`python -m tests.benchmarks.gallery [levels]`
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from click.testing import CliRunner

from generator.cli import main as undercroft
from tests.browser import browser

SPECS = (("isaac", ()), ("isaac", ("--set", "stage=10")), ("rebirth", ("--set", "stage=6")), ("gungeon", ()),
         ("gungeon", ("--set", "rooms=100")))  # fmt: skip
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
DRAWN = """[...document.querySelectorAll('#levels canvas')].every(one =>
    one.dataset.drawn || one.getBoundingClientRect().top > innerHeight)"""


def main(levels: int) -> None:
    """Print a line a spec."""
    with tempfile.TemporaryDirectory() as folder, browser() as page:
        for spec, values in SPECS:
            path = Path(folder) / "gallery.html"
            words = ["gallery", spec, *values, "--seeds", f"1:{levels + 1}", "--out", str(path), "--json"]
            start = time.perf_counter()
            told = json.loads(CliRunner().invoke(undercroft, words).stdout)
            made = time.perf_counter() - start
            start = time.perf_counter()
            page.open(path)
            page.wait(DRAWN)
            drawn = time.perf_counter() - start
            size = told["bytes"] / told["levels"] / 1000
            print(
                f"{' '.join([spec, *values]):24} {levels} levels in {made:5.1f} s, {told['bytes'] / 1e6:5.2f} MB, "
                f"{size:5.1f} kB a level; first paint {page.js(PAINT):4.0f} ms, all in sight {1000 * drawn:4.0f} ms"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
