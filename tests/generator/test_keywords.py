"""The types of specs' values as keywords: those that the specs declare."""

from __future__ import annotations

import dataclasses

import pytest

from generator.keywords import SpecKeywords
from generator.styles.registry import BUILT_IN, style
from tests import keywords


def test_the_module_is_what_the_specs_declare() -> None:
    assert keywords.FILE.read_text("utf-8") == keywords.text(), "python -m tests.keywords writes it"


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_value_of_a_style_is_there(name: str) -> None:
    assert {field.name for field in dataclasses.fields(style(name).spec)} <= set(SpecKeywords.__annotations__)
