"""Qhull alone: it is scipy's own, and leaves scipy as it was."""

from __future__ import annotations

import subprocess
import sys

import pytest

ALONE = """
import sys
from generator.algorithms.triangulation import delaunay
found = delaunay()
assert not any(name.startswith(("scipy.spatial", "scipy.linalg")) for name in sys.modules)
assert sorted(found([[0, 0], [4, 0], [0, 4.0]]).simplices[0].tolist()) == [0, 1, 2]
"""
LATER = """
import scipy.linalg, scipy.spatial
from scipy.interpolate import LinearNDInterpolator
assert scipy.spatial.Delaunay is found is scipy.spatial._qhull.Delaunay
assert scipy.linalg.solve([[2.0]], [1.0]) == 0.5 and scipy.linalg.cython_lapack.__pyx_capi__
assert LinearNDInterpolator([[0, 0], [1, 0], [0, 1.0]], [1, 2, 3])([[0.2, 0.2]]) == pytest.approx(1.6)
assert scipy.spatial.ConvexHull([[0, 0], [1, 0], [0, 1.0], [1, 1]]).volume == pytest.approx(1)
"""
MOVED = """
import sys
from generator.algorithms import triangulation
triangulation._QHULL, triangulation._CALLED = {names}
found = triangulation.delaunay()
import scipy.spatial
assert found is scipy.spatial.Delaunay
"""


def run(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def test_it_is_the_class_that_scipy_has_and_scipy_works_afterwards() -> None:
    run(ALONE + "import pytest\n" + LATER)


@pytest.mark.parametrize(
    "names",
    [
        ("scipy.spatial._gone", "scipy.linalg.cython_lapack"),  # not there
        ("scipy.spatial._qhull", "scipy.gone.cython_lapack"),  # no such package
        ("scipy.spatial.distance", "scipy.linalg.cython_lapack"),  # not a compiled module
    ],
)
def test_where_scipy_is_built_otherwise_it_is_imported_whole(names: tuple[str, str]) -> None:
    run(MOVED.format(names=names))
