"""What the tests of the generator share."""

from __future__ import annotations

import pytest

from generator.batch import audit


@pytest.fixture
def few_of_a_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check of a kit makes a level in each style, for tests of what its rows and files are told."""
    monkeypatch.setattr(audit, "_STAGES", (3,))
    monkeypatch.setattr(audit, "_HEAPS", 1)
