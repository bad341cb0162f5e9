"""Progress on a real terminal: shown while work lasts, gone when it ends, and never in the way of results."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from generator.cli import progress

pty = pytest.importorskip("pty")

SLOW = """
import sys
from generator.cli import main, progress
progress.DELAY, progress._TICK = {delay}, 0
main({words!r})
"""


def on_terminal(*words: str, delay: float = 0, to: Path | None = None) -> str:
    """What a terminal gets of a command, whose standard output may go to a file instead."""
    child, terminal = pty.fork()
    if child == 0:
        if to:
            os.dup2(os.open(to, os.O_WRONLY | os.O_CREAT), 1)
        os.execv(sys.executable, [sys.executable, "-c", SLOW.format(delay=delay, words=words)])
    seen = b""
    while True:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:  # Linux says so of a terminal that nobody writes to any more
            part = b""
        if not part:
            break
        seen += part
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, seen.decode()
    return seen.decode()


def left_on_screen(seen: str) -> list[str]:
    """The lines that stand there in the end: what comes behind a return goes over what was there."""
    lines = []
    for line in seen.replace("\r\n", "\n").split("\n"):
        shown = ""
        for part in line.split("\r"):
            shown = part + shown[len(part) :]
        lines.append(shown.rstrip())
    return lines


SEARCH = ("search", "isaac", "--where", "dead_ends == 3", "--seeds", "0:1500", "--jobs", "1")


def test_results_do_not_tear_the_bar(tmp_path: Path) -> None:
    seen = on_terminal(*SEARCH)
    *hits, summary, end = left_on_screen(seen)
    assert len(hits) > 500 and all(hit.endswith("  dead_ends = 3") for hit in hits)
    assert summary == f"undercroft: {len(hits)} of 1,500 seeds meet the condition" and end == ""
    assert "searching  [" in seen and "/1500" in seen
    seen = on_terminal(*SEARCH, to=tmp_path / "found.txt")  # a file gets the results, and nothing else
    assert (tmp_path / "found.txt").read_text("utf-8").splitlines() == hits
    assert "searching  [" in seen and left_on_screen(seen) == [summary, ""]


def test_the_time_left_fits_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slowly the work began: half of it in two minutes leaves two more."""
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    monkeypatch.setattr("time.time", lambda: now)
    line = progress.ProgressLine("building", 600)
    now += 60
    line.update(1)
    now += 60
    line.update(299)
    assert line.text() == "building  [############------------]  300/600  00:02:00  2.5/s"


def test_a_level_shows_its_stages(tmp_path: Path) -> None:
    words = (
        "generate",
        "gungeon",
        "--set",
        "rooms=60",
        "--out",
        str(tmp_path),
        "--to",
        "json",
        "--to",
        "tiled",
    )
    seen = on_terminal(*words)
    for stage in ("pushing rooms apart", "routing hallways", "rooms", "format tiled"):
        assert f"generating: {stage}" in seen, stage
    files = [f"{tmp_path}/gungeon-0-rooms-60.{ending}" for ending in ("level.json", "tmj")]
    assert left_on_screen(seen)[: len(files)] == files


def test_work_that_soon_ends_shows_nothing() -> None:
    seen = on_terminal(*SEARCH, delay=1000)
    assert "searching" not in seen


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "isaac", "--stages", "1:3", "--to", "json", "--out", "{}/run"), "stages  ["),
        (("check", "{}"), "checking: "),
        (("sync", "{}"), "comparing"),
        (("export", "{}/own.level.json", "--to", "tiled", "--out", "{}"), "exporting own"),
        (("build", "{}"), "building  ["),
    ],
    ids=lambda part: part[0] if isinstance(part, tuple) else "",
)
def test_all_long_work_shows_something(words: tuple[str, ...], said: str, shared: Path) -> None:
    seen = on_terminal(*(word.format(shared) for word in words))
    assert said in seen and not any(said in line for line in left_on_screen(seen))


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the commands work in, one after the other."""
    folder = tmp_path_factory.mktemp("work")
    manifest = '[group.a]\nspec = "isaac"\nseeds = "0:1"\nformats = ["json"]\n'
    (folder / "undercroft.toml").write_text(manifest, "utf-8")
    from generator import generate
    from generator.serialise import dumps

    (folder / "own.level.json").write_bytes(dumps(generate("isaac", 0)))
    on_terminal("export", f"{folder}/own.level.json", "--to", "tiled", "--out", str(folder))
    return folder


def test_the_whole_bar_fits_into_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    line = progress.ProgressLine("generating levels", 1_000_000)
    line.update(16_000)
    monkeypatch.setattr(line, "begun", line.begun - 4)
    text = line.text()
    assert " 16000/1000000 " in text and text.endswith("/s") and len(text) < 80
