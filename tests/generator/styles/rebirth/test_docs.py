"""`docs/rebirth.md` names values of the spec where the style has a choice."""

from __future__ import annotations

import re
from pathlib import Path

from generator.spec import all_keys
from generator.styles.rebirth.spec import RebirthSpec

TEXT = (Path(__file__).parents[4] / "docs" / "rebirth.md").read_text("utf-8")


def test_the_choices_are_values_of_the_spec() -> None:
    choices = re.findall(r"^- `(\w+)`:", TEXT, re.MULTILINE)
    assert len(choices) >= 4 and set(choices) <= set(all_keys(RebirthSpec))
