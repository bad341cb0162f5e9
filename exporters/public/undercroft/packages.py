"""Find the packages `generator` and `exporters`, and recognise other packages with these names.

A distribution on the package index contains an `exporters`, and a game's folder may contain a
`generator.py`. If one of them comes first on Python's path, it hides ours.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

_OURS = "undercroft"  # the value of `__distribution__` in our packages
_AGAIN = "install undercroft again, with --force-reinstall"


@cache
def own_packages() -> tuple[ModuleType, ModuleType]:
    """Import `generator` and `exporters`. Raises ImportError if one is another package."""
    return _own("generator"), _own("exporters")  # in this order, because the second imports the first


def _own(name: str) -> ModuleType:
    path = _place(name)
    if path is None:
        raise ImportError(f"the package {name} is missing; {_AGAIN}", name=name)
    try:
        module = import_module(name)
    except Exception:  # any error from importing another package
        if _lies_beside_this_one(path):
            raise
        module = None
    if module is None or getattr(module, "__distribution__", None) != _OURS:
        raise ImportError(
            f"{path} is another package named {name}{_owner(name)}, which hides undercroft's; rename "
            f"or uninstall it and {_AGAIN}, or install undercroft into a separate virtual environment",
            name=name,
        )
    return module


def _owner(name: str) -> str:
    """Name the other distributions that have such a package, in parentheses. Empty without any."""
    from importlib.metadata import packages_distributions

    others = sorted({*packages_distributions().get(name, [])} - {_OURS})
    return f" (of {', '.join(others)})" if others else ""


def _place(name: str) -> Path | None:
    """Return the file or folder that `import name` finds."""
    try:
        spec = find_spec(name)
    except ValueError:  # a module made by hand, without a spec
        return Path(f"<{name}>")
    if spec is None:
        return None
    folders = list(spec.submodule_search_locations or ())
    return Path(folders[0] if folders else spec.origin or f"<{name}>")


def _lies_beside_this_one(path: Path) -> bool:
    """Check whether it is in this package's folder, or in the same checkout."""
    folder = Path(__file__).parent
    return path.parent in (folder.parent, folder.parents[2])
