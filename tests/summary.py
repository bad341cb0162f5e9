"""What a run of the tests says at its end: where its time went, how often Godot was started, which engines it lacked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby

import pytest

from tests import engines
from tests.engines import EngineMissing

SLOWEST = 10
# The most starts of Godot, as a game and as an editor, of a folder's tests: what is asked twice starts it twice.
MAX = {"tests/godot_addon": {"games": 65, "editors": 11}}
STARTED = "starts of Godot"  # the property of a report that counts them
APART = "tests of a file stood apart"  # the property of a report that says so
LACKED = "engine missing"  # the property of a report that says why there was no engine

_stand_apart = False  # the tests of a file, in this process
_first: dict[str, str] = {}  # why an engine is missing, and the first test of this process that found out


def lacks(item: pytest.Item, missing: EngineMissing) -> None:
    """The first test that lacks an engine fails; those that lack the same one later are skipped, and counted.

    The run fails all the same: a missing program is never hidden, but it is one failure and not a thousand.
    """
    reason = str(missing)
    item.user_properties.append((LACKED, reason))
    if _first.setdefault(reason, item.nodeid) != item.nodeid:
        pytest.skip(f"as in {_first[reason]}: {reason}")


def note_order(items: Iterable[pytest.Item]) -> None:
    """Note whether the tests of a file stand apart, as in a random order: what they share is then made again.

    Those that need no engine come later anyway.
    """
    global _stand_apart  # noqa: PLW0603
    places = [(item.nodeid.partition("::")[0], bool(item.get_closest_marker("engine"))) for item in items]
    blocks = [place for place, _ in groupby(places) if place[0].startswith(tuple(MAX))]
    _stand_apart = len(blocks) > len(set(blocks))


def tell_starts(item: pytest.Item) -> None:
    """Note how often a test and its fixtures have started Godot."""
    if engines.starts:
        item.user_properties.append((STARTED, dict(engines.starts)))
        engines.starts.clear()
        if _stand_apart:
            item.user_properties.append((APART, True))


class Summary:
    """Counts what the reports of all processes tell; one for each run, in the process that prints."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.lacking: Counter[str] = Counter()
        self.stand_apart = False
        self.starts: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.partition("::")[0]
        self.seconds[file] += report.duration
        for name, reason in report.user_properties:
            if name == STARTED and report.when == "teardown":
                self.starts[file].update(reason)
            self.stand_apart |= name == APART
            if name == LACKED and report.when == "teardown":
                if not self.lacking[str(reason)]:
                    self._say(f"\n{reason}\n")  # at once: nobody should wait for the end to learn it
                self.lacking[str(reason)] += 1

    def _too_many(self) -> Iterator[str]:
        """The folders whose tests have started Godot too often, and the files that did it most."""
        for folder, most in MAX.items():
            inside = {file: starts for file, starts in self.starts.items() if file.startswith(f"{folder}/")}
            for kind, number in most.items():
                found = sum(starts[kind] for starts in inside.values())
                if found > number:
                    first = sorted(inside, key=lambda file: -inside[file][kind])[:3]
                    told = ", ".join(f"{inside[file][kind]} in {file}" for file in first)
                    yield f"{folder}: {found} starts of Godot as {kind}, not {number} at most: {told}"

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A run in the usual order fails that has started Godot too often."""
        is_soak = self.config.option.soak or "soak" in self.config.option.markexpr
        if not (is_soak or self.stand_apart) and not session.exitstatus and any(self._too_many()):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _say(self, text: str) -> None:
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if terminal:
            terminal.write(text, red=True)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """The slowest test files, and the engines that are missing, each with the number of its tests."""
        slowest = sorted(self.seconds.items(), key=lambda row: -row[1])[:SLOWEST]
        if len(self.seconds) > SLOWEST:
            terminalreporter.write_sep("=", f"the {SLOWEST} slowest of {len(self.seconds)} test files")
            for file, seconds in slowest:
                terminalreporter.write_line(f"{seconds:7.1f} s  {file}")
        if self.starts:
            all_starts = sum(self.starts.values(), Counter())
            told = " and ".join(f"{number} times as {kind}" for kind, number in sorted(all_starts.items()))
            terminalreporter.write_line(f"Godot was started {told}")
        for line in self._too_many():
            note = f" (no failure: {APART})" if self.stand_apart else ""
            terminalreporter.write_line(f"{line}{note}", red=not note)
        if self.lacking:
            terminalreporter.write_sep("=", "engines are missing", red=True)
            for reason, number in self.lacking.items():
                tests = "1 test was" if number == 1 else f"{number} tests were"
                terminalreporter.write_line(f"{tests} not run: {reason}")
            terminalreporter.write_line(
                "`python tests/engines.py` fetches them, and says what it cannot fetch."
            )
