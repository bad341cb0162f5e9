"""How the code is laid out: the arrow between the packages, late imports, sizes, style and types."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from generator.garbage import no_collections
from generator.styles.registry import BUILT_IN
from tests.changed import statements
from tests.exporters.layouts.drawn.files import plain, write
from tests.lints import LINTS, lint

ROOT = Path(__file__).parent.parent
MODULES = sorted(path for package in ("generator", "exporters") for path in (ROOT / package).rglob("*.py"))
GENERATOR = ROOT / "generator"
KNOW_EXPORTERS = (
    GENERATOR / "cli",
    GENERATOR / "notebook.py",  # a notebook asks the level itself for its picture
)


class Facts(NamedTuple):
    """What the tests ask of a module."""

    docstring: str
    imported: set[str]
    texts: set[str]
    types: list[str]  # the classes and type aliases: names such as `Level`, unlike `EMPTY` or `owners`


@cache
def facts(path: Path) -> Facts:
    with no_collections():
        tree = ast.parse(path.read_text("utf-8"))
        found = Facts(ast.get_docstring(tree) or "", set(), set(), types_in(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found.imported.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.imported.add(node.module)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.texts.add(node.value)
    return found


def types_in(tree: ast.Module) -> list[str]:
    found = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.append(node.targets[0].id)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.append(node.target.id)
    return [name.lstrip("_") for name in found if re.fullmatch("_?[A-Z]+[a-z][A-Za-z0-9]*", name)]


def test_every_module_says_what_it_is() -> None:
    assert not [path for path in MODULES if not facts(path).docstring]


MAX_LINES = 40  # of a function in the tests


def test_every_function_of_the_tests_fits_on_a_screen() -> None:
    long = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in statements(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > MAX_LINES:
                    long.append(f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}: {lines} lines")
    assert long == []


def test_the_generator_knows_no_exporter_but_where_that_is_its_task() -> None:
    own = [path for path in MODULES if path.is_relative_to(GENERATOR)]
    bound = [path for path in own if not any(path.is_relative_to(each) for each in KNOW_EXPORTERS)]
    assert len(bound) > 180
    assert not [
        path for path in bound if any(name.split(".")[0] == "exporters" for name in facts(path).imported)
    ]
    named = [path for path in bound if any(re.match(r"exporters\.", text) for text in facts(path).texts)]
    assert [path.relative_to(GENERATOR).as_posix() for path in named] == ["interiors/drawings.py"]


NAME_STYLES = {
    "generator/keywords.py",  # types the choices of a spec, some of which have the name of a style
    "generator/styles/registry.py",  # lists them
    "generator/kinds/style_names.py",  # the tables of a kit that single styles read
    "exporters/theme/showroom.py",  # shows a theme in a level of a preset
}


def test_no_style_is_named_outside_of_its_folder() -> None:
    naming = {
        path.relative_to(ROOT).as_posix(): styles for path in MODULES if (styles := foreign_styles(path))
    }
    assert naming.keys() == NAME_STYLES, naming


def foreign_styles(path: Path) -> set[str]:
    """The styles that a module names, without the one in whose folder it is."""
    place = path.relative_to(ROOT).as_posix()
    return {
        name
        for name in facts(path).texts & set(BUILT_IN)
        if not place.startswith(f"generator/styles/{name}/")
    }


def types_of(path: Path) -> list[str]:
    return facts(path).types


def scripted_types_of(path: Path) -> list[str]:
    return re.findall(r"^class(?:_name)? (\w+)", path.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize(
    ("paths", "types"),
    [
        ([*MODULES, *(ROOT / "docs").glob("[aw]*/*.py")], types_of),
        (sorted((ROOT / "godot_addon").rglob("*.gd")), scripted_types_of),
    ],
    ids=["Python", "GDScript"],
)
def test_no_two_classes_have_the_same_name(paths: list[Path], types: Callable[[Path], list[str]]) -> None:
    """Nor two type aliases: a name means one thing, private names included."""
    homes = defaultdict(list)
    for path in paths:
        for name in types(path):
            homes[name].append(path.relative_to(ROOT).as_posix())
    assert len(homes) > 20
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


ALGORITHMS = ROOT / "generator" / "algorithms"
MAY_USE = {
    "numpy",
    "scipy",
    "generator.algorithms",
    "generator.arrays",
    "generator.geometry",
    "generator.rng",
}


def test_an_algorithm_can_be_lifted_out() -> None:
    """It knows nothing of levels and styles, and names its source: a year at least."""
    paths = sorted(ALGORITHMS.glob("[a-z]*.py"))
    assert len(paths) > 8
    used = {path.name: {name for name in facts(path).imported if not may_be_used(name)} for path in paths}
    assert {name: wrong for name, wrong in used.items() if wrong} == {}
    docstrings = {path.name: facts(path).docstring for path in paths}
    assert [name for name, text in docstrings.items() if not re.search(r"\b(19|20)\d\d\b", text)] == []


def may_be_used(name: str) -> bool:
    """Whether an algorithm may import it."""
    known = name.split(".", maxsplit=1)[0] in sys.stdlib_module_names
    return known or any(f"{name}.".startswith(f"{each}.") for each in MAY_USE)


def modules_after(code: str) -> set[str]:
    probe = f"{code}\nimport sys\nprint(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


def test_styles_and_their_values_are_listed_without_numpy() -> None:
    """So that a form, a list of presets or a message about a bad value comes at once."""
    found = modules_after(
        "from generator.spec import describe, load_spec, preset_names\n"
        "from generator.styles.registry import usable_styles\n"
        "print([describe(style.spec) for style in usable_styles()], [*map(load_spec, preset_names())])"
    )
    assert not {"numpy", "scipy", "shapely", "PIL", "click", "exporters"} & found


def test_a_floorplan_needs_no_more_than_numpy() -> None:
    found = modules_after("import generator\ngenerator.generate('isaac', until='floorplan')")
    assert not {"scipy", "shapely", "PIL", "click", "exporters"} & found
    later = (
        "generator.interiors",
        "generator.styles.grid.build",
        "generator.styles.grid.build",
        "generator.algorithms.outline",
        "generator.cli",
        "generator.picture",
        "generator.checks",
    )
    assert not [name for name in found if name.startswith(later)]


def test_the_reader_of_a_drawn_room_comes_with_the_first_one(tmp_path: Path) -> None:
    """For whoever imports the generator alone, too."""
    code = (
        "from generator.interiors.named import named_layouts\nfrom generator.kinds import shipped_kit\n"
        f"assert len(named_layouts({str(write(tmp_path, plain()))!r}, print, shipped_kit())) == 1"
    )
    found = modules_after(code)
    assert "exporters.formats.tiled.drawn_rooms" in found
    assert not {"exporters.formats.ldtk.drawn_rooms", "exporters.theme", "PIL", "click"} & found


def test_a_few_rooms_and_hallways_need_no_more_of_scipy_than_qhull() -> None:
    found = modules_after(
        "import generator, exporters\n"
        "level = generator.generate('gungeon', rooms=15, districts='none')\n"  # several looks need Pillow
        "exporters.export(level, ['godot'])"
    )
    assert "scipy" in found
    assert not {"scipy.spatial", "scipy.linalg", "scipy.sparse", "shapely", "PIL", "click"} & found


@pytest.mark.parametrize("words", LINTS, ids=lambda words: " ".join(words[:2]))
@pytest.mark.xdist_group("types")
def test_style_and_types(words: tuple[str, ...]) -> None:
    done = lint(words)
    assert done.returncode == 0, done.stdout + done.stderr


def test_shapely_proves_levels_and_makes_none(tmp_path: Path) -> None:
    """Its polygons differ by version. Generating, exporting and rolling rooms again never import it."""

    def modules_of(*commands: str) -> set[str]:
        runs = "".join(
            f"with contextlib.suppress(SystemExit):\n    main({each.split()})\n" for each in commands
        )
        return modules_after(
            "import contextlib, io, sys\nfrom generator.cli import main\n"
            f"shown, sys.stdout = sys.stdout, io.StringIO()\n{runs}sys.stdout = shown"
        )

    file = tmp_path / "a.level.json"
    found = modules_of(
        f"generate isaac --seed 7 --set body=2 --set door_width=3 --name a --out {tmp_path}",
        f"export {file} --to godot --to tiled --to ldtk --to png --out {tmp_path / 'again'}",
        f"reroll {file} --room 2 --out {tmp_path / 'b.level.json'}",
        "show gungeon --seed 7",
    )
    assert (tmp_path / "again" / "a.tscn").exists() and (tmp_path / "b.level.json").exists()
    assert "exporters.formats.godot.regions" in found and "shapely" not in found
    assert "shapely" in modules_of(f"check {file}")
