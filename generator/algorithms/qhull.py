"""Loads scipy's Delaunay triangulation without the rest of scipy.

C. B. Barber, D. P. Dobkin and H. Huhdanpaa, "The Quickhull algorithm for convex hulls" (1996). scipy includes
their program, Qhull. `import scipy.spatial` imports sparse matrices, rotations, linear algebra and more,
which takes longer than many levels do. Qhull itself is one compiled module, and needs one other. Only these
two are loaded.

scipy does not promise where they are. If anything fails, the class comes from `scipy.spatial` as usual. It is
the same class: a later `import scipy.spatial` gets what is loaded here.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.machinery import ExtensionFileLoader, PathFinder
from importlib.util import find_spec, module_from_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scipy.spatial import Delaunay

_CALLED = "scipy.linalg.cython_lapack"
_QHULL = "scipy.spatial._qhull"


@cache
def delaunay() -> type[Delaunay]:
    """Return the class `scipy.spatial.Delaunay`."""
    if "scipy.spatial" not in sys.modules:
        try:
            loaded = _alone()
        except Exception:  # another version of scipy may do anything here
            loaded = None
        if loaded is not None:
            return loaded
    from scipy.spatial import Delaunay

    return Delaunay


def _alone() -> type[Delaunay] | None:
    """Load the class from its module only. Returns None if that has moved. Raises whatever loading it raises.

    The modules are in `sys.modules` only while this runs. When their packages are imported later, those
    import them again, get the same modules, and bind their names.
    """
    added = []
    try:
        for name in (_CALLED, _QHULL):
            if name in sys.modules:
                continue
            package = find_spec(name.rpartition(".")[0])  # imports `scipy` but none of its modules
            places = package and package.submodule_search_locations
            spec = places and PathFinder.find_spec(name, places)
            if not spec or not isinstance(spec.loader, ExtensionFileLoader):
                return None
            module = sys.modules[name] = module_from_spec(spec)
            added.append(name)
            spec.loader.exec_module(module)
        loaded: type[Delaunay] | None = getattr(sys.modules[_QHULL], "Delaunay", None)
        return loaded
    finally:
        for name in added:
            sys.modules.pop(name, None)
