"""Instructions of ten commands that people type, here and in another revision, counted by valgrind.

python -m tests.benchmarks.instructions [--against REV]...
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import click

from tests.benchmarks.against import Side, UnknownRevisionError, sides
from tests.benchmarks.commands import Command
from tests.benchmarks.kept_table import line

HELD = "85ec5c87"  # the revision whose counts the present one keeps
MARGIN = 0.03  # of another revision's count; counts of the same differ by a tenth of that
_FORMATS = " ".join(f"--to {name}" for name in ("json", "godot", "tiled", "ldtk", "png"))

COMMANDS: Mapping[str, Command] = {
    "`--help`": Command("--help"),
    "`--version`": Command("--version"),
    "`describe isaac`": Command("describe isaac"),
    "`show isaac --floorplan`": Command("show isaac --floorplan --seed 7"),
    "`generate isaac --to json`": Command("generate isaac --seed 7 --to json --out made"),
    "`generate isaac --to godot`": Command("generate isaac --seed 7 --to godot --out made"),
    "`generate gungeon --to godot`": Command("generate gungeon --seed 7 --to godot --out made"),
    "`generate rebirth`, five formats": Command(f"generate rebirth --seed 7 {_FORMATS} --out made"),
    "`check` of a level": Command(
        "check made/isaac-7.level.json", before=("generate isaac --seed 7 --to json --out made",)
    ),
    "`sync`, five formats": Command("sync made", before=(f"generate isaac --seed 7 {_FORMATS} --out made",)),
}
NUMPY = ("-c", "import numpy")


class Counted(NamedTuple):
    """A command's instructions here, and in other revisions; None where a revision cannot run it."""

    command: str
    here: int
    others: Mapping[str, int | None]

    def ratios(self) -> dict[str, float]:
        """Here, in proportion to each revision that has the command."""
        return {name: self.here / other for name, other in self.others.items() if other}

    def shown(self, numpy: int) -> list[str]:
        """The cells of its line."""
        ratios = self.ratios()
        others = (f"{ratios[name]:.3f}" if name in ratios else "–" for name in self.others)
        return [self.command, f"{self.here / numpy:.2f}", *others]

    def moved(self, way: int) -> list[str]:
        """A line for each revision whose count this one exceeds (1) or falls short of (-1) by `MARGIN`."""
        return [
            f"{self.command}: {ratio:.3f} of the instructions of {name}"
            for name, ratio in self.ratios().items()
            if (ratio - 1) * way > MARGIN
        ]


class CountError(click.ClickException):
    """A command or valgrind that fails."""

    exit_code = 2


def counts(where: Sequence[Side]) -> Iterator[Counted]:
    """The instructions of all commands, in their order. The first side is this revision.

    Raises CountError if a command fails here.
    """
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        asked = {
            name: [pool.submit(_count, command, side, str(number)) for side in where]
            for number, (name, command) in enumerate(COMMANDS.items())
        }
        for name, (here, *others) in asked.items():
            their = (None if other.exception() else other.result() for other in others)
            yield Counted(
                name, here.result(), dict(zip((side.name for side in where[1:]), their, strict=True))
            )


def told(found: Sequence[Counted], is_held: bool) -> tuple[list[str], list[str]]:
    """What takes more, and what takes less than in the revision that the counts are held to (`is_held`)."""
    more = [text for each in found for text in each.moved(1)]
    if not is_held:
        return more, []
    more += [f"{each.command}: fails in {name}" for each in found for name, n in each.others.items() if not n]
    less = [text for each in found for text in each.moved(-1)]
    if less:
        less.append(f"To hold what is better now, put the present commit into HELD in {Path(__file__).name}.")
    return more, less


def instructions(words: Sequence[str], side: Side, folder: Path) -> int:
    """How many a Python process executes, and those that it forks. Raises CountError if it fails."""
    log = folder / "valgrind.log"
    tool = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
    _run((*tool, f"--log-file={log}", sys.executable, *words), side, folder)
    report = log.read_text("utf-8")
    found = re.findall(r"I +refs: +([\d,]+)", report)
    if not found:
        raise CountError(f"valgrind: says no number of instructions: {report.strip()}")
    return sum(int(number.replace(",", "")) for number in found)


def _count(command: Command, side: Side, name: str) -> int:
    """The instructions of a command in a fresh folder.

    It runs in a folder of the same name before, so that its modules are compiled.
    """
    folder, words = side.own / name, _words(command.words)
    _prepare(command, side, folder)
    _run((sys.executable, *words), side, folder)
    shutil.rmtree(folder)
    _prepare(command, side, folder)
    return instructions(words, side, folder)


def _prepare(command: Command, side: Side, folder: Path) -> None:
    """Make the files that a command works on."""
    folder.mkdir()
    for path, text in command.files.items():
        (folder / path).write_text(text, "utf-8")
    for words in command.before:
        _run((sys.executable, *_words(words)), side, folder)


def _words(words: str) -> tuple[str, ...]:
    return ("-m", "generator.cli", *words.split())


def _run(words: Sequence[str], side: Side, folder: Path) -> None:
    """Run a program. Raises CountError if it fails.

    Of the machine's environment it has what it needs: each variable takes instructions.
    """
    needed = ("PATH", "VALGRIND_LIB", "PYTHONPATH", "PYTHONSAFEPATH", "PYTHONPYCACHEPREFIX")
    env = {name: value for name, value in side.environment.items() if name in needed}
    env |= {"HOME": str(folder), "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CountError(f"{side.name}: {' '.join(words)} fails: {done.stderr.strip()}")


@click.command()
@click.option(
    "--against",
    "revisions",
    multiple=True,
    metavar="REV",
    help=f"Compare with this revision, or `release`; may be given several times.  [default: {HELD}]",
)
def main(revisions: tuple[str, ...]) -> None:
    """Count the instructions of ten commands here and in another revision, and print both in proportion.

    Names each command that takes 3 % more than there, and then exits with 1. If a command takes 3 % less than
    in the revision that the counts are held against, says how to hold it there.
    """
    if shutil.which("valgrind") is None:
        raise CountError("valgrind: is not on the PATH; install it, as with: apt-get install valgrind")
    with tempfile.TemporaryDirectory() as folder:
        try:
            where = sides(revisions or (HELD,), Path(folder))
        except UnknownRevisionError as error:
            raise click.UsageError(str(error)) from None
        more, less = told(_table(where), is_held=not revisions)
    if more or less:
        print("", *(f"- {each}" for each in (*more, *less)), sep="\n")
    sys.exit(1 if more else 0)


def _table(where: Sequence[Side]) -> list[Counted]:
    """Count and print all commands."""
    _run((sys.executable, *NUMPY), where[0], where[0].own)  # compiles its modules
    numpy = instructions(NUMPY, where[0], where[0].own)
    heads = ("command", "× import numpy", *(f"of {side.name}" for side in where[1:]))
    print(f"{line(heads)}\n{line(['---'] * len(heads))}", flush=True)
    found = []
    for each in counts(where):
        found.append(each)
        print(line(each.shown(numpy)), flush=True)
    return found


if __name__ == "__main__":
    main()
