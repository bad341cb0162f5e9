from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from generator.batch.run import workers
from generator.cli import main
from generator.garbage import no_collections

USUAL = (700, 10, 10)


@pytest.fixture(autouse=True)
def usual_threshold() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(*USUAL)
    yield
    gc.set_threshold(*before)


def threshold(_: object = None) -> tuple[int, int, int]:
    return gc.get_threshold()


def told(monkeypatch: pytest.MonkeyPatch) -> tuple[int, int, int]:
    """The threshold while a command works."""
    found = []
    monkeypatch.setattr("generator.batch.audit.audit_block", lambda task: found.append(threshold()))
    CliRunner().invoke(main, ["audit", "isaac", "--seeds", "0:3", "--jobs", "1"])
    return found[0]


def test_it_comes_rarely_while_a_command_works_and_as_before_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert told(monkeypatch)[0] > 10 * USUAL[0]
    assert threshold() == USUAL


@pytest.mark.parametrize("own", [(0, 10, 10), (10**6, 10, 10)])
def test_what_somebody_else_has_set_stays(monkeypatch: pytest.MonkeyPatch, own: tuple[int, int, int]) -> None:
    gc.set_threshold(*own)
    assert told(monkeypatch) == own


def test_it_comes_rarely_in_workers_as_long_as_they_live() -> None:
    with workers(2) as (executor, _):
        assert executor
        assert all(number > 10 * USUAL[0] for number, _, _ in executor.map(threshold, range(4)))


@pytest.mark.parametrize("was_on", [True, False])
def test_it_is_off_for_a_while_and_then_as_it_was(was_on: bool) -> None:
    before = gc.isenabled()
    (gc.enable if was_on else gc.disable)()
    try:
        with pytest.raises(ZeroDivisionError), no_collections():
            assert not gc.isenabled()
            raise ZeroDivisionError
        assert gc.isenabled() == was_on
    finally:
        (gc.enable if before else gc.disable)()
