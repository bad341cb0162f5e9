"""Libraries of other engines that read our files, fetched once and kept beside the engines.

Each is pinned by its version, and by the SHA-256 of what was fetched. JavaScript comes by npm, which the machine
must have; Python's by pip, into a folder of its own, for arcade pins what the tests' environment has newer.

    folder = npm("phaser")          # with package/dist/phaser.min.js below it
    where = pip("arcade")           # a folder for PYTHONPATH
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.engines import EngineMissing, cache_folder


class Pin(NamedTuple):
    version: str
    sha256: str


NPM = {
    "phaser": Pin("4.2.1", "10c483ef182f0e2aafdc2a11b3bcf86cedb02a4b62a14cfce673b2f9b714318b"),
    "excalibur": Pin("0.32.0", "a30152dd5355cfd352648b90127ec599bbdb78f9660849e01b9f0a4bf5107ad7"),
    "@excaliburjs/plugin-tiled": Pin("0.32.0", "9d9a695f5693ec418de2875bfb4d29670bd60115f79ddf162d1fbe529afac268"),
    "axe-core": Pin("4.10.3", "0f2b4d7dcdf7d1219df8d1959ad68e565f51d14c3f0d88bb71cd59abeb956292"),
    "typescript": Pin("5.9.3", "10e108c9cf7d5f2879053dff18515fb405abf2ccef63eaaf017d9c571687a1d3"),
    "@excaliburjs/plugin-ldtk": Pin("0.32.1", "e4b9f632911214be3bb923024df309ee0055d73ac26e2ba6e3c4d974d217a740"),
}  # fmt: skip
# By package: wheels that are the same for every machine, and compiled ones, which are pinned by version.
PIP = {
    "arcade": (
        {
            "arcade": Pin("3.3.3", "25f4e0e5b8bcbe7a7d087c0a23b19e9f423b0c70ec00945c8712c9a3e541ebd2"),
            "pyglet": Pin("2.1.19", "5ba6e8cb0b5ac56a284e43ab411e2bbd504191c32a765abdbd6a6c4b7f1ca317"),
        },
        ("pymunk==6.9.0", "cffi>=1.17", "pycparser>=2.22"),
    ),
    "pygame": ({}, ("pygame==2.6.1",)),
    "lupa": ({}, ("lupa==2.8",)),
}  # fmt: skip


def npm(name: str) -> Path:
    """The folder with a package of npm unpacked in it."""
    return _kept(f"{name.replace('/', '-')}-{NPM[name].version}", partial(_fetch_npm, name))


def pip(name: str) -> Path:
    """A folder that a package of Python and what it needs are installed in."""
    pins, compiled = PIP[name]
    wanted = (*(f"{one}=={pin.version}" for one, pin in pins.items()), *compiled)
    mark = hashlib.sha256(" ".join(wanted).encode()).hexdigest()[:8]
    return _kept(f"{name}-{mark}-{sys.implementation.cache_tag}", partial(_fetch_pip, name))


def _kept(name: str, fetch: Callable[[Path], None]) -> Path:
    """A folder of the cache, made if it is not there yet; two processes make it once."""
    folder = cache_folder() / name.removeprefix("@")
    if folder.is_dir():
        return folder
    with _locked(folder):
        if not folder.is_dir():
            part = folder.with_name(f"{folder.name}.part")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            try:
                fetch(part)
                part.rename(folder)
            finally:
                shutil.rmtree(part, ignore_errors=True)
    return folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    import fcntl  # Windows has none

    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _fetch_npm(name: str, part: Path) -> None:
    pin = NPM[name]
    if not shutil.which("npm"):
        raise EngineMissing(f"{name} is missing: npm is not on the PATH; install Node.js")
    _run(part, "npm", "pack", "--silent", "--ignore-scripts", f"{name}@{pin.version}")
    (archive,) = part.glob("*.tgz")
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != pin.sha256:
        raise EngineMissing(f"{name} {pin.version}: npm gave an archive of SHA-256 {found}, not {pin.sha256}")
    with tarfile.open(archive) as packed:
        packed.extractall(part, filter="data")
    archive.unlink()


def _fetch_pip(name: str, part: Path) -> None:
    install = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:")
    pins, compiled = PIP[name]
    if pins:
        wanted = part / "wanted.txt"
        lines = (f"{one}=={pin.version} --hash=sha256:{pin.sha256}\n" for one, pin in pins.items())
        wanted.write_text("".join(lines))
        _run(part, *install, "--target", str(part), "--require-hashes", "-r", str(wanted))
    _run(part, *install, "--target", str(part), *compiled)


def _run(folder: Path, *command: str) -> None:
    env = {**os.environ, "npm_config_update_notifier": "false"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or ["nothing"]
        raise EngineMissing(f"{command[0]} could not fetch a library of the tests: {lines[-1]}")
