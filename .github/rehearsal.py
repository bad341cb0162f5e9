"""Tries a release as its users will: python .github/rehearsal.py DIST

DIST holds the wheel and the sdist. They are installed by name into empty environments, by pip, uv and pipx,
with all else from the package index. Each environment runs the first commands, and the line that a command
prints where it lacks an extra. A table says how long that took and how large it is.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

FIRST_LINES = ("generate isaac --seed 7 --out made", "check made/isaac-7.level.json made/isaac-7.ldtk")
MORE_LINES = ("init game", "build game", "build game --check", "selftest")
_EXTRA = "studio"
_NO_EXTRA = "; run "  # of `undercroft studio` without its extra, in front of the command that installs it


def main(dist: Path) -> None:
    """Print the table. A program that fails ends the rehearsal, with what it printed."""
    sizes = {path.name: path.stat().st_size for path in sorted(dist.iterdir())}
    (wheel,) = (name for name in sizes if name.endswith(".whl"))
    asked = f"undercroft=={wheel.split('-')[1]}"
    print("| file | MB |\n| --- | --: |")
    print(*(f"| {name} | {size / 1e6:.1f} |" for name, size in sizes.items()), sep="\n", end="\n\n")
    print("| installed by | s | MB | with its extra, s |\n| --- | --: | --: | --: |", flush=True)
    for way in ("pip, wheel", "pip, sdist", "uv", "pipx"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            env = environment(folder, dist.resolve())
            begun = time.perf_counter()
            command = install(way, asked, folder, env)
            taken = time.perf_counter() - begun
            size = sum(path.stat().st_size for path in (folder / "env").rglob("*") if path.is_file())
            run_commands(FIRST_LINES + MORE_LINES, command, folder, env)
            begun = time.perf_counter()
            add_extra(command, folder, env)
            more = time.perf_counter() - begun
            print(f"| {way} | {taken:.1f} | {size / 1e6:.0f} | {more:.1f} |", flush=True)


def environment(folder: Path, dist: Path) -> dict[str, str]:
    """Return variables by which all of the tools look into DIST too, and put everything into the folder."""
    kept = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    places = {
        "PIP_FIND_LINKS": f"{dist.as_uri()} {kept.get('PIP_FIND_LINKS', '')}".strip(),
        "UV_FIND_LINKS": str(dist),
        "UV_TOOL_DIR": str(folder / "env"),
        "UV_TOOL_BIN_DIR": str(folder / "bin"),
        "UV_CACHE_DIR": str(folder / "cache"),
        "PIPX_HOME": str(folder / "env"),
        "PIPX_BIN_DIR": str(folder / "bin"),
        "PIPX_DEFAULT_PYTHON": sys.executable,
        "UV_PYTHON": sys.executable,
    }
    own = Path(sys.executable).parent  # uv and pipx are there
    return {**kept, **places, "PATH": f"{own}{os.pathsep}{kept['PATH']}"}


def install(way: str, asked: str, folder: Path, env: dict[str, str]) -> Path:
    """Install a version, and return the command `undercroft`."""
    if not way.startswith("pip,"):
        run([way, *(["tool"] if way == "uv" else []), "install", asked], folder, env)
        return folder / "bin" / "undercroft"
    run([sys.executable, "-m", "venv", "env"], folder, env)
    programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    form = ["--no-binary", "undercroft"] if way.endswith("sdist") else ["--only-binary", ":all:"]
    run([programs / "python", "-m", "pip", "install", *form, asked], folder, env)
    return programs / "undercroft"


def run_commands(lines: Sequence[str], command: Path, folder: Path, env: dict[str, str]) -> None:
    """Run lines such as `init game`. Each must succeed, and nothing else may be in the way of undercroft."""
    for line in lines:
        run([command, *line.split()], folder, env)
    if json.loads(run([command, "--version", "--json"], folder, env))["clashes"]:
        sys.exit(f"{command}: a fresh environment has clashes")


def add_extra(command: Path, folder: Path, env: dict[str, str]) -> None:
    """Run the line that a command without its extra prints, and see that the extra is there then."""
    done = subprocess.run(
        [command, _EXTRA, "--no-browser"], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    _, told, line = done.stderr.strip().partition(_NO_EXTRA)
    if not told:
        sys.exit(f"{command} {_EXTRA}: names no way to install its extra: {done.stderr}")
    run(shlex.split(line), folder, env)
    if not json.loads(run([command, "--version", "--json"], folder, env))["extras"][_EXTRA]:
        sys.exit(f"{line}: has not installed the extra")


def run(words: Sequence[str | Path], folder: Path, env: dict[str, str]) -> str:
    """Run a program and return what it prints. If it fails, end with all of that."""
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]))
