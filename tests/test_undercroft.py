"""`import undercroft`: the public names of both packages, cheap to import, and other packages with their names."""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
import undercroft

import exporters
import generator
from tests.engines import HANG
from tests.interrupts import ctrl_c_is_heard

ROOT = Path(__file__).parent.parent


def test_it_has_what_both_packages_have() -> None:
    assert set(undercroft.__all__) == {*generator.__all__, *exporters.__all__}
    assert len(undercroft.__all__) == len(generator.__all__) + len(exporters.__all__)  # nothing is in both
    for name in undercroft.__all__:
        home = generator if name in generator.__all__ else exporters
        assert getattr(undercroft, name) is getattr(home, name)


@pytest.mark.parametrize("package", [undercroft, generator, exporters], ids=lambda one: one.__name__)
def test_what_is_public(package: object) -> None:
    """Listed once, there and documented; nothing else is, and no module hides a name."""
    names: list[str] = package.__all__  # type: ignore[attr-defined]
    assert sorted(set(names)) == sorted(names) == dir(package)
    for name in names:
        assert name == "__version__" or getattr(package, name).__doc__, name
    modules = {module.name for module in pkgutil.iter_modules(package.__path__)}  # type: ignore[attr-defined]
    assert not modules & set(names)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        package.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_the_program_that_shows_it_uses_everything() -> None:
    tree = ast.parse((ROOT / "tests" / "library_program.py").read_text("utf-8"))
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "undercroft"
    }
    assert set(undercroft.__all__) <= used


def test_star_import() -> None:
    names: dict[str, object] = {}
    exec("from undercroft import *", names)
    assert set(undercroft.__all__) <= set(names)


def test_importing_it_is_cheap() -> None:
    """Nothing that must be installed is imported before a level is asked for."""
    code = "import sys, undercroft; dir(undercroft), undercroft.__version__; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert not {"numpy", "scipy", "shapely", "PIL", "click", "networkx"} & set(done.stdout.split())


@pytest.mark.skipif(os.name == "nt", reason="there a process cannot be sent Ctrl-C alone")
@pytest.mark.parametrize("while_it_imports", ["undercroft.packages", "generator", "click", "numpy"])
def test_ctrl_c_ends_the_command_quietly_from_its_first_import_on(
    while_it_imports: str, tmp_path: Path
) -> None:
    """`undercroft.__main__` itself, whose import nobody can guard, imports nothing that takes time."""
    code = f"""if True:
    import sys
    class Interrupted:
        def find_spec(name, *_):
            if name == {while_it_imports!r}:
                import os, signal
                os.kill(os.getpid(), signal.SIGINT)
    sys.meta_path.insert(0, Interrupted)
    before = {{*sys.modules}}
    from undercroft.__main__ import main
    assert {{*sys.modules}} - before <= {{"undercroft", "undercroft.__main__", "__future__"}}
    sys.argv = ["undercroft", "show", "isaac"]
    main()
    """
    with ctrl_c_is_heard():
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=HANG)  # fmt: skip
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == ("undercroft: interrupted\n" if while_it_imports == "numpy" else "")


# ---- others of the same names -----------------------------------------------------------------------

OTHERS = {
    "exporters/__init__.py": "__version__ = '0.7'",  # there is one on the package index
    "exporters.py": "raise SystemError('made for another Python')",
    "generator/__init__.py": "import nothing_that_is_there",
    "generator.py": "print 'a script of somebody'",
}


@pytest.mark.parametrize("path", OTHERS)
@pytest.mark.parametrize("used", ["command", "name", "from"])
def test_another_package_is_named_in_a_line(path: str, used: str, tmp_path: Path) -> None:
    other = tmp_path / path
    other.parent.mkdir(exist_ok=True)
    other.write_text(OTHERS[path], "utf-8")
    what = {
        "command": ["-m", "undercroft", "show", "isaac"],
        "name": ["-c", "import undercroft; undercroft.generate"],
        "from": ["-c", "from undercroft import export"],
    }[used]
    done = subprocess.run(
        [sys.executable, *what], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=HANG
    )
    name = Path(path).parts[0].removesuffix(".py")
    place = tmp_path / Path(path).parts[0]
    line = done.stderr.splitlines()[-1]
    assert done.returncode == 1 and done.stdout == ""
    assert line.startswith("undercroft: " if used == "command" else "ImportError: ")
    assert f"{place} is another package named {name}, which hides" in line
    assert used != "command" or done.stderr == f"{line}\n"


def test_a_package_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = importlib.import_module("undercroft.packages")
    monkeypatch.setattr(packages, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="the package generator is missing; install undercroft again, with"):
        packages.own_packages.__wrapped__()


def test_a_fault_of_our_own_is_not_blamed_on_others(monkeypatch: pytest.MonkeyPatch) -> None:
    packages = importlib.import_module("undercroft.packages")

    def broken(name: str) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(packages, "import_module", broken)
    with pytest.raises(ZeroDivisionError):
        packages.own_packages.__wrapped__()
