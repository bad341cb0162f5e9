"""Settings of all tests: which need a real program, which are run when asked for, and what one failure costs."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from generator.compiled import loader
from generator.garbage import collect_rarely
from tests import engines, godot_server
from tests.needs import needs_engine
from tests.summary import Summary, lacks, note_order, tell_starts

# A test measures no time: a busy machine must not fail it, nor Hypothesis' own checks (`_settle_examples`).
# Without `--soak`, equal sources draw equal examples, so that a run that passed passes again.
settings.register_profile("undercroft", deadline=None, derandomize=True, database=None)
settings.register_profile("soak", deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("soak" if _is_soak(config) else "undercroft")
    if not hasattr(config, "workerinput"):  # the process that prints
        config.pluginmanager.register(Summary(config))
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        _compile_once(config)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Modules and tests stay until the end, so Python need not look again and again for what is no longer used."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        collect_rarely()


def _compile_once(config: pytest.Config) -> None:
    """Let the programs that tests start share what Python compiles; the checkout stays without it."""
    folder = tempfile.mkdtemp(prefix="undercroft-compiled-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ["PYTHONPYCACHEPREFIX"] = folder


FEW = 3


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three processes, so that two cores work while one of them waits for a program.

    For a few files this one alone: starting others would take longer than most files.
    """
    files = {word.partition("::")[0] for word in config.args}
    return 0 if len(files) <= FEW and all(file.endswith(".py") for file in files) else 3


@pytest.fixture(scope="session", autouse=True)
def quick_commands() -> Iterator[None]:
    """A command starts worker processes and compiles kernels only where a test asks for it: see `compiling`.

    What it makes is the same. Two processes take a second to start, and the kernels ten to be compiled. No file is
    flushed to the disk, for which commands in this process would wait; what is flushed, and when, has its own tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("generator.batch.run.cores", lambda: 1)
        patch.setattr(os, "fsync", lambda _descriptor: None)
        patch.setenv("UNDERCROFT_FAST", "0")
        yield


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Kernels are compiled, as they are for people who have numba, but at once."""
    monkeypatch.delenv("UNDERCROFT_FAST")
    with loader.compiling():
        yield


def _is_soak(config: pytest.Config) -> bool:
    return config.option.soak or "soak" in config.option.markexpr


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the long sweeps over many seeds too")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what runs Godot, Tiled or Chromium, itself or through its fixtures, and what stays in one process."""
    if not isinstance(item, pytest.Function):
        return
    if needs_engine(item):
        item.add_marker("engine")
    if _shares_in_its_module(item) and not item.get_closest_marker("xdist_group"):
        item.add_marker(pytest.mark.xdist_group(item.path.stem))


def _shares_in_its_module(item: pytest.Function) -> bool:
    """Whether a test asks for a fixture of its module, which each process would make anew."""
    found = item._fixtureinfo.name2fixturedefs.values()
    return any(each.scope == "module" for fixtures in found for each in fixtures)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let the long tests begin, so that no process waits for the other's at the end; leave out what is for `--soak`."""
    items.sort(key=_turn)
    for function in {
        getattr(item.obj, "__func__", item.obj) for item in items if isinstance(item, pytest.Function)
    }:
        _settle_examples(function, _is_soak(config))
    if not _is_soak(config):
        _leave_out_sweeps(config, items)


def pytest_collection_finish(session: pytest.Session) -> None:
    note_order(session.items)


def _turn(item: pytest.Item) -> int:
    """Engines first, then the tests of the whole project, which start programs too; the short ones fill the end."""
    if item.get_closest_marker("engine"):
        return 0
    return 1 if item.path.parent == Path(__file__).parent else 2


def _settle_examples(function: Any, is_soak: bool) -> None:
    """Try a twelfth of a property's examples where time is short, however long each takes to make."""
    given = getattr(function, "_hypothesis_internal_use_settings", None)
    if given is not None:
        examples = given.max_examples if is_soak else max(6, given.max_examples // 12)
        passed_over = {*given.suppress_health_check, HealthCheck.too_slow}
        made = settings(given, max_examples=examples, suppress_health_check=[*passed_over])
        function._hypothesis_internal_use_settings = made


def _leave_out_sweeps(config: pytest.Config, items: list[pytest.Item]) -> None:
    long = [item for item in items if item.get_closest_marker("soak")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """A test that bears no marker `engine` gets no engine: `-m "not engine"` must not need one."""
    marked = item.get_closest_marker("engine")
    engines.refused = "" if marked else f"{item.nodeid} needs the marker `engine` to run one"
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """What lacks an engine is told once; see `tests.summary`."""
    try:
        return (yield)
    except engines.EngineMissing as missing:
        lacks(item, missing)
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """What a Godot that stayed up says at its end is the last test's error; the starts of a test are told."""
    try:
        return (yield)
    finally:
        tell_starts(item)
        if nextitem is None:
            godot_server.stop()


_FAILED: list[tuple[BaseException, str]] = []  # what went wrong in a setup, and in whose


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """A fixture that many tests share and that fails is one failure, not one for each of them.

    pytest raises the very same exception again for whoever asks for the fixture later.
    """
    try:
        return (yield)
    except engines.EngineMissing as missing:
        lacks(item, missing)
        raise
    except (Exception, pytest.fail.Exception) as error:
        for known, first in _FAILED:
            if known is error:
                pytest.skip(f"what it shares with {first} failed there")
        _FAILED.append((error, item.nodeid))
        raise
