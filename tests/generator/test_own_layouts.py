"""A team's own layouts: found, checked, told apart, and the same on every machine."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import exporters
from generator import IsaacSpec, LayoutError, Level, SpecError, generate
from generator.cli import main
from generator.interiors import own_layouts as module
from generator.interiors.layout_file import load_layout
from generator.interiors.own_layouts import own_layouts
from generator.interiors.pool_rules import check_layout
from generator.interiors.pools import Choice, normal_choices, special_choices
from generator.kinds import ROOM_KINDS, shipped_kit
from generator.serialise import dumps
from generator.spec import load_spec
from generator.styles.grid.pools import chapter_of

NEEDED = {"start": "P", "boss": "X", "mini_boss": "M", "boss_challenge": "X", "challenge": "E", "shop": "W",
          "treasure": "I", "arcade": "A", "vault": "C", "chest": "C"}  # fmt: skip
USUAL = (13, 7)
PITCH = (15, 9)
PLAIN = "map:\n" + "\n".join(["." * 13] * 7) + "\n"


def plain(pool: str, size: tuple[int, int] = USUAL) -> str:
    """A layout with nothing but what the pool's rooms need."""
    rows = [["."] * size[0] for _ in range(size[1])]
    rows[size[1] // 2][size[0] // 2] = NEEDED.get(pool, ".")
    return "map:\n" + "\n".join(map("".join, rows)) + "\n"


def write(root: Path, name: str, text: str = "") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text or plain(name.split("/", 1)[0]), "utf-8")
    return path


def read(root: Path, **values: object) -> module.OwnLayouts:
    spec = IsaacSpec(layouts=str(root), **values)  # type: ignore[arg-type]
    return own_layouts(spec.layouts, spec.room_size, shipped_kit())


def names(choices: tuple[Choice, ...]) -> set[str]:
    return {choice.name for choice in choices}


# --- where they count --------------------------------------------------------------------------------


def test_a_teams_pools_stand_beside_the_shipped_ones(tmp_path: Path) -> None:
    write(tmp_path, "normal/cellar/easy/ours.txt")
    write(tmp_path, "shop/ours.txt")
    own = read(tmp_path)
    chapter = chapter_of(IsaacSpec(stage_variant="main"), 0)
    for shipped, both, name in (
        (
            normal_choices(chapter, ("easy",), PITCH),
            normal_choices(chapter, ("easy",), PITCH, own),
            "own/normal/cellar/easy/ours",
        ),
        (special_choices("shop", PITCH), special_choices("shop", PITCH, own), "own/shop/ours"),
    ):
        assert [choice.name for choice in both if choice not in shipped] == [name]
        assert [choice for choice in both if choice.name != name] == [*shipped]
        assert {choice.difficulty for choice in both} == {choice.difficulty for choice in shipped}


def test_any_counts_for_all_chapters_and_another_chapters_for_none(tmp_path: Path) -> None:
    write(tmp_path, "normal/any/easy/everywhere.txt")
    write(tmp_path, "normal/mines/easy/mines-only.txt")
    for stage in (1, 3, 5):
        chapter = chapter_of(IsaacSpec(stage=stage, stage_variant="main"), 0)
        found = names(normal_choices(chapter, ("easy",), PITCH, read(tmp_path)))
        assert "own/normal/any/easy/everywhere" in found and "own/normal/mines/easy/mines-only" not in found


@pytest.mark.parametrize("stage", range(1, 13, 2))
@pytest.mark.parametrize("variant", ["main", "alternative"])
def test_every_chapter_takes_a_teams_layouts_by_its_name(stage: int, variant: str, tmp_path: Path) -> None:
    """Also those that have no shipped pool of their own."""
    chapter = chapter_of(IsaacSpec(stage=stage, stage_variant=variant), 0)
    write(tmp_path, f"normal/{chapter.name}/medium/ours.txt")
    found = names(normal_choices(chapter, ("medium",), PITCH, read(tmp_path)))
    assert f"own/normal/{chapter.name}/medium/ours" in found


def test_a_teams_layout_is_told_apart_from_a_shipped_one_of_its_name(tmp_path: Path) -> None:
    """And chapters go `without` some shipped layouts; a team cannot know their names."""
    write(tmp_path, "normal/cellar/easy/tap-room.txt")
    main_chapter, crypt = (
        chapter_of(IsaacSpec(stage_variant=variant), 0) for variant in ("main", "alternative")
    )
    assert "tap-room" in crypt.without
    shipped, ours = "normal/cellar/easy/tap-room", "own/normal/cellar/easy/tap-room"
    assert {shipped, ours} <= names(normal_choices(main_chapter, ("easy",), PITCH, read(tmp_path)))
    assert {shipped, ours} & names(normal_choices(crypt, ("easy",), PITCH, read(tmp_path))) == {ours}


def test_a_suffix_counts_in_any_case(tmp_path: Path) -> None:
    """Some editors and file systems write `.TXT`."""
    write(tmp_path, "shop/ours.TXT")
    assert "own/shop/ours" in names(special_choices("shop", PITCH, read(tmp_path)))


def test_other_files_do_not_matter(tmp_path: Path) -> None:
    """A team keeps notes, pictures and its version control beside its layouts."""
    write(tmp_path, "shop/ours.txt")
    write(tmp_path, "README.md", "ours")
    write(tmp_path, "shop/picture.png", "x")
    write(tmp_path, ".git/description.txt", "x")
    write(tmp_path, "shop/._ours.txt", "x")
    assert list(read(tmp_path).pools) == ["shop"]


def test_an_edited_layout_is_read_again(tmp_path: Path) -> None:
    """A designer edits, and generates again in the same session."""
    path = write(tmp_path, "start/ours.txt", "weight: 1000\n" + PLAIN.replace(".", "P", 1))
    seed = next(
        seed for seed in range(9) if "ours" in generate("isaac", seed, layouts=str(tmp_path)).rooms[0].layout
    )
    before = generate("isaac", seed, layouts=str(tmp_path))
    path.write_text(path.read_text("utf-8").replace("P.", "Po"), "utf-8")
    after = generate("isaac", seed, layouts=str(tmp_path))
    assert (before.decor != after.decor).sum() == 1


# --- what is refused ---------------------------------------------------------------------------------


def test_a_folder_that_holds_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"^layouts: '.*none' is not a folder; give the folder of"):
        read(tmp_path / "none")
    for _ in range(2):
        with pytest.raises(
            SpecError, match=r"^layouts: '.*' contains no layouts \(\.txt.*\); give the folder"
        ):
            read(tmp_path)
        write(tmp_path, "README.md", "none yet")


@pytest.mark.parametrize(
    "name",
    ["ours.txt", "normal/ours.txt", "normal/cellar/ours.txt", "normal/cellar/harder/ours.txt", "shops/ours.txt",
     "shop/large/ours.txt", "Shop/ours.txt", "normal/celar/easy/ours.txt"],
)  # fmt: skip
def test_a_misplaced_file_is_refused(name: str, tmp_path: Path) -> None:
    """It would never be drawn, so a mistake must be reported."""
    path = write(tmp_path, name)
    with pytest.raises(LayoutError, match=re.escape(f"{path}: is not in a pool; move it into ")):
        read(tmp_path)


def test_a_kit_without_chapters_names_none(tmp_path: Path) -> None:
    write(tmp_path, "arcade/ours.txt")
    kit = Path(__file__).parents[2] / "docs/examples/orbital"
    with pytest.raises(LayoutError, match=r"ROOM_KIND/ \(chapters: any; difficulties: easy, medium,"):
        generate("isaac", 1, kit=str(kit), layouts=str(tmp_path))


@pytest.mark.parametrize("pool", ["arcade", "normal/gate/hard", "ultra_secret"])
def test_a_broken_file_is_refused_though_the_level_would_not_draw_it(pool: str, tmp_path: Path) -> None:
    path = write(tmp_path, f"{pool}/shut.txt", PLAIN.replace("." * 13, "#" * 13, 1))
    with pytest.raises(LayoutError, match=re.escape(f"{path}:2: column 7: `#` is in front of a door")):
        generate("isaac", 1, layouts=str(tmp_path))


def test_a_file_of_another_size_is_refused(tmp_path: Path) -> None:
    """The usual slip: the room is drawn with its walls."""
    write(tmp_path, "boss/fits.txt")
    path = write(tmp_path, "shop/walled.txt", plain("shop", (15, 9)))
    message = (
        f"{path}: is 15 x 9 tiles; rooms of room_size 15 x 9 are 13 x 7 inside: change its size, or keep"
    )
    with pytest.raises(LayoutError, match=re.escape(message)):
        read(tmp_path)
    path.unlink()
    assert read(tmp_path).pools
    with pytest.raises(
        LayoutError, match=r"fits.txt: is 13 x 7 tiles; rooms of room_size 17 x 11 are 15 x 9"
    ):
        read(tmp_path, room_size=(17, 11))


@pytest.mark.parametrize(
    ("pool", "glyphs", "finding"),
    [
        ("start", "", "has 0 player_start markers; start rooms take at least 1"),
        ("start", "PP", "has 2 player_start markers; start rooms take at most 1"),
        ("normal/any/easy", "P", "has 1 player_start markers; normal rooms take none"),
        ("normal/any/easy", "V", "has 1 exit markers; normal rooms take none"),
        ("normal/any/easy", "X", "has 1 boss markers; normal rooms take none"),
        ("normal/any/easy", "W", "has 1 ware markers; normal rooms take none"),
        ("boss", "", "has 0 boss markers; boss rooms take at least 1"),
        ("boss", "XVV", "has 2 exit markers; boss rooms take at most 1"),
        ("mini_boss", "", "has 0 boss markers; mini_boss rooms take at least 1"),
        ("challenge", "", "has 0 enemy markers; challenge rooms take at least 1"),
        ("shop", "K", "has 0 ware markers; shop rooms take at least 1"),
        ("shop", "WE", "has 1 enemy markers; shop rooms take none"),
        ("treasure", "", "has 0 item markers; treasure rooms take at least 1"),
        ("treasure", "IK", "has 1 shopkeeper markers; treasure rooms take none"),
        ("secret", "F", "has 1 enemy markers; secret rooms take none"),
        ("arcade", "", "has 0 machine markers; arcade rooms take at least 1"),
        ("vault", "", "has 0 chest markers; vault rooms take at least 1"),
    ],
)
def test_a_pool_takes_what_its_rooms_need(pool: str, glyphs: str, finding: str, tmp_path: Path) -> None:
    """Both where it is used and where it is only checked."""
    rows = ["." * 13] * 7
    rows[3] = f"....{glyphs:.<9}"
    path = write(tmp_path, f"{pool}/ours.txt", "map:\n" + "\n".join(rows))
    for check in (lambda: read(tmp_path), lambda: check_layout(path, shipped_kit())):
        with pytest.raises(LayoutError, match=f"^{re.escape(f'{path}: {finding}')}$"):
            check()
    done = CliRunner().invoke(main, ["check", str(path)])
    assert (done.exit_code, done.output) == (1, f"{path}: {finding}\n")


@pytest.mark.parametrize("kind", sorted({*ROOM_KINDS} - {"normal"}))
def test_every_kind_takes_a_room_with_what_it_needs(kind: str, tmp_path: Path) -> None:
    write(tmp_path, f"{kind}/ours.txt")
    assert list(read(tmp_path).pools) == [kind]


def test_a_layout_in_no_pool_can_be_checked_by_itself(tmp_path: Path) -> None:
    check_layout(write(tmp_path, "draft.txt", PLAIN), shipped_kit())


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    """On some systems they are one file, and a level would not say which it drew."""
    for name in ("pond.txt", "Pond.TXT"):
        write(tmp_path, f"shop/{name}")
    if len(list((tmp_path / "shop").iterdir())) == 2:
        with pytest.raises(LayoutError, match=r"pond.txt: has the same name as Pond.TXT; rename one"):
            read(tmp_path)


@pytest.mark.parametrize("name", ["a+h", "étang", "a\nb", "a\\b"])
def test_a_name_that_systems_spell_differently_is_refused(name: str, tmp_path: Path) -> None:
    try:
        write(tmp_path, f"shop/{name}.txt")
    except OSError:
        pytest.skip("this system has no such names")
    with pytest.raises(
        SpecError, match=r"^layouts: 'shop/.*' cannot be the name of a layout; use letters A to Z"
    ):
        read(tmp_path)


def test_a_folder_that_is_too_full_is_not_walked_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = []

    def scandir(folder: Path) -> object:
        listed.append(folder)
        return real(folder)

    real = os.scandir
    for i in range(30):
        write(tmp_path, f"{i}/notes.md", "x")
    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(module, "_MAX_ENTRIES", 40)
    with pytest.raises(SpecError, match=r"^layouts: '.*' contains more than 40 files and folders; give the"):
        read(tmp_path)
    assert len(listed) <= 13  # the folder, ten of those in it, and the one too many


def test_a_folder_that_cannot_be_read_is_reported_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> object:
        raise PermissionError(13, "Permission denied", str(folder))

    write(tmp_path, "shop/ours.txt")
    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(
        SpecError, match=r"^layouts: '.*' cannot be read: Permission denied; allow your user to read it$"
    ):
        read(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_a_layout(tmp_path: Path) -> None:
    """Opening one would wait for ever."""
    (tmp_path / "shop").mkdir()
    os.mkfifo(tmp_path / "shop" / "pipe.txt")
    for load in (lambda: load_layout(tmp_path / "shop" / "pipe.txt"), lambda: read(tmp_path)):
        with pytest.raises(LayoutError, match=r"pipe\.txt: is not a file"):
            load()


# --- the same on every machine -----------------------------------------------------------------------


def some_layouts(root: Path, newline: str = "\n") -> Path:
    for name in (
        "normal/any/easy/x.txt",
        "normal/any/medium/y.txt",
        "start/z.txt",
        "shop/a.txt",
        "shop/b.txt",
    ):
        write(root, name, "weight: 1000\n" + plain(name.split("/", 1)[0]))
        (root / name).write_bytes((root / name).read_bytes().replace(b"\n", newline.encode()))
    return root


def written(level: Level) -> dict[str, bytes]:
    return dict(exporters.export(level, ["json", "godot"], name="x"))


def test_where_the_folder_lies_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor how its path is spelled, nor how its lines end: the files alone decide."""
    one = some_layouts(tmp_path / "one" / "ours")
    other = some_layouts(tmp_path / "two" / "elsewhere", "\r\n")
    monkeypatch.chdir(tmp_path)
    spellings = [str(one), str(other), "one/ours", "./one/../two/elsewhere/"]
    levels = [generate("isaac", 3, layouts=spelling) for spelling in spellings]
    assert any(room.layout.startswith("own/") for room in levels[0].rooms)
    assert len({level.fingerprint for level in levels}) == 1
    files = [written(level) for level in levels]
    assert files[0] == files[1] == files[2] == files[3]
    for data in files[0].values():
        assert b"elsewhere" not in data and str(tmp_path).encode() not in data


def test_the_level_tells_which_layouts_it_was_made_with(tmp_path: Path) -> None:
    """By a digest, so that it shows later whether the files are still the same."""
    root = some_layouts(tmp_path / "ours")
    level = generate("isaac", 3, layouts=str(root))
    digest = level.spec.to_dict()["layouts"]
    assert re.fullmatch("[0-9a-f]{16}", digest)
    again = generate(level.spec.replace({"layouts": str(root)}), 3)
    assert dumps(again) == dumps(level)
    with pytest.raises(
        SpecError,
        match=f"layouts: '{digest}' is a digest, which a level stores in place of the folder of your own layouts",
    ):
        generate(level.spec, 3)
    write(root, "arcade/new.txt")
    digests = {digest, generate("isaac", 3, layouts=str(root)).spec.to_dict()["layouts"]}
    shutil.move(root / "shop" / "a.txt", root / "shop" / "c.txt")
    digests.add(generate("isaac", 3, layouts=str(root)).spec.to_dict()["layouts"])
    assert len(digests) == 3
    assert generate("isaac", 3).spec.to_dict()["layouts"] == ""


def test_the_order_of_files_on_disk_does_not_matter(tmp_path: Path) -> None:
    levels = []
    for folder, letters in (("a", "xYz"), ("b", "zYx")):
        for name in letters:
            write(tmp_path / folder, f"shop/{name}.txt")
            write(tmp_path / folder, f"normal/any/easy/{name}.txt", PLAIN.replace("...", ".E.", 1))
        levels.append(generate("isaac", 4, layouts=str(tmp_path / folder)))
    assert dumps(levels[0]) == dumps(levels[1])
    assert [layout.name for layout in read(tmp_path / "a").pools["shop"]] == ["Y", "x", "z"]
    assert np.array_equal(levels[0].terrain, levels[1].terrain)


def test_a_folder_that_a_spec_file_names_counts_from_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the command line and the library it counts from the working directory."""
    some_layouts(tmp_path / "game" / "ours")
    spec = write(tmp_path, "game/deep.toml", "style = 'isaac'\nstage = 2\nlayouts = 'ours'\n")
    monkeypatch.chdir(tmp_path)
    levels = [
        generate(str(spec), 3),
        generate("game/deep.toml", 3),
        generate("isaac", 3, stage=2, layouts="game/ours"),
    ]
    assert len({level.fingerprint for level in levels}) == 1
    done = CliRunner().invoke(main, ["show", "isaac", "--set", "layouts=game/ours"])
    assert done.exit_code == 0, done.output
    with pytest.raises(SpecError, match="layouts: 'ours' is not a folder"):
        generate("isaac", 3, layouts="ours")
    spec.write_text(f"style = 'isaac'\nlayouts = '{(tmp_path / 'game' / 'ours').as_posix()}'\n", "utf-8")
    assert Path(load_spec(spec).to_dict()["layouts"]) == tmp_path / "game" / "ours"


# --- on the command line -----------------------------------------------------------------------------


def test_a_spec_is_checked_with_its_layouts(tmp_path: Path) -> None:
    spec = write(tmp_path, "deep.toml", "style = 'isaac'\nlayouts = 'ours'\n")
    done = CliRunner().invoke(main, ["check", str(spec)])
    assert done.exit_code == 1 and done.output.startswith(f"{spec}: layouts: '")
    path = write(tmp_path, "ours/shop/small.txt", plain("shop", (9, 9)))
    done = CliRunner().invoke(main, ["check", str(spec)])
    assert done.exit_code == 1 and done.output.startswith(
        f"{path}: is 9 x 9 tiles; rooms of room_size 15 x 9"
    )
    path.write_text(plain("shop"), "utf-8")
    assert CliRunner().invoke(main, ["check", str(tmp_path)]).exit_code == 0
