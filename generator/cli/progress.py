"""Progress for people: a line on standard error for work that takes longer than two seconds.

    searching  [######------------------]  16000/60000  00:00:11  4000/s
    generating: routing hallways  / 14 s

It is drawn only if standard error is a terminal, by a thread of its own, so that it also moves while one long
step is at work. It disappears when the work ends. What is printed meanwhile goes through `echo`, which takes
the line away first; the next tick draws it again.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Event, RLock, Thread

import click

from generator.errors import one_line
from generator.stages import reporting_stages

DELAY = 2.0  # seconds; shorter work shows nothing
_TICK = 0.1  # seconds at least from one picture to the next
_PAUSE = 0.1  # seconds from one look of the thread to the next
_FRAMES = "|/-\\"
_BAR = 24  # characters: with a million steps and the rate, the line still fits into 80 columns
_COLUMNS = 80  # of a terminal that does not say how wide it is


class ProgressLine:
    """What is told about the work under way. All of it may be called where nothing is drawn."""

    def __init__(self, label: str, length: int | None) -> None:
        self._label, self._stage = label, ""
        self.begun = time.monotonic()
        self._frame = 0
        self._bar = click.progressbar(
            length=length or 0,
            label=label,
            file=sys.stderr,
            show_pos=True,
            show_eta=False,  # click's remembers how slowly the workers began; here it fits the rate
            fill_char="#",
            width=_BAR,
            hidden=True,
        )
        self._length = length

    def stage(self, name: str) -> None:
        """Say what is being done now."""
        self._stage = name
        _terminal.draw(self)

    def update(self, steps: int = 1) -> None:
        """Count so many more steps as done."""
        self._bar.update(steps)
        _terminal.draw(self)

    def text(self) -> str:
        """Return the line as it is now: a bar if the number of steps is known, else the time passed."""
        seconds = time.monotonic() - self.begun
        if self._length is not None:
            speed = self._bar.pos / seconds if seconds else 0
            rate = f"{speed:.{0 if speed >= 100 else 1}f}/s" if speed else ""
            left = _clock((self._length - self._bar.pos) / speed) if speed else ""
            return "  ".join(filter(None, (self._bar.format_progress_line(), left, rate, self._stage)))
        self._frame += 1
        task = f"{self._label}: {self._stage}" if self._stage else self._label
        return f"{task}  {_FRAMES[self._frame % len(_FRAMES)]} {int(seconds)} s"


def _clock(seconds: float) -> str:
    """Format hours, minutes and seconds, such as 00:01:30."""
    minutes, second = divmod(round(seconds), 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{second:02}"


class _Terminal:
    """The one line at the bottom of the terminal, and whose it is."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._drawn = 0  # characters
        self._when = 0.0  # it was drawn last
        self.line: ProgressLine | None = None

    def draw(self, line: ProgressLine) -> None:
        """Draw the line if it is the one to show, the work has lasted so long, and a tick has passed."""
        with self._lock:
            now = time.monotonic()
            if line is self.line and now - line.begun >= DELAY and now - self._when >= _TICK:
                self._when = now
                self._write(one_line(line.text())[: _width() - 1])

    def draw_until(self, line: ProgressLine, ended: Event) -> None:
        """Draw the line at each tick until the work ends. Runs in a thread of its own."""
        if mask := getattr(signal, "pthread_sigmask", None):
            mask(signal.SIG_BLOCK, [signal.SIGINT])  # Ctrl-C is for the main thread
        while not ended.wait(_PAUSE):
            self.draw(line)
        self.clear()

    def clear(self) -> None:
        """Take the line away."""
        with self._lock:
            if self._drawn:
                self._write("")
                _to_error("\r")

    @contextmanager
    def printing(self) -> Iterator[None]:
        """Take the line away, and draw none meanwhile."""
        with self._lock:
            self.clear()
            yield

    def _write(self, text: str) -> None:
        _to_error("\r" + text.ljust(self._drawn))
        self._drawn = len(text)


_terminal = _Terminal()


@contextmanager
def working(label: str, length: int | None = None) -> Iterator[ProgressLine]:
    """Show that something is at work, of `length` steps if that is known, and the stages of levels.

    Inside of other work it is a stage of that.
    """
    if _terminal.line:
        _terminal.line.stage(label)
        yield ProgressLine(label, length)
        return
    line = ProgressLine(label, length)
    if not (sys.stderr and sys.stderr.isatty()):
        yield line
        return
    ended = Event()
    thread = Thread(target=_terminal.draw_until, args=(line, ended), daemon=True)
    _terminal.line = line
    thread.start()
    try:
        with reporting_stages(line.stage):
            yield line
    finally:
        ended.set()
        thread.join()
        _terminal.line = None


def echo(text: object, *, err: bool = False) -> None:
    """Print a line, above the line of progress if there is one."""
    with printing():
        click.echo(text, err=err)


def printing() -> AbstractContextManager[None]:
    """Print what is printed meanwhile above the line of progress. It must end its last line."""
    return _terminal.printing()


def _width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _COLUMNS
    except (OSError, ValueError):
        return _COLUMNS


def _to_error(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):  # the terminal is gone; the work goes on
        pass
