"""`-` on the command line: standard input in place of a file, and standard output in place of one.

Levels come as one level.json, or as JSON Lines, one compact level.json a line. Those are read, worked on and
written one after the other, so that a pipe of any length takes the memory of one level.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.errors import BadInput, LevelError
from generator.files import open_file, read_bytes, why_not_read
from generator.named_tuple import NamedTuple

if TYPE_CHECKING:
    from generator.level import Level

INPUT = "standard input"
_SOME = 1 << 16  # bytes, which tell JSON from TOML, or are printed at a time
_NOT_TEXT = (".png", ".ucpack")
STEM = "level"  # of files whose level or spec has no file of its own


def name_of(source: object) -> str:
    """Return what messages call a file that is named on the command line."""
    return INPUT if is_dash(source) else str(source)


def is_dash(value: object) -> bool:
    """Check whether `-` was given as the file to read, or as the place to write to."""
    return str(value) == "-"


def not_dash(path: Path) -> Path:
    """Return the path of a file or folder, also of one that is called `-`."""
    return Path.cwd() / path if is_dash(path) else path


def path_of(text: str) -> Path:
    """Return the path that a text names. Only `-` itself is standard input."""
    return Path(text) if is_dash(text) else not_dash(Path(text))


# --- standard input ----------------------------------------------------------------------------------


class _Input:
    """Standard input of a command, as far as it was read. Raises BadInput if it cannot be read."""

    def __init__(self) -> None:
        self._whole: bytes | None = None
        if sys.stdin is None:
            raise BadInput(f"{INPUT}: is closed; send something, or name a file")
        self._file = sys.stdin.buffer
        self._empty = b""  # lines before the first that is not
        self.first = self.read(_SOME, by_line=True).removeprefix(codecs.BOM_UTF8)
        while self.first.isspace() and len(self._empty) < _SOME:
            self._empty += self.first
            self.first = self.read(_SOME, by_line=True)
        if not self.first:
            raise BadInput(f"{INPUT}: is empty; send something, or name a file")

    def read(self, most: int, *, by_line: bool = False) -> bytes:
        """Read so many bytes, or fewer at the end or, `by_line`, at that of a line."""
        try:
            return self._file.readline(most) if by_line else self._file.read(most)
        except OSError as reason:
            raise BadInput(f"{INPUT}: cannot be read: {why_not_read(reason, Path(INPUT))}") from None

    def whole(self, most: int, error: type[BadInput]) -> bytes:
        """Return all of it, for whoever asks again too. Raises `error` for more than `most` bytes."""
        if self._whole is None:
            begun = self._empty + self.first
            self._whole = begun + self.read(max(0, most + 1 - len(begun)))
        if len(self._whole) > most:
            raise error(f"{INPUT}: is larger than {most} bytes; send less")
        return self._whole

    def first_line(self, most: int) -> bytes:
        """Return the first line that is not empty, or its first `most + 1` bytes."""
        if len(self.first) <= most and not self.first.endswith(b"\n"):
            self.first += self.read(most + 1 - len(self.first), by_line=True)
        return self.first

    def lines(self, most: int) -> Iterator[bytes]:
        """Yield the lines as they come, of a longer one only the first `most + 1` bytes and more."""
        yield from BytesIO(self._empty)
        line = self.first_line(most)
        while line:
            yield line
            line = self.read(most + 1, by_line=True)


def _input() -> _Input:
    """Return the standard input of the command that runs."""
    ctx = click.get_current_context()
    if ctx.resilient_parsing:
        raise BadInput(f"{INPUT}: is not read while a shell completes a command")
    meta = ctx.meta
    if INPUT not in meta:
        meta[INPUT] = _Input()
    begun: _Input = meta[INPUT]
    return begun


def input_text(most: int, error: type[BadInput]) -> str:
    """Return standard input as text. Raises `error` if it has more than `most` bytes, or is not UTF-8."""
    try:
        return _input().whole(most, error).decode("utf-8")
    except UnicodeDecodeError as reason:
        raise error(f"{INPUT}: is not UTF-8 at byte {reason.start}; send UTF-8") from None


def lines_of(path: Path, most: int, error: type[BadInput]) -> Iterator[bytes]:
    """Yield the lines of a file, of a pipe with a name, or of standard input as they come.

    Raises `error` for one of more than `most` bytes.
    """
    with ExitStack() as stack:
        if is_dash(path):
            lines = _input().lines(most)
        else:
            file = stack.enter_context(open_file(path, error, is_read_once=True))
            lines = iter(partial(file.readline, most + 1), b"")
        for number, line in enumerate(lines, 1):
            if len(line) > most:
                raise error(f"{name_of(path)}:{number}: is longer than {most} bytes; give shorter lines")
            yield line.removeprefix(codecs.BOM_UTF8) if number == 1 else line


def has_levels() -> bool:
    """Check whether standard input begins as JSON does, and not as TOML."""
    return _input().first.lstrip().startswith(b"{")


class LevelText(NamedTuple):
    """The bytes of a level.json, and what messages call it: its file, or its line of standard input."""

    data: bytes
    where: str


def level_texts(path: Path) -> Iterator[LevelText]:
    """Yield the level of a file, or the levels of standard input for `-`, as they come. Raises LevelError."""
    from generator.serialise import MAX_LEVEL_BYTES

    if not is_dash(path):
        yield LevelText(read_bytes(path, MAX_LEVEL_BYTES, LevelError), str(path))
    elif not _input().first_line(MAX_LEVEL_BYTES).rstrip().endswith(b"}"):  # a level.json as it is in files
        yield LevelText(_input().whole(MAX_LEVEL_BYTES, LevelError), INPUT)
    else:
        for number, line in enumerate(lines_of(path, MAX_LEVEL_BYTES, LevelError), 1):
            if line.strip():
                yield LevelText(line, f"{INPUT}:{number}")


def level_text(path: Path) -> LevelText:
    """Return the level of a file, or the only one of standard input for `-`. Raises LevelError."""
    first, *others = islice(level_texts(path), 2)
    if others:
        raise LevelError(f"{INPUT}: has more than one level; send one")
    return first


# --- standard output ---------------------------------------------------------------------------------


def print_level(level: Level) -> None:
    """Print a level as a line of JSON. `level_texts` reads it, and its fingerprint is that of its file."""
    from generator.serialise import dumps_line

    click.echo(dumps_line(level), nl=False)


def print_bundle(bundle: Mapping[str, bytes], flag: str = "--out") -> None:
    """Print the one file of a bundle as it is, as `flag` asks for.

    Raises BadInput if there are several, and if a terminal cannot show it.
    """
    if len(bundle) != 1:
        names = ", ".join(bundle)
        remedy = "give --to with a format of one file, such as json or png, or a folder"
        raise BadInput(f"--out: - prints one file, and these are {len(bundle)} ({names}); {remedy}")
    ((name, data),) = bundle.items()
    refuse_on_terminal(flag, name, _is_text(data))
    click.echo(data, nl=False)


def print_file(path: Path) -> None:
    """Print a file as it is, piece by piece."""
    with path.open("rb") as file:
        for piece in iter(partial(file.read, _SOME), b""):
            click.echo(piece, nl=False)


def refuse_on_terminal(flag: str, name: str, is_text: bool | None = None) -> None:
    """Raise BadInput if a terminal would get a file that it cannot show. Before the work, its name tells."""
    if is_text is None:
        is_text = not name.endswith(_NOT_TEXT)
    if sys.stdout.isatty() and not is_text:
        raise BadInput(
            f"{flag}: {name} is not text, which a terminal could show; send it to a file: > {name}"
        )


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in data
