"""File names that differ only in case, which are the same file on some systems."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from generator.errors import BadInput


def refuse_other_case(bundle: Iterable[str], out: Path) -> None:
    """Refuse a new file that would replace another one on systems that ignore case. Raises BadInput."""
    for folder in {(out / path).parent for path in bundle}:
        names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
        folded = {name.casefold(): name for name in names}
        for new in (path for path in (out / path for path in bundle) if path.parent == folder):
            existing = folded.get(new.name.casefold())
            if existing and new.name not in names:
                problem = f"would replace {existing} on systems that ignore case; choose another name"
                raise BadInput(f"{new}: {problem}")
