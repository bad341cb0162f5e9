"""What the tests of the exporters share."""

from __future__ import annotations

import pytest

from exporters.theme import Theme
from exporters.theme.loader import load_theme
from tests.exporters import small_theme


@pytest.fixture(scope="session")
def built_in() -> Theme:
    """The theme that ships with the package."""
    return load_theme()


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Theme:
    """A small theme in which every tile has another picture, half transparent ones among them."""
    return load_theme(small_theme.write(tmp_path_factory.mktemp("plain")))
