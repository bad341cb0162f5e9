"""Kits at random: each is refused in one line, or makes levels that can be checked and read again."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import generator
from generator.batch.audit import kit_audit, pitch_of, styles_of
from generator.errors import BadInput, UndercroftError
from generator.kinds import read_kit, shipped_kit
from generator.kinds.all_tables import RULE_TABLES
from generator.kinds.kind_tables import KIND_TABLES
from generator.kinds.kit_problems import kit_problems
from generator.kinds.settings import NUMBER_TABLES, SETTING_TABLES
from generator.level_file import level_from_dict
from generator.styles.rebirth.drawn_shapes import shape_note

STYLES = ("isaac", "rebirth", "gungeon")
TABLES = (*KIND_TABLES, *RULE_TABLES)
KITS_IN_CI = 24
KITS = 2000

_ODD: list[Any] = [
    True, False, 0, 1, -1, 3, 99, 1 << 40, 1.5, "", "x", ";", "1/3", "0/1", "1..", "garden", "garden", "boss",
    "shop", "open", "floor", "none", "stage >= 2", "not coins", "coins", "secret", "super_secret", "far", "near",
    "on_the_way", "beside:boss", "beside:garden", "dead_end", "#7bd389", "Ünïcödé", "a" * 300, "walker", "flyer",
    [], ["garden"], ["stage >= 2"], ["isaac"], ["floor"], [1, 2], [9, 13], [2, 1], [0, 0], {}, {"garden": 1},
    {"item": "1.."}, {"enemy": "0.."}, {"chance": "1/4", "when": "full_health"}, {"room": "library"}, {"easy": 1},
    {"coins": 1}, {"walker": 1}, {"chance": 50, "things": {"rock": 3}},
]  # fmt: skip

_FIGHTERS = ["walker", "shooter", "flyer", "turret", "shambler", "eye_stalk", "cellar_bat", "iron_knight"]


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def sound_row(key: str, dice: random.Random) -> dict[str, Any]:
    """A row of the shipped kit, of which some keys go and others come from another row."""
    rows = [
        each
        for row in shipped_kit().table(key).values()
        for each in (row if isinstance(row, list) else [row])
    ]
    if key == "gang":
        waves = [{who: [dice.randint(0, 2), dice.randint(2, 6)]} for who in dice.sample(_FIGHTERS, 2)]
        return {"waves": [{"walker": 1}, *waves], "one_in": dice.randint(1, 3)}
    if not rows:
        return {"range": [0, 10], "default": dice.randint(0, 10)}
    row = dict(dice.choice(rows))
    other = dice.choice(rows)
    row |= {name: value for name, value in other.items() if key != "enemy" and dice.random() < 0.2}
    if "glyph" in row:
        row["glyph"] = dice.choice(';:"`|<>{}[]()-_/\\')
    row.pop("glyphs", None)
    if key == "room":
        row.pop("markers", None)  # a second room that the player starts in breaks a rule of all levels
    row.pop("dice", None)
    if key == "door" and dice.random() < 0.6:
        row["needs"] = {
            name: dice.randint(1, 5) for name in dice.sample(["coins", "small_key"], dice.randint(1, 2))
        }
    if key == "arrangement":
        row["one_in"] = dice.randint(1, 6)
    return row


def kit_text(seed: int) -> str:
    """A kit whose rows are mostly sound; some have a slip."""
    dice = random.Random(seed)
    lines = ['name = "fuzzed"']
    if dice.random() < 0.05:
        lines.append('extends = "none"')
    elif dice.random() < 0.4:
        lines.append(f"without = {toml(dice.sample(_takeable(), dice.randint(1, 3)))}")
    rows: dict[tuple[str, str], dict[str, Any]] = {("room", "garden"): {"glyph": ";", **_garden(dice)}}
    rows["state", "courage"] = {"range": [0, 9], "default": dice.randint(0, 9)}
    for table in dice.sample(TABLES, dice.randint(1, 5)):
        name = dice.choice(["garden", "garden", "fern", "boss", "shop"])
        if table.key in ("difficulty", "crowd", "rebirth"):
            name = {"rebirth": "boss", "crowd": "gungeon"}.get(table.key, dice.choice(STYLES[:2]))
        if table.key == "room":
            name = "fern"  # whose layouts are not the shipped ones
        if (table.key, name) not in rows:
            row = sound_row(table.key, dice)
            if table.key == "special_room" and name == "garden":
                row |= {"room": "garden", "styles": list(STYLES)}
            rows[table.key, name] = row
    rows["room", "garden"] |= {"door": "garden"} if ("door", "garden") in rows else {}
    for (key, _), row in rows.items():
        if dice.random() < 0.08:
            columns = next(table.columns for table in TABLES if table.key == key)
            row[dice.choice(list(columns))] = dice.choice(_ODD)
    for (key, name), row in rows.items():
        lines.append(
            f"[[{key}.{name}]]" if key in ("difficulty", "carried", "crowd", "rebirth") else f"[{key}.{name}]"
        )
        lines += [f"{column} = {toml(value)}" for column, value in row.items()]
    if dice.random() < 0.1:
        numbers = dice.choice(NUMBER_TABLES)
        lines += [f"[{numbers.key}]", f"garden = {toml(dice.choice(_ODD))}"]
    if dice.random() < 0.1:
        settings = dice.choice(SETTING_TABLES)
        lines += [f"[{settings.key}]", f"{dice.choice(list(settings.columns))} = {toml(dice.choice(_ODD))}"]
    return "\n".join(lines) + "\n"


def _garden(dice: random.Random) -> dict[str, Any]:
    secret = dice.random() < 0.2
    return (
        {"secret": True}
        if secret
        else {"off_the_way": dice.random() < 0.7, "has_shapes": dice.random() < 0.3}
    )


def _takeable() -> list[str]:
    """Rows of the shipped kit that a kit may do without."""
    kinds = {"room": ("start", "normal", "boss"), "terrain": (), "decor": ("none",), "chapter": ()}
    return [
        f"{key}.{name}"
        for key, rows in shipped_kit().tables.items()
        if key in ("room", "special_room", "enemy", "decor", "carried")
        for name in rows
        if name not in kinds.get(key, ())
    ]


def run(seed: int, folder: Path) -> str:
    """What became of a kit: `refused`, `unmade` if no level can be made with it, or `made`."""
    folder.mkdir(exist_ok=True)
    (folder / "kit.toml").write_text(kit_text(seed), "utf-8")
    problems = kit_problems(folder)
    assert all("\n" not in line and "kit" in line for line in problems)
    style = STYLES[seed % len(STYLES)]
    try:
        level = generator.generate(style, 1 + seed % 7, kit=str(folder))
    except UndercroftError as error:
        assert "\n" not in str(error)
        if isinstance(error, BadInput) and not problems:  # `check` says what is wrong too
            kit = read_kit(folder)
            assert kit_audit(kit) or style not in styles_of(kit) or shape_note(kit, pitch_of(kit))
        return "refused" if problems else "unmade"
    assert problems == []
    assert level_from_dict(json.loads(json.dumps(level.to_dict()))) == level
    assert list(map(str, generator.problems(level))) == []
    return "made"


@pytest.mark.parametrize("block", range(2))
def test_no_kit_ends_in_a_traceback(block: int, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    count = KITS if request.config.getoption("--soak") else KITS_IN_CI
    became = [run(seed, tmp_path / str(seed)) for seed in range(block, count, 2)]
    assert set(became) >= {"refused", "made"}
