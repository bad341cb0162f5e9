from __future__ import annotations

import os
import stat
import subprocess
import sys
from array import array
from pathlib import Path

import pytest

from generator.compiled import loader
from generator.compiled.primitives import below, first_in, lower, stream_key, upper, with_id, word
from generator.rng import Stream, name_key
from tests.generator.compiled import tiny_kernel

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
    assert drawn(loader.bulk(tiny_kernel, 10**6)) == drawn(tiny_kernel)
    damage = (lambda text: b"", lambda text: text[:40], lambda text: bytes(len(text)))
    kept = sorted(own_cache.rglob("*.nb[ci]"))
    assert kept
    for number, path in enumerate(kept):
        path.write_bytes(damage[number // 2 % 3](path.read_bytes()))
    assert drawn(loader.bulk(tiny_kernel, 10**6)) == drawn(tiny_kernel)
    assert all(path.read_bytes().strip(b"\0") for path in kept)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of caches with nothing in it, and a loader that has loaded nothing."""
    monkeypatch.setattr(loader, "_compiled", loader._compiled.__wrapped__)
    monkeypatch.setattr("generator.compiled.loader.user_folder", lambda: tmp_path / "kernels")
    return tmp_path / "kernels"


def test_compiled_and_interpreted_are_the_same_and_what_was_compiled_is_kept(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(loader, "_tell", told.append)
    compiled = loader.bulk(tiny_kernel, 10**6)
    assert compiled is not tiny_kernel
    assert drawn(compiled) == drawn(tiny_kernel)
    assert list(own_cache.rglob("*.nbc"))
    assert stat.S_IMODE(own_cache.stat().st_mode) & 0o077 == 0
    assert told == [loader._NEWS]
    again = loader.bulk(tiny_kernel, 10**6)
    assert drawn(again) == drawn(tiny_kernel)
    assert sum(again.draw_many.stats.cache_hits.values()) == 1
    assert told == [loader._NEWS]  # not when they are loaded
    for kept in own_cache.rglob("*.nbc"):
        kept.unlink()  # a folder that is filled in part
    drawn(loader.bulk(tiny_kernel, 10**6))
    assert len(told) > 1


def test_what_workers_need_is_compiled_once_for_the_same_sources(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    for name in ("one", "two", "one"):
        loader.compile_ahead(name, lambda name=name: done.append(name))  # type: ignore[misc]
    assert done == ["one", "two"]
    monkeypatch.setattr(loader, "_versions", lambda: ["another numba"])
    loader.compile_ahead("one", lambda: done.append("again"))
    assert done[2:] == ["again"]
    monkeypatch.setenv(loader.SWITCH, "0")
    loader.compile_ahead("three", done.clear)
    assert done


def test_while_compiled_code_runs_other_threads_go_on(own_cache: Path) -> None:
    assert loader.bulk(tiny_kernel, 10**6).draw_many.targetoptions["nogil"]


def test_few_seeds_compile_nothing() -> None:
    assert loader.bulk(tiny_kernel, loader.FEW - 1) is tiny_kernel


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(loader.SWITCH, "0")
    assert loader.bulk(tiny_kernel, 10**6) is tiny_kernel


def test_without_numba_the_module_itself_does_the_work() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from generator.compiled import loader\n"
        "from tests.generator.compiled import tiny_kernel\n"
        "assert loader.bulk(tiny_kernel, 10**6) is tiny_kernel"
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

    for number in range(9):
        place = folder(f"digest{number}")
        os.utime(place, (number, number))
    folder("digest8")
    assert sorted(each.name for each in own_cache.iterdir()) == [f"digest{n}" for n in range(3, 9)]


def test_a_folder_that_others_may_write_to_is_not_used(own_cache: Path) -> None:
    from generator.compiled.loader import folder

    own_cache.mkdir()
    own_cache.chmod(0o777)
    place = folder("digest")
    assert not place.is_relative_to(own_cache)
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    place.rmdir()
