"""What a run of the tests says at its end: where its time went, and which engines it lacked."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from tests.engines import EngineMissing

SLOWEST = 10
LACKED = "engine missing"  # the property of a report that says why there was no engine

_first: dict[str, str] = {}  # why an engine is missing, and the first test of this process that found out


def lacks(item: pytest.Item, missing: EngineMissing) -> None:
    """The first test that lacks an engine fails; those that lack the same one later are skipped, and counted.

    The run fails all the same: a missing program is never hidden, but it is one failure and not a thousand.
    """
    reason = str(missing)
    item.user_properties.append((LACKED, reason))
    if _first.setdefault(reason, item.nodeid) != item.nodeid:
        pytest.skip(f"as in {_first[reason]}: {reason}")


class Summary:
    """Counts what the reports of all processes tell; one for each run, in the process that prints."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.lacking: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid.partition("::")[0]] += report.duration
        for name, reason in report.user_properties:
            if name == LACKED and report.when == "teardown":
                if not self.lacking[str(reason)]:
                    self._say(f"\n{reason}\n")  # at once: nobody should wait for the end to learn it
                self.lacking[str(reason)] += 1

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
        if self.lacking:
            terminalreporter.write_sep("=", "engines are missing", red=True)
            for reason, number in self.lacking.items():
                tests = "1 test was" if number == 1 else f"{number} tests were"
                terminalreporter.write_line(f"{tests} not run: {reason}")
            terminalreporter.write_line(
                "`python tests/engines.py` fetches them, and says what it cannot fetch."
            )
