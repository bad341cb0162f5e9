"""How the code is laid out: the arrow between the packages, late imports, sizes, style and types."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.styles.registry import BUILT_IN

ROOT = Path(__file__).parent.parent
MODULES = sorted(path for package in ("generator", "exporters") for path in (ROOT / package).rglob("*.py"))
GENERATOR = ROOT / "generator"
KNOW_EXPORTERS = (
    GENERATOR / "cli",
    GENERATOR / "notebook.py",  # a notebook asks the level itself for its picture
)


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module(path: Path) -> None:
    """It says what it is, is short, and the generator knows no exporter but where that is its task."""
    text = path.read_text("utf-8")
    assert ast.get_docstring(ast.parse(text))
    assert text.count("\n") <= 310
    if path.is_relative_to(GENERATOR) and not any(path.is_relative_to(each) for each in KNOW_EXPORTERS):
        assert not [name for name in imported(path) if name.split(".")[0] == "exporters"]


NAME_STYLES = {
    "generator/styles/registry.py",  # lists them
    "generator/kinds/style_names.py",  # the tables of a kit that single styles read
    "exporters/theme/showroom.py",  # shows a theme in a level of a preset
}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_style_is_named_outside_of_its_folder(path: Path) -> None:
    place = path.relative_to(ROOT).as_posix()
    texts = {
        node.value
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    own = {name for name in BUILT_IN if place.startswith(f"generator/styles/{name}/")}
    assert place in NAME_STYLES or not texts & set(BUILT_IN) - own


def types_of(path: Path) -> list[str]:
    """The classes and type aliases that a module defines: names such as `Level`, unlike `EMPTY` or `owners`."""
    found = []
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.append(node.targets[0].id)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.append(node.target.id)
    return [name.lstrip("_") for name in found if re.fullmatch("_?[A-Z]+[a-z][A-Za-z0-9]*", name)]


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


@pytest.mark.parametrize("path", sorted(ALGORITHMS.glob("[a-z]*.py")), ids=lambda path: path.stem)
def test_an_algorithm_can_be_lifted_out(path: Path) -> None:
    """It knows nothing of levels and styles, and names its source: a year at least."""
    used = {name for name in imported(path) if name.split(".")[0] not in sys.stdlib_module_names}
    assert {name for name in used if not any(f"{name}.".startswith(f"{each}.") for each in MAY_USE)} == set()
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    assert docstring and re.search(r"\b(19|20)\d\d\b", docstring)


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


def test_everything_is_described_without_numpy() -> None:
    """The formats too: a dock asks for this as soon as it opens."""
    found = modules_after(
        "import contextlib, io\nfrom generator.cli import main\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):\n    main(['describe'])"
    )
    assert {"generator.styles.gungeon.spec", "exporters.png"} <= found
    assert not {"numpy", "scipy", "shapely", "PIL", "exporters.theme"} & found


def test_a_floorplan_needs_no_more_than_numpy() -> None:
    found = modules_after("import generator\ngenerator.generate('isaac', until='floorplan')")
    assert not {"scipy", "shapely", "PIL", "click", "exporters"} & found
    later = (
        "generator.interiors",
        "generator.styles.grid.build",
        "generator.styles.grid.carve",
        "generator.algorithms.outline",
        "generator.cli",
        "generator.picture",
        "generator.checks",
    )
    assert not [name for name in found if name.startswith(later)]


def test_a_scene_needs_neither_scipy_nor_pillow() -> None:
    found = modules_after(
        "import generator, exporters\nexporters.export(generator.generate('isaac'), ['godot'])"
    )
    assert "numpy" in found
    assert not {"scipy", "shapely", "PIL", "click", "numpy.ma"} & found


def test_a_few_rooms_and_hallways_need_no_more_of_scipy_than_qhull() -> None:
    found = modules_after(
        "import generator, exporters\nexporters.export(generator.generate('gungeon', rooms=15), ['godot'])"
    )
    assert "scipy" in found
    assert not {"scipy.spatial", "scipy.linalg", "scipy.sparse", "shapely", "PIL", "click"} & found


@pytest.mark.parametrize(
    "tool",
    [
        ["ruff", "check", "--quiet", "."],
        ["ruff", "format", "--check", "--quiet", "."],
        ["mypy"],
        [
            "mypy",
            "--strict",
            "docs/art",
            "docs/website",
            "tests/engines.py",
            "tests/browser.py",
            "tests/needs.py",
            "tests/guides.py",
        ],
    ],
    ids=lambda tool: " ".join(tool[:2]),
)
@pytest.mark.xdist_group("tools")
def test_style_and_types(tool: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *tool], cwd=ROOT, capture_output=True, text=True, check=False
    )
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
    assert "exporters.godot.regions" in found and "shapely" not in found
    assert "shapely" in modules_of(f"check {file}")
