"""A worker that is killed while it sends a long result: Python's pool would wait for the rest for ever."""

from __future__ import annotations

import os
import signal
import struct
from pathlib import Path

import pytest

from generator.batch import run
from generator.batch.run import in_order, workers


class _HalfSent:
    """What announces a long message on its worker's pipe, and kills the worker before it is sent."""

    def __reduce__(self) -> tuple[type[int], tuple[()]]:
        pipes = [
            int(each.name) for each in list(Path("/proc/self/fd").iterdir()) if _is_open_for_writing(each)
        ]
        for pipe in pipes:
            os.write(pipe, struct.pack("!i", 1_000_000) + b"half")
        os.kill(os.getpid(), signal.SIGKILL)
        return int, ()


def _is_open_for_writing(link: Path) -> bool:
    if int(link.name) < 3 or not link.is_symlink() or not str(link.readlink()).startswith("pipe:"):
        return False
    flags = Path(f"/proc/self/fdinfo/{link.name}").read_text("ascii").split("flags:")[1].split()[0]
    return int(flags, 8) & os.O_ACCMODE == os.O_WRONLY


def _work(item: tuple[int, Path]) -> object:
    number, killed = item
    if number == 3 and not killed.exists():
        killed.touch()
        return _HalfSent()
    return number


def test_the_others_work_is_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_PATIENCE", 0.1)  # after which it looks whether all workers live
    items = [(number, tmp_path / "killed") for number in range(12)]
    with workers(2) as (executor, jobs):
        found = [result for _, result in in_order(_work, items, executor, jobs)]
    assert (tmp_path / "killed").exists()
    assert found == list(range(12))
