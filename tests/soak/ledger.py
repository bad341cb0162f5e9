"""The ledger of all sweeps: one line of JSON for each slice, appended when the slice is done.

    {"sweep": "levels", "first": 40, "last": 79, "cpu": 3.1, "version": "0.3.0", "finds": {"52": "AssertionError: ..."}}

A run that is killed loses the slice that it was in, and perhaps leaves half a line. Lines that cannot be read are
not counted; the runner says how many there are.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from generator.files import take_lock


@dataclass(frozen=True)
class Slice:
    """The cases `first` to `last` of a sweep, their CPU time in seconds, and what was found, by seed."""

    sweep: str
    first: int
    last: int
    cpu: float
    version: str
    finds: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        wanted = (str, int, int, (int, float), str, dict)
        if not all(map(isinstance, vars(self).values(), wanted)):
            raise TypeError("a value of a wrong type")

    @property
    def cases(self) -> int:
        return self.last - self.first + 1


def usual_place() -> Path:
    """In the user's folder for what programs remember."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "undercroft-soak" / "ledger.jsonl"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """No other run uses the ledger meanwhile, or both would take the same seeds. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_name(f"{path.name}.lock").open("ab") as file:
        if not take_lock(file):
            what = "another run uses this ledger; name another one with --ledger FILE"
            raise BlockingIOError(errno.EAGAIN, what, path)
        yield


class Ledger:
    """All slices of a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_bytes().splitlines() if path.exists() else []
        self.slices = list(_read(lines))
        self.unread = len(lines) - len(self.slices)

    def next_seed(self, sweep: str) -> int:
        """Where the sweep goes on."""
        return max((each.last + 1 for each in self.slices if each.sweep == sweep), default=0)

    def add(self, done: Slice) -> None:
        """Append a line, after what may be half a line of a run that was killed."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = json.dumps(asdict(done)).encode() + b"\n"
        with self.path.open("ab+") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                line = line if file.read(1) == b"\n" else b"\n" + line
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        self.slices.append(done)


def _read(lines: Iterable[bytes]) -> Iterable[Slice]:
    for line in lines:
        with suppress(ValueError, TypeError):
            yield Slice(**json.loads(line))


def table(slices: Iterable[Slice]) -> str:
    """A table in Markdown: a row for each sweep, in the order of their first slices."""
    rows: dict[str, list[Slice]] = {}
    for each in slices:
        rows.setdefault(each.sweep, []).append(each)
    lines = ["| sweep | cases | finds | CPU time | seeds |", "| --- | ---: | ---: | ---: | --- |"]
    for name, some in rows.items():
        cases, finds = sum(each.cases for each in some), sum(len(each.finds) for each in some)
        seeds = f"{min(each.first for each in some):,} to {max(each.last for each in some):,}"
        cpu = sum(each.cpu for each in some) / 60
        lines.append(f"| {name} | {cases:,} | {finds:,} | {cpu:,.1f} min | {seeds} |")
    return "\n".join(lines)
