"""Kits with rows changed at random: refused in clear lines, or no level is written that `check` refuses."""

from __future__ import annotations

import random
import shutil
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from generator.cli import main
from generator.level_audit import Audit, level_findings
from tests.generator.kits.test_fuzz import _ODD, STYLES, kit_text, toml

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
_BASES = ("", "orbital", "garden", "highnoon")
_LEVELS = 2  # of a kit


def case(seed: int, folder: Path) -> None:
    """In turn rows beside the shipped kit's, Orbital and the garden's kit; levels of a style in turn."""
    dice = random.Random(f"kits {seed}")
    kit, out = folder / "kit", folder / "out"
    base = _BASES[seed % len(_BASES)]
    if base:
        shutil.copytree(EXAMPLES / base, kit)
        change(kit, dice)
    else:
        kit.mkdir()
        (kit / "kit.toml").write_text(kit_text(seed), "utf-8")
    style = STYLES[seed // len(_BASES) % len(STYLES)]
    first = dice.randint(1, 1 << 30)
    stage = ["--set", f"stage={dice.randint(1, 12)}"] if style != "gungeon" else []
    words = ["generate", style, "--seeds", f"{first}:{first + _LEVELS}", "--set", f"kit={kit}", *stage]
    done = CliRunner().invoke(main, [*words, "--to", "json", "--out", str(out)])
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    assert done.exit_code in (0, 1, 2) and "Traceback" not in done.output, done.output
    written = sorted(out.glob("*.level.json"))
    told = done.stderr.splitlines()
    assert (len(written) == _LEVELS) == (done.exit_code == 0), done.output
    assert done.exit_code == 0 or 1 <= len(told) <= _LEVELS, done.output
    for path in written:
        assert level_findings(path, Audit((kit,)))[0] == []


def change(kit: Path, dice: random.Random) -> None:
    """Change one to three values of a kit's rows, mostly to others that the key may have."""
    for _ in range(dice.randint(1, 3)):
        path = dice.choice([file for file in sorted(kit.glob("*.toml")) if file.stat().st_size])
        tables = tomllib.loads(path.read_text("utf-8"))
        places = list(_places(tables))
        table, key = dice.choice(places)
        _, other = dice.choice(places)
        value = table[key]
        match dice.randrange(12):
            case 0:
                del table[key]
            case 1:
                table[key] = deepcopy(dice.choice(_ODD))
            case 2:
                table[other] = deepcopy(value)  # a table may not be in itself
            case 3 | 4 | 5 | 6 if isinstance(value, bool):
                table[key] = not value
            case 3 | 4 | 5 | 6 if isinstance(value, int):
                table[key] = max(0, value + dice.choice((-7, -2, -1, 1, 3, 40)))
            case _:  # what another row has under this key
                table[key] = deepcopy(dice.choice([above[below] for above, below in places if below == key]))
        path.write_text("\n".join(_lines(tables)), "utf-8")


def _places(table: dict[str, Any], depth: int = 0) -> Iterator[tuple[dict[str, Any], str]]:
    """Each value of a table and of those in it, with its key; heads and whole tables stay."""
    for key, value in table.items():
        if depth > 0:
            yield table, key
        if isinstance(value, dict):
            yield from _places(value, depth + 1)
        for each in value if isinstance(value, list) else ():
            if isinstance(each, dict):
                yield from _places(each, depth + 1)


def _lines(tables: dict[str, Any]) -> Iterator[str]:
    """The text of a file of a kit: each row as a table of its own, with its values in a line each."""
    flat = {key: value for key, value in tables.items() if not isinstance(value, dict)}
    yield from (f"{key} = {toml(value)}" for key, value in flat.items())
    for key, rows in tables.items():
        if key in flat:
            continue
        yield f"[{toml(key)}]"
        yield from (f"{toml(name)} = {toml(row)}" for name, row in rows.items())
