"""Finds the packages `generator` and `exporters`, and tells them from others of these names.

A distribution on the package index has an `exporters`, and a game's own folder may well hold a
`generator.py`: whichever comes first on Python's path hides ours.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

_OURS = "undercroft"  # what our packages say in `__distribution__`
_AGAIN = "pip install --force-reinstall undercroft"


@cache
def own_packages() -> tuple[ModuleType, ModuleType]:
    """`generator` and `exporters`. Raises ImportError if another package is found in place of one."""
    return _own("generator"), _own("exporters")  # in this order, for the second imports the first


def _own(name: str) -> ModuleType:
    place = _place(name)
    if place is None:
        raise ImportError(f"the package {name} is missing; run `{_AGAIN}`", name=name)
    try:
        found = import_module(name)
    except Exception:  # whatever another package does when it is imported
        if _lies_beside_this_one(place):
            raise
        found = None
    if found is None or getattr(found, "__distribution__", None) != _OURS:
        raise ImportError(
            f"{place} is another package named {name}, and hides the one of undercroft; rename or uninstall "
            f"it and run `{_AGAIN}`, or give undercroft a virtual environment of its own",
            name=name,
        )
    return found


def _place(name: str) -> Path | None:
    """The file or folder of what `import name` finds."""
    try:
        spec = find_spec(name)
    except ValueError:  # it was put together by hand, without a spec
        return Path(f"<{name}>")
    if spec is None:
        return None
    folders = list(spec.submodule_search_locations or ())
    return Path(folders[0] if folders else spec.origin or f"<{name}>")


def _lies_beside_this_one(place: Path) -> bool:
    """Whether it is in the folder of this package, or in the checkout that this package is a part of."""
    here = Path(__file__).parent
    return place.parent in (here.parent, here.parents[2])
