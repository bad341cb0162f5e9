"""The documentation site, built by the command of the page about contributing."""

from __future__ import annotations

import html
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.engines import HANG

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


class Site(NamedTuple):
    """The folder that the site was built in, what Sphinx keeps for the next build, and its pages by name."""

    folder: Path
    doctrees: Path
    pages: dict[str, str]

    def text(self, page: str) -> str:
        """What a page says, without its marks."""
        return html.unescape(re.sub(r"<[^>]*>", "", self.pages[page]))


def build(folder: Path) -> Site:
    """Build the site inside a folder; nothing in the repository changes."""
    (line,) = re.findall(
        r"^python -m sphinx .*$", (DOCS / "contributing.md").read_text("utf-8"), re.MULTILINE
    )
    site, doctrees = folder / "undercroft-site", folder / "undercroft-doctrees"
    words = [word.replace("../", f"{folder}/") for word in shlex.split(line)[1:]]
    assert {"-W", str(site), str(doctrees)} <= {*words}
    before = _files(DOCS)
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False, timeout=HANG
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert _files(DOCS) == before
    paths = {path.relative_to(site).as_posix(): path for path in site.rglob("*.html")}
    return Site(
        site, doctrees, {name: path.read_text("utf-8") for name, path in paths.items() if name[0] != "_"}
    )


def _files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if "__pycache__" not in path.parts}
