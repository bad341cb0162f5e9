"""Which kits a kit extends, in order: a row of a later one replaces a row of an earlier one.

    extends = ["../monsters", "../town"]

Kits that these extend in turn come before them, and each kit comes once, however many extend it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from generator.errors import KitError, shown
from generator.kinds.kit_files import Stamps, stamps_of, written
from generator.named_tuple import NamedTuple

MAX_PARENTS = 8
_BASES = ("shipped", "none")


class ParentKit(NamedTuple):
    """The folder of a kit that another one extends, and the stamps of its files."""

    folder: Path
    stamps: Stamps


class Parents(NamedTuple):
    """All kits that a kit extends, the lowest first, and what is below them: `shipped` or `none`."""

    base: str
    kits: tuple[ParentKit, ...]


def parents_of(root: Path, extends: object, below: tuple[Path, ...] = ()) -> Parents:
    """Find the kits that the kit in a folder extends, with those that they extend. Raises KitError.

    `below` are the folders of the kits that extend this one in turn.
    """
    above = (*below, root)
    where = f"{root / 'kit.toml'}: extends"
    found: list[ParentKit] = []
    bases: dict[str, str] = {}
    for name in _names(extends, where):
        if name in _BASES:
            bases[name] = name
            continue
        folder = root / name
        stamps = stamps_of(folder, where)
        if any(folder.samefile(ancestor) for ancestor in above):
            raise KitError(
                f"{where}: {shown(name, 200)} extends this kit in turn; remove one of the two lines"
            )
        if len(above) > MAX_PARENTS:
            raise KitError(f"{where}: more than {MAX_PARENTS} kits extend each other; merge some of them")
        lower = parents_of(folder, written(folder, stamps).head.get("extends", "shipped"), above)
        bases.setdefault(lower.base, name)
        for kit in (*lower.kits, ParentKit(folder, stamps)):
            if not any(kit.folder.samefile(other.folder) for other in found):
                found.append(kit)
        if len(found) > MAX_PARENTS:
            raise KitError(f"{where}: leads to more than {MAX_PARENTS} kits; merge some of them")
    if len(bases) > 1:
        shipped, none = (shown(bases[base], 200) for base in _BASES)
        raise KitError(
            f"{where}: {shipped} is based on the shipped kit, and {none} is not; leave one of them out"
        )
    (base,) = bases
    return Parents(base, tuple(found))


def _names(extends: object, where: str) -> Iterator[str]:
    names = extends if isinstance(extends, list) else [extends]
    if not 1 <= len(names) <= MAX_PARENTS:
        raise KitError(f"{where}: has {len(names)} kits; give 1 to {MAX_PARENTS}")
    for name in names:
        if not isinstance(name, str) or not name or len(name) > 1000:
            raise KitError(
                f'{where}: {shown(name)} is not "shipped", "none" or the folder of a kit; give one'
            )
        if names.count(name) > 1:
            raise KitError(f"{where}: {shown(name, 200)} is there twice; leave one out")
        yield name
