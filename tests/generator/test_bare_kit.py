"""What every kit has, and what a level says of the kit that it was made with."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import KitError
from generator.kinds import BRIDGE, RUBBLE, SHIPPED, VOID, Kinds, read_kit


def kit(folder: Path, text: str) -> Kinds:
    (folder / "kit.toml").write_text(text, "utf-8")
    return read_kit(folder).kinds


def test_a_kit_that_extends_none_has_what_arrays_and_code_count_on(tmp_path: Path) -> None:
    kinds = kit(
        tmp_path,
        'name = "bare"\nextends = "none"\n'
        "[terrain.water]\nwalk = false\nfly = true\nshoot = true\n"
        '[decor.fern]\nglyph = "v"\nwalk = true\nfly = true\nshoot = true\n',
    )
    names = [kind.name for kind in kinds.terrain]
    assert names == [*(kind.name for kind in SHIPPED.terrain[VOID : RUBBLE + 1]), "water"]
    assert names[BRIDGE] == "bridge"
    assert [kind.name for kind in kinds.decor] == ["none", "fern"]
    assert list(kinds.doors) == ["open", "secret", "red"] and list(kinds.markers) == ["player_start"]
    assert not kinds.rooms


def test_no_kit_can_do_without_them(tmp_path: Path) -> None:
    with pytest.raises(KitError, match=r"without\[0\]: 'terrain.wall' is in every kit; leave it out"):
        kit(tmp_path, 'name = "x"\nwithout = ["terrain.wall"]')
    with pytest.raises(
        KitError, match=r"kit.toml: terrain.wall: is the same in every kit; choose another name"
    ):
        kit(tmp_path, 'name = "x"\n[terrain.wall]\nwalk = true\nfly = true\nshoot = true')


def test_kinds_tell_the_kit_unless_they_are_the_shipped_ones(tmp_path: Path) -> None:
    assert kit(tmp_path, 'name = "plain"') == SHIPPED
    assert kit(tmp_path, 'name = "our-kit"\n[door.hedge]').name == "our-kit"
    with pytest.raises(KitError, match="kit: 3 is not text"):
        Kinds({**SHIPPED.tables, "kit": 3})
