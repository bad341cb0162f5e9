"""Many short cases in one test, which names all that fail. pytest takes some ms for each test that it collects and runs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from itertools import product

import pytest


def for_each(**factors: Iterable[object]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Make a test of a function: it is called with each combination of values, by name."""
    lists = [list(values) for values in factors.values()]

    def made(check: Callable[..., None]) -> Callable[[], None]:
        @functools.wraps(check)
        def test() -> None:
            failed: list[tuple[dict[str, object], BaseException]] = []
            for combination in product(*lists):
                case = dict(zip(factors, combination, strict=True))
                try:
                    check(**case)
                except (Exception, pytest.fail.Exception) as error:
                    failed.append((case, error))
            if failed:
                told = ((case, type(error).__name__, str(error).partition("\n")[0]) for case, error in failed)
                raise AssertionError(
                    "\n".join(f"{case}: {kind}: {text}" for case, kind, text in told)
                ) from failed[0][1]

        test.__signature__ = inspect.Signature()  # type: ignore[attr-defined]  # pytest: no fixtures
        return test

    assert all(lists), "a list of cases is empty"
    return made
