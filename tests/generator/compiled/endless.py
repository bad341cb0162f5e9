"""A program that has something compiled beside it, which never ends, until its standard input is closed."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from threading import Event

from generator.compiled import loader


def compile_for_ever(path: Path) -> None:
    """Compile nothing for ever, and say in a file which process does so."""

    def work() -> None:
        begun = path.with_suffix(".begun")
        begun.write_text(str(os.getpid()))
        begun.replace(path)
        Event().wait()

    loader.compile_here("endless", work)


if __name__ == "__main__":
    from tests.generator.compiled.endless import compile_for_ever as named  # not as of this program

    loader._start(partial(named, Path(sys.argv[1])), Path.cwd())
    sys.stdin.read()
