"""Long sweeps, in slices, until told to stop: each run goes on where the last one ended.

    python -m tests.soak                         # until Ctrl-C
    python -m tests.soak --minutes 30            # all sweeps in turn, until the time is over
    python -m tests.soak --only levels           # one sweep
    python -m tests.soak --only levels --case 7  # exactly one case, with its traceback
    python -m tests.soak --table                 # the table of the ledger, nothing else

A ledger is for one run at a time. The exit status is 1 if this run found something, and 2 for wrong use.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from generator.version import VERSION
from tests.soak.ledger import Ledger, Slice, locked, table, usual_place
from tests.soak.sweeps import SWEEPS, Sweep

_LONGEST = 300  # characters of what a find says


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, without all the usage."""
        self.exit(2, f"{self.prog}: {message}\n")


def main(words: Sequence[str] | None = None, sweeps: Mapping[str, Sweep] = SWEEPS) -> int:
    """Run what the words ask for; the exit status."""
    parser = _parser(sweeps)
    asked = parser.parse_args(words)
    if asked.case is not None and not asked.only:
        parser.error("--case needs --only NAME")
    some = [sweeps[asked.only]] if asked.only else list(sweeps.values())
    if asked.case is not None:
        run_case(some[0], asked.case)
        print(f"{asked.only}: case {asked.case} is sound")
        return 0
    try:
        ledger = _read(asked.ledger)
        if asked.table:
            print(table(ledger.slices))
            return 0
        with locked(asked.ledger):
            return _go_on(Ledger(asked.ledger), some, asked.minutes)
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}")


def _read(path: Path) -> Ledger:
    """The ledger; what cannot be read is told."""
    ledger = Ledger(path)
    if ledger.unread:
        lines = "1 line" if ledger.unread == 1 else f"{ledger.unread} lines"
        print(f"{path}: {lines} cannot be read and do not count", file=sys.stderr)
    return ledger


def _go_on(ledger: Ledger, sweeps: Sequence[Sweep], minutes: float | None) -> int:
    """Run slices until the time is over; the exit status."""
    found = 0
    end = time.time() + minutes * 60 if minutes is not None else None
    try:
        for sweep in itertools.cycle(sweeps):
            done = run_slice(sweep, ledger.next_seed(sweep.name))
            ledger.add(done)
            found += tell(done)
            if end is not None and time.time() >= end:
                break
    except KeyboardInterrupt:
        print("stopped; the slice under way is not counted", file=sys.stderr)
    print(table(ledger.slices))
    return 1 if found else 0


def run_slice(sweep: Sweep, first: int) -> Slice:
    """The next cases of a sweep, each in a folder of its own."""
    before, finds = cpu_seconds(), {}
    for seed in range(first, first + sweep.slice):
        try:
            run_case(sweep, seed)
        except Exception as error:
            finds[str(seed)] = f"{type(error).__name__}: {error}"[:_LONGEST]
    return Slice(sweep.name, first, first + sweep.slice - 1, round(cpu_seconds() - before, 2), VERSION, finds)


def run_case(sweep: Sweep, seed: int) -> None:
    """One case, which raises if something is wrong."""
    with tempfile.TemporaryDirectory(prefix="undercroft-soak-") as folder:
        sweep.case(seed, Path(folder))


def tell(done: Slice) -> int:
    """Print a slice, and each find with the command that repeats it; the number of finds."""
    print(f"{done.sweep}: {done.first} to {done.last}, {done.cpu:.1f} s of CPU", flush=True)
    for seed, said in done.finds.items():
        first_line = said.splitlines()[0] if said else ""
        print(f"found: {first_line}\n  python -m tests.soak --only {done.sweep} --case {seed}", flush=True)
    return len(done.finds)


def cpu_seconds() -> float:
    """CPU time of this process and of the programs that it has run."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a seed: a whole number from 0 on")
    return int(text)


def _minutes(text: str) -> float:
    with suppress(ValueError):
        if (minutes := float(text)) >= 0:
            return minutes
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of minutes")


def _parser(sweeps: Mapping[str, Sweep]) -> argparse.ArgumentParser:
    listed = "\n".join(f"  {each.name:8} {each.what}" for each in sweeps.values())
    parser = _Parser(
        prog="python -m tests.soak",
        description="Run long sweeps in slices, and go on where the last run ended.",
        epilog=f"sweeps:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--minutes", type=_minutes, metavar="N", help="stop after the slice in which these end"
    )
    parser.add_argument("--only", choices=list(sweeps), metavar="NAME", help="run one sweep")
    parser.add_argument("--case", type=_seed, metavar="SEED", help="with --only: run exactly this case")
    parser.add_argument("--table", action="store_true", help="print the ledger's table and run nothing")
    parser.add_argument(
        "--ledger", type=Path, default=usual_place(), metavar="FILE", help="default: %(default)s"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
