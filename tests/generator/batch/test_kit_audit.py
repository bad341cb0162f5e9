from __future__ import annotations

from pathlib import Path

import pytest

from generator.batch import audit
from generator.kinds import read_kit
from generator.level import Level
from generator.pipeline import generate
from generator.spec import LevelSpec
from tests.generator.kits.base import GARDEN, write_kit


def test_levels_are_made_in_each_style_on_all_stages_with_usual_facts_and_the_greatest_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[str, int, int | None]] = []
    level = generate("isaac", 7, rooms=6)

    def noted(spec: LevelSpec, seed: int) -> Level:
        values = spec.to_dict()
        made.append((spec.style, values.get("stage", seed), values.get("state", {}).get("courage")))
        return level

    monkeypatch.setattr(audit, "generate", noted)
    assert audit.kit_audit(read_kit(write_kit(tmp_path, GARDEN))) == []
    for style, most in (("isaac", 12), ("rebirth", 12), ("gungeon", 4)):
        found = [(number, courage) for name, number, courage in made if name == style]
        assert found == [(number, 3 if number % 2 else 10) for number in range(1, most + 1)]
