from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import time
from array import array
from functools import partial
from pathlib import Path

import pytest

from generator.batch import many_seeds
from generator.compiled import loader
from generator.compiled.primitives import below, first_in, lower, stream_key, upper, with_id, word
from generator.rng import Stream, name_key
from generator.styles.isaac.spec import IsaacSpec
from tests.engines import HANG
from tests.generator.compiled import endless, failing, tiny_kernel
from tests.waiting import is_alive, until

pytestmark = pytest.mark.usefixtures("compiling")
SEEDS = (0, 1, 7, 2**63, 2**64 - 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_words_are_those_of_a_stream(seed: int) -> None:
    key = with_id(with_id(stream_key(seed, name_key("a.name")), 3), 40)
    stream = Stream(seed, "a.name", 3, 40)
    assert key == stream.key
    words = [stream.word() for _ in range(120)]
    assert [word(key, position) for position in range(120)] == words
    assert [upper(key, position) << 32 | lower(key, position) for position in range(120)] == words
    again = Stream(seed, "a.name", 3, 40)
    draws = [again.below(9) for _ in range(450)]
    assert [below(key, position, 9) for position in range(450)] == draws
    for number in range(9):
        wanted = bytearray(each == 9 - number for each in range(10))
        assert first_in(key, 5, 400, bytes(range(9, 0, -1)), wanted) == draws[5:405].index(number)
    assert first_in(key, 0, 300, bytes(9), bytearray(9)) == -1


def drawn(kernel: object) -> tuple[int, bytes, list[int]]:
    board, out = bytearray(9), array("q", [0] * 5)
    total = kernel.draw_many(array("Q", [*SEEDS, *range(40)]), name_key("tiny"), board, out)  # type: ignore[attr-defined]
    return total, bytes(board), list(out)


def test_a_damaged_kernel_is_compiled_again(own_cache: Path) -> None:
    """As after the power failed: files that are empty, cut short, or full of zeros."""
    assert drawn(loader.bulk(tiny_kernel, "tiny", pays=True)) == drawn(tiny_kernel)
    damage = (lambda text: b"", lambda text: text[:40], lambda text: bytes(len(text)))
    kept = sorted(own_cache.rglob("*.nb[ci]"))
    assert kept
    for number, path in enumerate(kept):
        path.write_bytes(damage[number // 2 % 3](path.read_bytes()))
    assert drawn(loader.bulk(tiny_kernel, "tiny", pays=True)) == drawn(tiny_kernel)
    assert all(path.read_bytes().strip(b"\0") for path in kept)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of caches with nothing in it, and a loader that has loaded nothing."""
    monkeypatch.setattr(loader, "_compiled", loader._compiled.__wrapped__)
    monkeypatch.setattr(loader, "_home", loader._home.__wrapped__)
    for name in ("_ready", "_begun", "_loaded", "_kept"):
        monkeypatch.setattr(loader, name, set())
    monkeypatch.setattr(loader, "_asked", {})
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setattr("generator.compiled.loader.user_folder", USER_FOLDER)
    return USER_FOLDER()


USER_FOLDER = loader.user_folder


def compile_tiny() -> None:
    loader.compile_here("tiny", lambda: drawn(loader.bulk(tiny_kernel, "tiny", pays=True)))


def statuses_of_ended(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The list that gets the status of each process beside when it ends."""
    statuses: list[int] = []

    def reap(pid: int) -> None:
        statuses.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))

    monkeypatch.setattr(loader, "_reap", reap)
    return statuses


def test_a_process_beside_compiles_while_the_work_goes_on(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "_compiles", False)
    monkeypatch.setattr(loader, "_AFTER", 0)
    statuses = statuses_of_ended(monkeypatch)
    assert loader.bulk(tiny_kernel, "tiny", pays=True) is tiny_kernel
    loader.compile_beside("tiny", compile_tiny)
    with monkeypatch.context() as patch:
        patch.setattr(loader, "_start", None)  # it has begun
        loader.compile_beside("tiny", compile_tiny)
    until(lambda: loader.is_ready("tiny"), "the kernels are never compiled")
    until(lambda: statuses, "its status stays")
    assert statuses == [0]
    assert not list(own_cache.rglob("*.failed"))
    assert list(own_cache.rglob("*.nbc"))
    assert stat.S_IMODE(own_cache.stat().st_mode) & 0o077 == 0
    compiled = loader.bulk(tiny_kernel, "tiny", pays=True)
    assert compiled is not tiny_kernel
    assert drawn(compiled) == drawn(tiny_kernel)
    assert sum(compiled.draw_many.stats.cache_hits.values()) == 1
    assert loader.bulk(tiny_kernel, "tiny", pays=False) is not tiny_kernel  # loaded already
    loader._ready.clear()
    shutil.rmtree(next(own_cache.rglob("*.nbc")).parents[1])
    assert not loader.is_ready("tiny")


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are looked for in /proc")
@pytest.mark.parametrize("is_killed", [False, True])
def test_it_ends_with_the_process_that_began_it(
    is_killed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = [sys.executable, "-m", endless.__name__, str(tmp_path / "pid")]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with subprocess.Popen(code, stdin=subprocess.PIPE) as process:
        assert process.stdin
        until((tmp_path / "pid").exists, "it does not begin")
        beside = int((tmp_path / "pid").read_text())
        lower = min(19, os.getpriority(os.PRIO_PROCESS, 0) + loader._NICE)
        assert is_alive(beside) and os.getpriority(os.PRIO_PROCESS, beside) >= lower
        if is_killed:
            process.kill()
        else:
            process.stdin.close()
        process.wait(HANG)
    until(lambda: not is_alive(beside), "it goes on")
    assert not list(tmp_path.rglob("*.failed")), "the next one does not go on at once"


@pytest.mark.usefixtures("own_cache")
def test_a_damaged_note_counts_as_none() -> None:
    home = loader._home()
    assert home
    (home / "tiny").write_bytes(b"\xff\0")
    assert not loader.is_ready("tiny")


@pytest.fixture
def begun(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is compiled beside, by work that has lasted long enough."""
    works: list[object] = []
    monkeypatch.setattr(loader, "_start", lambda work, _home: works.append(work))
    monkeypatch.setattr(loader, "_compiles", False)
    monkeypatch.setattr(loader, "_AFTER", 0)
    return works


def test_what_has_failed_is_tried_again_later(begun: list[object]) -> None:
    home = loader._home()
    assert home
    for age, times in ((0, 0), (loader._PATIENCE / 2, 0), (loader._PATIENCE + 60, 1)):
        (home / "tiny.failed").touch()
        os.utime(home / "tiny.failed", (time.time() - age,) * 2)
        loader._begun.clear()
        loader.compile_beside("tiny", compile_tiny)
        assert len(begun) == times


@pytest.mark.skipif(not hasattr(os, "fork"), reason="elsewhere nobody learns of the status")
@pytest.mark.usefixtures("own_cache")
def test_what_fails_in_any_way_is_not_tried_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "_compiles", False)
    monkeypatch.setattr(loader, "_AFTER", 0)
    statuses = statuses_of_ended(monkeypatch)
    for number, (work, status) in enumerate(failing.WAYS.items()):
        loader.compile_beside(work.__name__, partial(failing.begin, number))
        until(lambda: len(statuses) > number, "it goes on")  # noqa: B023 - called at once
        assert statuses[number] == status
    loader._begun.clear()
    monkeypatch.setattr(loader, "_start", None)  # nothing may begin again
    for number, work in enumerate(failing.WAYS):
        loader.compile_beside(work.__name__, partial(failing.begin, number))


def test_nothing_is_compiled_beside_where_it_is_of_no_use(
    begun: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def starts(**changed: object) -> bool:
        with monkeypatch.context() as patch:
            for name, value in changed.items():
                if name.startswith("_"):
                    patch.setattr(loader, name, value)
                else:
                    patch.setenv(name, str(value))
            before = len(begun)
            loader.compile_beside("tiny", compile_tiny)
            loader._begun.clear()
            return len(begun) > before

    assert not starts(_AFTER=60), "in work that is done soon"
    assert not starts(CI="true") and not starts(CI="1")
    assert not starts(UNDERCROFT_FAST="0")
    assert not starts(_compiles=True), "where it is compiled at once"
    assert starts() and starts(CI="true", UNDERCROFT_FAST="1")


def test_one_call_that_lasts_begins_at_once(begun: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    """As the floorplans of very many seeds, which are asked for once, do."""
    monkeypatch.setattr(loader, "_AFTER", 60)
    monkeypatch.setattr(many_seeds, "many_at_once", lambda spec, seeds: seeds)
    few = IsaacSpec.few
    for seeds, times in ((few, 0), (5 * few, 1)):
        many_seeds.floorplans("isaac", range(seeds))
        assert len(begun) == times


def test_what_is_compiled_at_once_is_ready_from_then_on(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "_compiles", False)
    loader.compile_now("tiny", lambda: drawn(loader.bulk(tiny_kernel, "tiny", pays=True)))
    assert loader.is_ready("tiny") and list(own_cache.rglob("*.nbc"))


def test_while_compiled_code_runs_other_threads_go_on(own_cache: Path) -> None:
    assert loader.bulk(tiny_kernel, "tiny", pays=True).draw_many.targetoptions["nogil"]


def test_few_seeds_compile_nothing() -> None:
    assert loader.bulk(tiny_kernel, "isaac", pays=False) is tiny_kernel


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(loader.SWITCH, "0")
    assert loader.bulk(tiny_kernel, "tiny", pays=True) is tiny_kernel


def test_without_numba_the_module_itself_does_the_work() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from generator.compiled import loader\n"
        "from tests.generator.compiled import tiny_kernel\n"
        "assert loader.bulk(tiny_kernel, 'tiny', pays=True) is tiny_kernel"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_change_of_the_sources_or_their_constants_changes_the_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = loader._digest([tiny_kernel])
    monkeypatch.setattr(tiny_kernel, "STEPS", (1, 1, -3, 3))
    assert loader._digest([tiny_kernel]) != before


def test_only_the_latest_folders_are_kept(own_cache: Path) -> None:
    from generator.compiled.loader import folder

    for number in range(18):
        place = folder(f"digest{number}")
        os.utime(place, (number, number))
    folder("digest17")
    assert sorted(each.name for each in own_cache.iterdir()) == sorted(f"digest{n}" for n in range(6, 18))


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="of other systems' cache folders")
def test_a_relative_cache_folder_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    assert USER_FOLDER() == tmp_path / ".cache" / "undercroft" / "kernels"


def test_a_folder_that_others_may_write_to_is_not_used(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_cache.mkdir(parents=True)
    own_cache.chmod(0o777)
    monkeypatch.setattr(loader, "_start", None)
    monkeypatch.setattr(loader, "_compiles", False)
    monkeypatch.setattr(loader, "_AFTER", 0)
    loader.compile_beside("tiny", compile_tiny)
    assert not loader.is_ready("tiny")
    assert loader.bulk(tiny_kernel, "tiny", pays=True) is tiny_kernel
    assert not list(own_cache.iterdir())
