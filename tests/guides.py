"""Follows a page of the docs as a reader does: its files are written, its commands are run, in the page's order.

A block of code in TOML or Python belongs to the file whose name, in backquotes, stood last before it; a block of
`sh` holds commands, one a line. A name that is a file already has the block's sections of TOML put into it: in
the place of those that it has, the others at its end.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.commands import undercroft_line
from tests.engines import HANG
from tests.other_packages import installed_here

ROOT = Path(__file__).parent.parent
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"`([\w./-]+\.(?:toml|py|txt))`")
_SECTION = re.compile(r"^(?=\[)", re.MULTILINE)


def follow(page: str, folder: Path) -> list[subprocess.CompletedProcess[str]]:
    """Do in a folder what a page of `docs/` says; what its commands said. AssertionError if one fails."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    done = []
    for block in _BLOCK.finditer(text):
        language, code = block.groups()
        if language == "sh":
            done += [_run(line, folder) for line in code.splitlines()]
        else:
            *_, name = _FILE.findall(text[: block.start()])
            _write(folder / name, code)
    return done


def _write(path: Path, code: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file():
        code = _merged(path.read_text("utf-8"), code)
    path.write_text(code, "utf-8")


def _merged(text: str, more: str) -> str:
    """A TOML text with the sections of another one."""
    sections = {_name(part, place): part for place, part in enumerate(_SECTION.split(text))}
    for place, part in enumerate(_SECTION.split(more), len(sections)):
        if part.strip():
            sections[_name(part, place)] = f"{part.strip()}\n\n"
    return "".join(sections.values())


def _name(section: str, place: int) -> str:
    """The name of a section. Each table of a list has one of its own."""
    return f"{place}" if section.startswith("[[") else section.partition("]")[0]


def _run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of a page; packages go to a folder of their own."""
    site = folder / "site-packages"
    if line.startswith("undercroft "):
        with installed_here(site):
            done = undercroft_line(line, folder)
    else:
        done = _run_python(line, folder, site)
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return done


def _run_python(line: str, folder: Path, site: Path) -> subprocess.CompletedProcess[str]:
    program, *words = shlex.split(line)
    if program == "pip":
        offline = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(site)]
        words = ["-m", "pip", *words, *offline]
    else:
        assert program == "python", line
    path = os.pathsep.join([str(site), str(ROOT)])
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=os.environ | {"PYTHONPATH": path},
        capture_output=True, text=True, check=False, timeout=HANG,
    )  # fmt: skip
