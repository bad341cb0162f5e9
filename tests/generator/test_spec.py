"""Specs: one definition for validation, TOML and description."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import IsaacSpec, SpecError, State, generate, load_spec
from generator.errors import KitError
from generator.seeds import read_seed
from generator.spec import all_keys, describe, parse_spec, preset_names, preset_text, spec_from_dict
from generator.styles.registry import BUILT_IN
from generator.styles.registry import style as style_of


@pytest.mark.parametrize("name", preset_names())
def test_presets_are_specs_and_tell_what_they_are(name: str) -> None:
    assert preset_text(name).startswith("# ")
    spec = load_spec(name)
    assert spec_from_dict(spec.to_dict()) == spec


@pytest.mark.parametrize("style", [style_of(name).spec for name in BUILT_IN], ids=lambda style: style.style)
def test_a_description_says_everything(style: Any) -> None:
    rows = describe(style)
    json.dumps(rows)
    assert [row["key"] for row in rows] == list(all_keys(style))
    defaults = style().to_dict()
    for row in rows:
        assert row["help"] and {"type", "default", "unit"} <= set(row)
        value = defaults
        for part in row["key"].split("."):
            value = value[part]
        assert value == row["default"]
        if row["type"] == "integer":
            assert row["low"] <= row["default"] <= row["high"] or row["default"] == row["off"]
        if "choices" in row:
            assert row["default"] in row["choices"]


def test_what_every_tool_may_count_on_is_there() -> None:
    keys = set(all_keys(IsaacSpec))
    assert {
        "stage",
        "curse",
        "hard",
        "stage_variant",
        "layouts",
        "room_size",
        "door_width",
        "state.coins",
    } <= keys
    assert IsaacSpec().curse == "none" and IsaacSpec().stage == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("style = 'labyrinth'", r"x: style: 'labyrinth' is a preset, not a style; use its name"),
        ("style = 'isaak'", r"x: style: 'isaak' is not installed; did you mean isaac"),
        ("", r"x: style: is missing; choose one of isaac"),
        ("style = 'isaac'\nstage = 13", r"x: stage: 13 is out of range \(1 to 12\)"),
        ("style = 'isaac'\nstage = true", r"x: stage: True is not of type integer"),
        ("style = 'isaac'\nstage = 1.0", r"x: stage: 1.0 is not of type integer"),
        ("style = 'isaac'\nstaeg = 1", r"x: staeg: unknown key; did you mean stage\?"),
        ("style = 'rebirth'\nplan.locks = 1", "x: plan: unknown key; floors of rebirth are the game's own"),
        (
            "style = 'gungeon'\nplan.locks = 1",
            "x: plan: unknown key; in gungeon, a flow plans locks and keys",
        ),
        (
            "style = 'isaac'\ncurse = 'maize'",
            r"x: curse: 'maize' is not one of the choices; choose one of none, labyrinth",
        ),
        (
            "style = 'isaac'\n[state]\ncoin = 1",
            r"x: state.coin: unknown key; did you mean state.coins\?",
        ),
        ("style = 'isaac'\nstate = 3", r"x: state: 3 is not a table"),
        ("style = 'isaac'\n[state]\ncoins = -1", r"x: state.coins: -1 is out of range \(0 to 999\)"),
        (
            "style = 'isaac'\nroom_size = [15]",
            r"x: room_size: \[15\] is not a list of 2 whole numbers; give",
        ),
        ("style = 'isaac'\nroom_size = [14, 9]", r"x: room_size: 14 is even; give 9 to 63, odd"),
        ("style = 'isaac'\ndoor_width = 2", r"x: door_width: 2 is even; give 1 to 5, odd"),
        (
            "style = 'isaac'\nrooms = 3",
            r"x: rooms: 3 is out of range \(0, or 5 to 40\)",
        ),
        ("style = ", r"x: is not TOML: "),
        (
            "style = 'isaac'\nstage = 1\nstage = 2",
            r"x: stage: is given twice, again in line 3; keep one of the two$",
        ),
        (
            "style = 'isaac'\n[state]\ncoins = 1\ncoins = [\n2]",
            r"x: state.coins: is given twice, again in line 5; ",
        ),
        ("style = 'isaac'\n[state]\n[state]", r"x: state: is given twice, again in line 3; "),
        ("style = 'isaac'\nstate = 3\n[[state]]", r"x: state: is given twice, again in line 3; "),
        ("style = 'isaac'\nstate = 3\nstate.coins = 2", r"x: state.coins: is given twice, again in line 3; "),
        ("[a.b]\n[a]\nb = 3", r"x: a.b: is given twice, again in line 3; "),
        ("a" * 5000, r"x: is not TOML: "),
        ("a = " + "[" * 5000, r"x: lists or tables are nested too deeply; "),
        ("a = " + "9" * 5000, r"x: a number has thousands of digits; "),
        ("style = 'isaac'\nstage = 0x" + "f" * 9000, r"x: stage: a huge int is out of range"),
    ],
)
def test_bad_specs_get_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(SpecError, match=f"^{message}") as caught:
        parse_spec(text, "x")
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*all_keys(IsaacSpec), "state", "style", "x"]), JSON, max_size=5))
def test_any_table_is_a_spec_or_a_spec_error(table: dict[str, Any]) -> None:
    try:
        spec = spec_from_dict({"style": "isaac", **table})
    except (SpecError, KitError) as error:  # a kit of any name
        assert "\n" not in str(error)
    else:
        assert spec_from_dict(spec.to_dict()) == spec


def test_replace_takes_dotted_keys() -> None:
    spec = IsaacSpec().replace({"state.coins": 7, "stage": 2})
    assert (spec.state.coins, spec.stage, spec.state.keys) == (7, 2, 0)
    with pytest.raises(SpecError, match=r"stats.coins: unknown key"):
        IsaacSpec().replace({"stats.coins": 7})


def test_full_health_counts_soul_hearts() -> None:
    assert State().full_health
    assert not State(red_hearts=3).full_health
    assert State(red_hearts=3, soul_hearts=3).full_health


def test_files(tmp_path: Path) -> None:
    good = tmp_path / "mine.toml"
    good.write_text("style = 'isaac'\nstage = 4\n", "utf-8")
    spec = load_spec(good)
    assert isinstance(spec, IsaacSpec) and spec.stage == 4
    (tmp_path / "latin.toml").write_bytes(b"style = '\xe4'")
    (tmp_path / "large.toml").write_bytes(b"#" * (2 << 20))
    for name, message in (
        ("none.toml", "cannot be read: No such file"),
        ("latin.toml", "is not UTF-8 at byte 9"),
        ("large.toml", "is larger than"),
    ):
        with pytest.raises(SpecError, match=re.escape(str(tmp_path / name)) + f": {message}"):
            load_spec(tmp_path / name)
    os.mkfifo(tmp_path / "pipe.toml")  # opening it would wait for ever
    with pytest.raises(SpecError, match="is not a file"):
        load_spec(tmp_path / "pipe.toml")
    with pytest.raises(SpecError, match=r"'isac' is neither a preset nor a TOML file; did you mean isaac\?"):
        load_spec("isac")


@pytest.mark.parametrize("seed", ["", " ", "a\nb", "x" * 300, -1, 2**64, "-5", str(2**64), True, 7.5])
def test_bad_seeds(seed: Any) -> None:
    with pytest.raises(SpecError, match=r"^seed: "):
        read_seed(seed)


def test_a_text_that_is_a_number_is_that_number() -> None:
    assert read_seed("7") == read_seed(7) == (7, None)
    number, text = read_seed("seven")
    assert text == "seven" and number == read_seed("seven")[0] != read_seed("Seven")[0]
    assert generate("isaac", "seven").seed == number
