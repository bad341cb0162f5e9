from __future__ import annotations

from typing import Any

import pytest

from generator.seeds import MAX_SEED
from generator.styles.registry import _whole_seed, style


def read_as(found: Any) -> tuple[int, str | None]:
    """What comes of a style of another package that reads a seed as this."""
    return _whole_seed(style("isaac")._replace(read_seed=lambda _: found), "typed")


@pytest.mark.parametrize("found", [(0, None), (7, "typed"), (MAX_SEED, "")])
def test_a_seed_of_another_package_is_a_number_and_perhaps_the_text_to_keep(found: Any) -> None:
    assert read_as(found) == found


@pytest.mark.parametrize(
    "found", [(-1, None), (MAX_SEED + 1, None), (1.0, None), (True, None), (7, 5), ("7", None)]
)
def test_anything_else_is_refused_with_what_it_is(found: Any) -> None:
    with pytest.raises(ValueError, match="not a seed's number and its text or None"):
        read_as(found)
