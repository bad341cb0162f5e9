"""What the tests of the generator share."""

from __future__ import annotations

import pytest

from generator.batch import audit as kit_audit


@pytest.fixture
def few_of_a_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check of a kit makes a level in each style, for tests of what its rows and files are told."""
    monkeypatch.setattr(kit_audit, "_STAGES", (3,))
    monkeypatch.setattr(kit_audit, "_HEAPS", 1)
