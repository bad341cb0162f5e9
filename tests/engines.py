"""The real programs that the tests run: Godot 4 and its export template, Godot 3, Tiled and its
rasterizer, Chromium.

Each program is looked for in three places, in this order: the environment variable of its
name (GODOT, GODOT_TEMPLATE, GODOT3, TILED, TMXRASTERIZER, CHROMIUM: a path or a command),
Debian's packages, and the PATH. A machine's own program has a version, settings and fonts of its own, so it comes
last: what the tests find does not depend on what is installed. A packaged program is newer than most machines, so
it comes with every library it needs down to the C library, in a folder of its own that it is started in: nothing is
installed, root is not needed, and the folder is kept for the next run (``cache_folder``).

    from tests.engines import godot
    done = godot().run("--headless", "--path", project, "-s", "probe.gd")
    shot = godot().run("--path", project, "-s", "shot.gd", display=True)

``python tests/engines.py [name ...]`` fetches the programs and says what they are.
"""

from __future__ import annotations

import atexit
import hashlib
import itertools
import os
import re
import select
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

Version = tuple[int, int]

HANG = 900.0  # s: however busy a machine is, only what hangs takes so long; no test has another limit

# How often Godot was started, as a game and as an editor, since `tests.summary` was told of it.
starts: Counter[str] = Counter()
_EDITOR = {"--editor", "--import", "--export-pack", "--export-release"}

refused = ""  # why the running test gets no program; see conftest.py


class EngineMissing(Exception):
    """A program that the tests need is not to be had; the message says what to do."""


@dataclass(frozen=True)
class Program:
    """A program that can be run, and where it came from."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    version: str = ""
    origin: str = ""
    on_screen: tuple[str, ...] = ()

    def run(
        self,
        *args: str | Path,
        cwd: Path | None = None,
        display: bool = False,
    ) -> subprocess.CompletedProcess[str]:
        """Run to the end and return the output; with ``display``, on a virtual screen."""
        command, env = self._started(args, display)
        try:
            return subprocess.run(
                command,
                env=env,
                cwd=cwd,
                timeout=HANG,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                check=False,
            )
        except subprocess.TimeoutExpired as hung:
            said = b"".join(part for part in (hung.stdout, hung.stderr) if isinstance(part, bytes))
            told = said.decode(errors="replace")
            raise AssertionError(f"{shlex.join(command)} hung; until then it said:\n{told}") from hung

    def start(self, *args: str | Path, display: bool = False) -> subprocess.Popen[str]:
        """Start it and let it run, with a pipe to each of its streams."""
        command, env = self._started(args, display)
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, env=env, stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8", errors="replace"
        )

    def _started(self, args: Sequence[str | Path], display: bool) -> tuple[list[str], dict[str, str]]:
        """The command and the variables of a run."""
        if "godot" in Path(self.argv[-1]).name.lower() and "--version" not in args:
            starts["games" if _EDITOR.isdisjoint(args) else "editors"] += 1
        env = {**environment(), **self.env}
        command = [*self.argv, *(self.on_screen if display else ()), *map(str, args)]
        # Windows and macOS draw on the real screen: they have no other kind.
        if display and sys.platform.startswith("linux"):
            env["DISPLAY"] = screen()
        return command, env


@dataclass(frozen=True)
class Recipe:
    """How to find one program."""

    names: tuple[str, ...]  # on the PATH
    oldest: Version
    below: Version  # the first that is too new
    binary: str
    packages: tuple[str, ...]  # Debian's
    suites: tuple[str, ...]  # to be tried in this order
    env: Mapping[str, str] = field(default_factory=dict)
    on_screen: tuple[str, ...] = ()
    folder: str = "usr/bin"  # of the binary, in the packages


RECIPES = {
    "godot": Recipe(
        names=("godot", "godot4"),
        oldest=(4, 3),
        below=(5, 0),
        binary="godot",
        packages=(
            "godot",
            # Xvfb and Mesa, which draws without a graphics card, are for screenshots.
            *("xvfb", "libgl1-mesa-dri", "libgl1", "libglx-mesa0", "libegl-mesa0"),
            # An exported game is a copy of the template; patchelf tells it where its libraries are.
            *("godot-template-release", "patchelf"),
        ),
        suites=("forky", "testing", "stable", "sid"),
        # A Vulkan driver of the machine's own, older Mesa would cut off the index of shaders that ours has mapped.
        env={"LIBGL_ALWAYS_SOFTWARE": "1", "VK_DRIVER_FILES": "none"},
        on_screen=("--rendering-driver", "opengl3", "--audio-driver", "Dummy"),
    ),
    "godot3": Recipe(
        names=("godot3-server", "godot3", "godot"),
        oldest=(3, 5),
        below=(4, 0),
        binary="godot3-server",
        packages=("godot3-server",),
        suites=("forky", "testing", "stable", "sid"),
    ),
    "tiled": Recipe(
        names=("tiled",),
        oldest=(1, 10),
        below=(2, 0),
        binary="tiled",
        packages=("tiled",),
        suites=("trixie", "testing", "stable", "sid"),
        env={"QT_QPA_PLATFORM": "offscreen"},
    ),
    "chromium": Recipe(
        names=("chromium", "chromium-browser", "google-chrome"),
        oldest=(120, 0),
        below=(1000, 0),
        binary="chromium-headless-shell",
        # Its own fonts, so that pages look the same on every machine.
        packages=("chromium-headless-shell", "fonts-dejavu-core", "fontconfig-config"),
        suites=("trixie", "stable", "testing", "sid"),
        folder="usr/lib/chromium",
    ),
}
RECIPES["tmxrasterizer"] = replace(  # it counts its versions for itself
    RECIPES["tiled"], names=("tmxrasterizer",), binary="tmxrasterizer", oldest=(1, 0)
)
RECIPES["godot_template"] = replace(
    RECIPES["godot"], names=("godot-template-release",), binary="godot-template-release"
)


def godot() -> Program:
    """Godot 4.3 or newer."""
    return _need("godot")


def godot_template() -> Path:
    """Godot's release export template for this machine, for ``custom_template/release``."""
    return Path(_need("godot_template").argv[-1])


def exported(game: Path, *, on_screen: bool = False) -> Program:
    """A game that was exported with the template. It is started by itself, not through a loader:
    it looks for its .pck beside the running file. On a screen, Mesa finds its libraries there too."""
    template = _need("godot_template")
    env = dict(template.env)
    if len(template.argv) > 1:
        tree = godot_template().parents[2]
        _settle(game, tree)
        if on_screen:
            env["LD_LIBRARY_PATH"] = str(_libraries(tree))
    return replace(template, argv=(str(game),), env=env)


def godot3() -> Program:
    """Godot 3.5 or 3.6, without a screen."""
    return _need("godot3")


def tiled() -> Program:
    """Tiled, without a screen."""
    return _need("tiled")


def tmxrasterizer() -> Program:
    """Tiled's program that draws a map into a picture."""
    return _need("tmxrasterizer")


def chromium() -> Program:
    """A browser without a screen; `tests.browser` drives it."""
    return _need("chromium")


def _need(name: str) -> Program:
    if refused:
        raise EngineMissing(refused)
    found = _find(name)
    if isinstance(found, EngineMissing):
        raise found
    return found


def at_hand(name: str) -> Program:
    """The machine's own program, as people use it; where the machine has none, the one that the tests use."""
    fallback = _need(name)
    return fallback if os.environ.get(name.upper()) else _on_path(RECIPES[name]) or fallback


@cache
def _find(name: str) -> Program | EngineMissing:
    """Look everywhere. A failure is a value, so that it is kept: it took long to find out."""
    recipe, variable = RECIPES[name], name.upper()
    try:
        if command := os.environ.get(variable):
            return _checked(_command(command), f"the variable {variable}", recipe)
        try:
            return _packaged(recipe)
        except (EngineMissing, OSError, subprocess.CalledProcessError):
            if own := _on_path(recipe):
                return own
            raise
    except (EngineMissing, OSError, subprocess.CalledProcessError) as error:
        return EngineMissing(
            f"{name} is missing: {error}. Set {variable} to the path of {name} "
            f"{recipe.oldest[0]}.{recipe.oldest[1]} or newer"
        )


def _packaged(recipe: Recipe) -> Program:
    """Debian's, which is the same on every machine."""
    tree = _debian_tree(recipe)
    origin = f"Debian's {(tree / 'suite').read_text()} in {tree}"
    return _checked(_launcher(tree, f"{recipe.folder}/{recipe.binary}"), origin, recipe, _places(tree))


def _on_path(recipe: Recipe) -> Program | None:
    """The machine's own, if it has one of a suitable version."""
    for path in filter(None, map(shutil.which, recipe.names)):
        try:
            return _checked((path,), "the PATH", recipe)
        except EngineMissing:
            continue  # another version under the same name
    return None


def _command(text: str) -> tuple[str, ...]:
    """A path, which may hold spaces, or a command with arguments."""
    return (text,) if Path(text).is_file() else tuple(shlex.split(text, posix=os.name == "posix"))


def _checked(
    argv: tuple[str, ...], origin: str, recipe: Recipe, places: Mapping[str, str] | None = None
) -> Program:
    """The program, if it runs and its version is suitable."""
    bare = Program(argv, {**recipe.env, **(places or {})})
    try:
        done = bare.run("--version")
    except (OSError, AssertionError) as error:
        raise EngineMissing(f"{origin} has {shlex.join(argv)}, but {error}") from error
    said = (done.stdout + done.stderr).strip()
    number = version_in(said)
    if number is None or not recipe.oldest <= number < recipe.below:
        wrong = said.splitlines()[0] if said else "nothing"
        raise EngineMissing(f"{origin} has {shlex.join(argv)}, which says {wrong!r} of itself")
    version = next(line for line in said.splitlines() if version_in(line))
    return Program(argv, bare.env, version, origin, recipe.on_screen)


def version_in(text: str) -> Version | None:
    """The first "4.6" in a program's answer to --version."""
    found = re.search(r"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else None


# --- the surroundings of a run


@cache
def _home() -> Path:
    """A home folder for this process alone: the programs keep settings and caches in it."""
    folder = tempfile.TemporaryDirectory(prefix="undercroft-", ignore_cleanup_errors=True)
    atexit.register(folder.cleanup)
    return Path(folder.name)


def environment() -> dict[str, str]:
    """The variables of this machine without those that lead to its screen, home and libraries."""
    foreign = {"DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "LD_LIBRARY_PATH"}
    env = {name: value for name, value in os.environ.items() if name not in foreign}
    home = str(_home())
    for name in ("HOME", "TMPDIR", "XDG_RUNTIME_DIR", "APPDATA", "LOCALAPPDATA"):
        env[name] = home
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        env[f"XDG_{name}_HOME"] = f"{home}/{name.lower()}"
    return env


@cache
def screen() -> str:
    """Start a virtual X screen that lives as long as this process; return its DISPLAY."""
    env, cwd, server = environment(), None, shutil.which("Xvfb")
    argv: tuple[str, ...] = (server,) if server else ()
    if not server:
        tree = _debian_tree(RECIPES["godot"])
        env, cwd = env | _places(tree), tree / "x11"
        argv = (*_launcher(tree, "x11/Xvfb"), "-xkbdir", str(tree / "usr/share/X11/xkb"))
    ours, theirs = os.pipe()
    log = _home() / "Xvfb.log"
    # It picks a free number itself and tells it, so that parallel runs do not clash, and it
    # ends with its last client, which is this process: even when this one is killed.
    options = ("-displayfd", str(theirs), "-terminate", "-nolisten", "tcp")
    size = ("-screen", "0", "1920x1200x24")
    with log.open("w") as out:
        process = subprocess.Popen(
            [*argv, *options, *size], env=env, cwd=cwd, pass_fds=(theirs,), stdout=out, stderr=out
        )
    os.close(theirs)
    with os.fdopen(ours, encoding="ascii") as answer:
        number = answer.readline().strip() if select.select([answer], [], [], HANG)[0] else ""
    if not number:
        process.kill()
        raise EngineMissing(f"no virtual screen: {_complaint(log.read_text(errors='replace'))}")
    client = socket.socket(socket.AF_UNIX)
    client.connect(f"/tmp/.X11-unix/X{number}")
    client.sendall(b"l\0\x0b" + bytes(9))  # the greeting: little endian, X11, no password
    client.recv(1)
    atexit.register(process.wait)
    atexit.register(client.close)  # called before the wait: last in, first out
    return f":{number}"


# --- Debian's packages


def cache_folder() -> Path:
    """Where the unpacked packages are kept between runs."""
    if chosen := os.environ.get("UNDERCROFT_ENGINES"):
        return Path(chosen).absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "undercroft-engines"


_CHILD = "usr/lib/chromium/child"


def _debian_tree(recipe: Recipe) -> Path:
    """The folder with a recipe's packages unpacked, made if it is not there yet."""
    mark = hashlib.sha256(" ".join(recipe.packages).encode()).hexdigest()[:8]
    tree = cache_folder() / f"{recipe.packages[0]}-{mark}"
    if tree.is_dir():
        return tree
    for tool in ("apt-get", "apt-config", "dpkg-deb"):
        if not shutil.which(tool):
            raise EngineMissing(f"not on the PATH, and without {tool} Debian's cannot be had")
    import fcntl  # Windows has none, and never comes here

    tree.parent.mkdir(parents=True, exist_ok=True)
    with tree.with_name(f"{tree.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        part = tree.with_name(f"{tree.name}.part")
        shutil.rmtree(part, ignore_errors=True)  # of a run that was killed
        if not tree.is_dir():  # another process may have made it meanwhile
            part.mkdir()
            try:
                _unpack(_download(part, recipe), part / "tree")
                (part / "tree").rename(tree)
            finally:
                shutil.rmtree(part, ignore_errors=True)
    return tree


def _download(part: Path, recipe: Recipe) -> Path:
    """Have apt fetch packages and what they depend on; return the folder apt worked in.

    apt checks the suite's signature, the index and each package, and solves dependencies.
    It gets a root folder of its own, in which no package is installed, so that it takes all
    of them and touches nothing of the machine's.
    """
    reason = "apt knows no mirror of Debian"
    mirrors = _mirrors(part / "state")
    for suite, mirror in itertools.product(recipe.suites, mirrors):
        root = _apt_root(part, f"{mirror} {suite} main")
        try:
            _apt(root, "update")
            _apt(root, "install", *recipe.packages)
        except subprocess.CalledProcessError as error:
            reason = f"apt says {_complaint(error.stderr)!r} of Debian's {suite}"
            continue
        (root / "suite").write_text(suite)
        return root
    raise EngineMissing(f"not on the PATH, and {reason}")


def _mirrors(state: Path) -> tuple[str, ...]:
    """The archives that the machine's apt is set up for, whatever its files look like."""
    (state / "lists/partial").mkdir(parents=True)
    command = ("apt-get", "-o", f"Dir::State={state}", "update", "--print-uris")
    return mirrors_in(subprocess.run(command, capture_output=True, text=True, check=False).stdout)


def mirrors_in(listing: str) -> tuple[str, ...]:
    """The archives in what ``apt-get update --print-uris`` prints, without the security ones."""
    found = re.findall(r"^'(\S+?)/dists/(\S+)/InRelease'", listing, re.MULTILINE)
    return tuple(dict.fromkeys(base for base, suite in found if "security" not in base + suite))


APT_FOLDERS = (
    "etc/apt/apt.conf.d",
    "etc/apt/preferences.d",
    "etc/apt/sources.list.d",
    "var/lib/apt/lists/partial",
    "var/lib/dpkg",
    "var/cache/apt/archives/partial",
    "var/log/apt",
)


def _apt_root(part: Path, source: str) -> Path:
    """A new, empty root folder for apt that keeps the machine's keys, proxies and passwords."""
    root = Path(tempfile.mkdtemp(dir=part))
    for folder in APT_FOLDERS:
        (root / folder).mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    keys = ",".join(map(str, sorted(Path("/usr/share/keyrings").glob("debian-archive-keyring.*"))))
    signed = f"[signed-by={keys}] " if keys else ""
    (root / "etc/apt/sources.list").write_text(f"deb {signed}{source}\n")
    # Only the machine's settings for downloads: its hooks would run against the real system.
    dump = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=True)
    settings = [line for line in dump.stdout.splitlines() if line.startswith("Acquire::")]
    settings += [
        f'Dir "{root}"; Dir::State::status "{root}/var/lib/dpkg/status";',
        'Dir::Etc::trusted "/etc/apt/trusted.gpg"; Dir::Etc::trustedparts "/etc/apt/trusted.gpg.d";',
        'Dir::Etc::netrc "/etc/apt/auth.conf"; Dir::Etc::netrcparts "/etc/apt/auth.conf.d";',
        'APT::Sandbox::User "root"; APT::Update::Error-Mode "any"; Acquire::Retries "2";',
        'APT::Install-Recommends "false"; APT::Get::Download-Only "true";',
        'APT::Get::Assume-Yes "true"; Acquire::Languages "none";',
    ]
    (root / "apt.conf").write_text("\n".join(settings) + "\n")
    return root


def _apt(root: Path, *args: str) -> None:
    env = {**os.environ, "APT_CONFIG": str(root / "apt.conf"), "LC_ALL": "C.UTF-8"}
    subprocess.run(["apt-get", *args], env=env, capture_output=True, text=True, check=True)


def _unpack(root: Path, tree: Path) -> None:
    """Unpack the packages and make them ready to be started in any place."""
    archives = sorted((root / "var/cache/apt/archives").glob("*.deb"))
    tree.mkdir()
    unpack = ("dpkg-deb", "--extract")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        done = pool.map(lambda deb: subprocess.run([*unpack, deb, tree], check=True), archives)
        list(done)  # raises what went wrong
    (root / "suite").rename(tree / "suite")
    # A program finds its own folder through the running file, which is the loader.
    for folder in filter(Path.is_dir, (tree / "usr/bin", tree / "usr/lib/chromium")):
        shutil.copy(next(tree.glob("usr/lib*/ld-linux*.so*")), folder / "ld.so")
    if (tree / "usr/bin/Xvfb").is_file():
        _make_x11(tree)
    if (tree / _CHILD).parent.is_dir():
        _make_child(tree)


def _make_x11(tree: Path) -> None:
    """Let Xvfb find its helper xkbcomp in the tree.

    The helper's folder, /usr/bin, is compiled into Xvfb. The copy looks in its working folder
    instead, whose name has to be as long, and finds a script there that starts the helper.
    """
    folder = tree / "x11"
    folder.mkdir()
    code = (tree / "usr/bin/Xvfb").read_bytes()
    (folder / "Xvfb").write_bytes(code.replace(b"\0/usr/bin\0", b"\0././././\0"))
    start = shlex.join(part.replace(str(tree), "..") for part in _launcher(tree, "usr/bin/xkbcomp"))
    (folder / "xkbcomp").write_text(f'#!/bin/sh\nexec {start} "$@"\n')
    (folder / "xkbcomp").chmod(0o755)


def _make_child(tree: Path) -> None:
    """A script for the processes that Chromium starts: it would start the running file, the loader."""
    binary = "usr/lib/chromium/chromium-headless-shell"
    start = " ".join(part.replace(str(tree), '"$tree"') for part in _launcher(tree, binary))
    (tree / _CHILD).write_text(f'#!/bin/sh\ntree=$(dirname "$0")/../../..\nexec {start} "$@"\n')
    (tree / _CHILD).chmod(0o755)


def _launcher(tree: Path, binary: str) -> tuple[str, ...]:
    """How to start a program of a tree with the tree's own C library and no other."""
    libraries = f"{_libraries(tree)}:{_libraries(tree) / 'pulseaudio'}"
    beside = (tree / binary).with_name("ld.so")
    loader = beside if beside.is_file() else tree / "usr/bin/ld.so"
    argv = (str(loader), "--inhibit-cache", "--library-path", libraries, str(tree / binary))
    child = tree / _CHILD
    return (*argv, "--no-zygote", f"--browser-subprocess-path={child}") if child.is_file() else argv


def _settle(binary: Path, tree: Path) -> None:
    """Have a program outside of a tree use the tree's loader and libraries.

    A library may name folders of the system for what it needs itself, and then is not looked
    for in the program's; so the program needs those by itself.
    """
    folders = [_libraries(tree), _libraries(tree) / "pulseaudio"]
    command = [*_launcher(tree, "usr/bin/patchelf"), "--set-interpreter", str(tree / "usr/bin/ld.so")]
    command += ["--force-rpath", "--set-rpath", ":".join(map(str, folders))]
    for library in folders[1].glob("*.so"):
        command += ["--add-needed", library.name]
    subprocess.run([*command, str(binary)], check=True)


def _libraries(tree: Path) -> Path:
    return next(tree.glob("usr/lib/*-linux-gnu*"))


def _places(tree: Path) -> dict[str, str]:
    """The variables that lead a tree's libraries to their plugins and data."""
    places = {
        "LIBGL_DRIVERS_PATH": str(_libraries(tree) / "dri"),
        "__EGL_VENDOR_LIBRARY_DIRS": str(tree / "usr/share/glvnd/egl_vendor.d"),
        "FONTCONFIG_PATH": str(tree / "etc/fonts"),
        # Kept for all processes and later runs: the first frame of an editor takes seconds to compile.
        "MESA_SHADER_CACHE_DIR": str(cache_folder() / "shaders"),
    }
    if (tree / _CHILD).is_file():
        places["FONTCONFIG_SYSROOT"] = str(tree)
        places["FONTCONFIG_PATH"] = "/etc/fonts"
    for plugins in _libraries(tree).glob("qt[56]/plugins"):
        places["QT_PLUGIN_PATH"] = str(plugins)
    return places


def _complaint(text: str) -> str:
    """The line to show of a log: apt's first complaint if there is one, else the last line."""
    lines = [line for line in text.splitlines() if line.strip()] or ["nothing"]
    return next((line[3:] for line in lines if line.startswith(("E: ", "W: "))), lines[-1])


def main(names: Sequence[str]) -> int:
    """Fetch the named programs, or all, and say what they are."""
    status = 0
    for name in names or RECIPES:
        try:
            program = _need(name)
            print(f"{name} {program.version}, from {program.origin}", flush=True)
        except KeyError:
            status = 1
            print(f"{name} is not one of: {', '.join(RECIPES)}", file=sys.stderr)
        except EngineMissing as error:
            status = 1
            print(error, file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
