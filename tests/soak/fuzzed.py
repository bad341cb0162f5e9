"""Files with something odd in them, by the tests that have a property for each kind of file."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from generator.cli import main
from tests.exporters.reading.exported import exported, level_of
from tests.generator import test_level_file_hostile
from tests.generator.cli import test_check_hostile
from tests.hostile import changed

Property = Callable[[Any, Path], None]
_EXAMPLES = 10  # a case
_ANY = settings(
    max_examples=_EXAMPLES,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def a_map_in_tiled(data: st.DataObject, folder: Path) -> None:
    """What `import` and `check` say of a map: done, or one clear line for each problem."""
    main_file = exported(level_of("isaac"), "map", folder)
    main_file.write_text(json.dumps(changed(data, json.loads(main_file.read_bytes()))), "utf-8")
    done = CliRunner().invoke(main, ["import", str(main_file), "--out", str(folder / "back")])
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    assert done.exit_code in (0, 1, 2), done.exit_code
    assert "Traceback" not in done.output, done.output
    if done.exit_code == 2:
        assert len(done.stderr.splitlines()) == 1, done.stderr


def _of_test(test: Any, *first: str) -> Property:
    """The property that a test of hypothesis checks."""

    def check(data: st.DataObject, folder: Path) -> None:
        test.hypothesis.inner_test(*first, data, folder)

    return check


PROPERTIES: list[Property] = [
    lambda data, _: (
        test_level_file_hostile.test_a_changed_file_is_a_usable_level_or_a_level_error.hypothesis.inner_test(
            data
        )
    ),  # type: ignore[attr-defined]
    _of_test(test_check_hostile.test_levels),
    _of_test(test_check_hostile.test_ldtk_projects),
    *(_of_test(test_check_hostile.test_toml_files, name) for name in ("plain", "undercroft", "isaac")),
    a_map_in_tiled,
]


def case(seed: int, folder: Path) -> None:
    """Some examples of one property, which the seed alone decides."""
    check = PROPERTIES[seed % len(PROPERTIES)]

    @hypothesis.seed(seed)
    @_ANY
    @given(st.data())
    def some(data: st.DataObject) -> None:
        with tempfile.TemporaryDirectory(dir=folder) as place:
            check(data, Path(place))

    some()
