"""Mistakes in kits, each reported in one line: file, key, value and what to do."""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from click.testing import CliRunner

import generator
from generator import plugins
from generator.batch.audit import kit_audit
from generator.cli import main
from generator.errors import BadInput, KitError
from generator.interiors.pools import shipped
from generator.kinds import read_kit
from generator.kinds.conditions import STATE_NUMBERS, STATE_TRUTHS, STATE_WORDS
from generator.kinds.kit_problems import kit_problems
from generator.kinds.settings import SPEC_WORDS
from generator.spec.base import all_keys
from generator.styles.gungeon.spec import GungeonSpec
from generator.styles.isaac.spec import IsaacSpec
from generator.styles.rebirth.spec import RebirthSpec

from .base import GARDEN, write_kit

pytestmark = pytest.mark.usefixtures("few_of_a_kit")

RULE = f"{GARDEN}\n[special_room.garden]\n"
LOBBY = '[room.lobby]\nglyph = ":"\n[special_room.lobby]\n'
SLUG = '[enemy.slug]\nrole = "walker"\ncost = 1\n'
CROWD = "danger = 0\ndifficulty = 1\nenemies = [1, 2]\nroles = { walker = 1 }"


def check(path: Path) -> list[str]:
    """What `undercroft check` prints, a line each."""
    return CliRunner().invoke(main, ["check", str(path)]).stdout.splitlines()


# --- rows --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (f'{RULE}styles = ["isac"]', "special_room.garden.styles: the style 'isac' is not installed; did you mean isaac?"),
        (f"{RULE}styles = []", "special_room.garden.styles: is empty; leave the key out"),
        ("[[difficulty.isac]]\nshares = { easy = 1 }", "difficulty.isac: the style 'isac' is not installed; did"),
        ("[[difficulty.gungeon]]\nshares = { easy = 1 }", "difficulty.gungeon: the style 'gungeon' has no such rows"),
        (f"[[crowd.isaac]]\n{CROWD}", "crowd.isaac: the style 'isaac' has no such rows; choose one of gungeon"),
        ("[room.bos]\nmarkers = { boss = '1' }", "room.bos.glyph: is missing; give a character, or did you mean room.boss?"),
        ("[enemy.spiter]\ncost = 3", "enemy.spiter.role: is missing; give a role, or did you mean enemy.spitter?"),
        ("[[rebirth.bos]]\nchance = 3", "rebirth.bos: unknown table; did you mean rebirth.boss?"),
        (f"{GARDEN}[room.garden.isac]\nx = 1", "room.garden.isac: the style 'isac' is not installed"),
        (f"{GARDEN}[[carried.garden]]\ngives = {{ curage = 1 }}", "carried.garden.gives: unknown fact 'curage'; did you mean courage?"),
        (f"{GARDEN}[[carried.garden]]\nsets = {{ stage = 1 }}", "carried.garden.sets: unknown fact 'stage'"),
        (f"{GARDEN}[[carried.garden]]\nneeds = {{ coinz = 1 }}", "carried.garden.needs: unknown fact 'coinz'; did you mean coins?"),
        (f"{GARDEN}[[carried.garden]]\ngives = {{ courage = true }}", "carried.garden.gives.courage: True does not fit; give a number"),
        (f"{GARDEN}[[carried.garden]]\ngives = {{ luna = 1 }}", "carried.garden.gives.luna: 1 does not fit; give true"),
        (f"{GARDEN}[[carried.garden]]\nsets = {{ luna = 1 }}", "carried.garden.sets.luna: is true or false; write gives"),
        (f'{GARDEN}[[carried.garden]]\nchance = "courage/9"', "carried.garden.chance: 'courage/9' is not a chance of two numbers"),
        (f'{RULE}before = "garden"', "special_room.garden.before: garden before garden is an endless circle"),
        (f'{RULE}before = "lobby"\n{LOBBY}before = "garden"', "garden before lobby before garden is an endless circle"),
        (f'{RULE}before = "library"\nstyles = ["gungeon"]', "special_room.garden.before: no rule library counts in gungeon"),
        (f'{RULE}before = "planetarium"\nstyles = ["isaac"]', "special_room.garden.before: no rule planetarium counts in isaac"),
        (f'{RULE}before = "library"\nstyles = ["rebirth"]', "special_room.garden.before: no rule library counts in rebirth"),
        (f'{RULE}becomes = {{ room = "garden" }}', "special_room.garden.becomes: is room.garden itself"),
        ('[room.garden]\nglyph = ";"\nbecomes = ["garden"]', "room.garden.becomes: contains room.garden itself"),
        (f'{SLUG}chapter = 2\nchapters = ["cellar"]', "enemy.slug.chapters: cannot be used with chapter"),
        (f"{SLUG}chapters = []", "enemy.slug.chapters: is empty; leave the key out"),
        ("[chapter.roof]", "chapter.roof: stages have only 6 chapters; give replaces, or remove a chapter"),
        ('[chapter.cellar]\nbosses = ["gluttony", "gluttony"]', "chapter.cellar.bosses: 'gluttony' is there twice; keep one"),
        ('[chapter.cellar]\npools = ["celar"]', "chapter.cellar.pools: unknown pool 'celar'; did you mean cellar?"),
        (f'{GARDEN}[room.garden.gungeon]\nspec = "foo"', "room.garden.gungeon.spec: unknown word 'foo'; choose one of start, enemy"),
        ('[special_room.more]\nroom = "boss"', "special_room.more.room: room.boss is placed by the style itself"),
        ('[special_room.more]\nroom = "normal"', "special_room.more.room: room.normal is placed by the style itself"),
        (f'{RULE}becomes = {{ room = "boss" }}', "special_room.garden.becomes: room.boss is placed by the style itself"),
        ("[state.not]\nrange = [0, 1]", "state.not: is a word of conditions; choose another name"),
        ("[state.silver_dollar]\nrange = [0, 1]", "state.silver_dollar: every kit already has this fact"),
        (f'{RULE}place = "beside:garden"', "special_room.garden.place: no other rule places room.garden in isaac, rebirth and gungeon"),
        (f'{RULE}must = true\nplace = "beside:planetarium"\nstyles = ["isaac"]', "no rule places room.planetarium in isaac"),
        (f'{RULE}must = true\nplace = "beside:shop"', "room.garden and room.shop have one door each in isaac and rebirth"),
        (f'{RULE}place = "beside:secret"', "special_room.garden.place: only secret doors lead to room.secret"),
        (f'{RULE}must = true\nchance = "0/3"', "special_room.garden.chance: 0/3 cannot be used with must = true"),
        (f'{RULE}must = true\nchance = "courage/9"', "special_room.garden.chance: courage/9 cannot be used with must = true"),
        (f'{RULE}must = true\nagain = {{ chance = "1/2", when = "coins" }}', "special_room.garden.again: cannot be used with must"),
        (f'{RULE}must = true\nbefore = "library"', "special_room.garden.before: in isaac a rule with must cannot come before others; leave"),
        (f'{RULE}place = "far"\nbefore = "library"', "special_room.garden.before: in isaac only rooms at a dead_end have an order, not at far"),
        (f'{RULE}before = "shop"', "special_room.garden.before: shop has no order in isaac; choose one of sacrifice, "),
        (f'{RULE}before = "lobby"\n{LOBBY}', "special_room.garden.before: lobby has no order in isaac; choose one of sacrifice"),
        (f'{RULE}dice = "style"', "special_room.garden.dice: only shipped rules use their style's dice; leave the key out"),
        (f'{RULE}must = true\nin_labyrinth = 2', "special_room.garden.in_labyrinth: 2 is only for shipped rules; leave it out"),
        (f'{RULE}passes = "stage >= 7"', "special_room.garden.passes: is about the game's own draws in rebirth"),
        (f'{RULE}draws = {{ then = 1 }}', "special_room.garden.draws: is about the game's own draws in rebirth"),
        (f'{RULE}again = {{ chance = "1/2", when = "curage >= 2" }}', "special_room.garden.again: unknown fact 'curage'"),
        ("[encounter_share]\ngarden = 3", "encounter_share.garden: unknown room kind 'garden'; choose one of start, "),
        (f"{GARDEN}x = nan", "state.courage.x: nan is not a valid number here"),
        ('[arrangement.bed]\ndrawing = ["L"]\ndecor = ["normal"]\nletters = { L = "carpit" }', "arrangement.bed.letters: unknown piece of decor 'carpit'; did you mean carpet?"),
        ("[room.garden]\nglyph = 2020-01-01", "room.garden.glyph: 2020-01-01 is a date or a time; write it in quotes"),
        (f"a.{'b.' * 40}c = 1", "is nested more than 20 levels deep; use fewer levels"),
        (f"x = {'[' * 3000}{']' * 3000}", "lists or tables are nested too deeply; use fewer levels"),
    ],
)  # fmt: skip
def test_a_slip_is_reported_with_its_key(rows: str, says: str, tmp_path: Path) -> None:
    kit = write_kit(tmp_path, rows)
    with pytest.raises(KitError) as told:
        read_kit(kit)
    line = str(told.value)
    assert line.startswith(f"{kit / 'kit.toml'}: ") and says in line
    assert any(says in each for each in kit_problems(kit))


def test_an_unknown_room_is_one_line(tmp_path: Path) -> None:
    (line,) = kit_problems(write_kit(tmp_path, f'{RULE}room = "gardn"'))
    assert "special_room.garden.room: unknown room kind 'gardn'; did you mean garden?" in line


@pytest.mark.parametrize("name", ["caves", "isac"])
def test_styles_of_other_packages_are_styles(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {"caves": [("caves:STYLE", EntryPoint("caves", "caves:STYLE", "undercroft.styles").load)]}
    monkeypatch.setattr(plugins, "_entries", lambda group: found if group == "undercroft.styles" else {})
    rows = f'{RULE}styles = ["isaac", "{name}"]\n[room.garden.{name}]\nx = 1\n[[difficulty.{name}]]\nshares = {{ easy = 1 }}'
    assert len(kit_problems(write_kit(tmp_path, rows))) == (0 if name == "caves" else 3)


def test_a_second_rule_may_stand_beside_the_first(tmp_path: Path) -> None:
    rows = f"{GARDEN.replace('off_the_way = true', '')}\n[[special_room.garden]]\n[[special_room.garden]]\n"
    assert kit_problems(write_kit(tmp_path, f'{rows}place = "beside:garden"')) == []


def test_the_state_that_rooms_change_is_that_of_the_styles() -> None:
    keys = {key for spec in (IsaacSpec, RebirthSpec) for key in all_keys(spec)}
    found = {key.removeprefix("state.") for key in keys if key.startswith("state.")}
    assert found == STATE_NUMBERS | STATE_TRUTHS | STATE_WORDS
    state = RebirthSpec().state.table()
    assert {key for key, value in state.items() if isinstance(value, bool)} == STATE_TRUTHS


def test_the_words_of_rows_begin_values_of_the_spec() -> None:
    keys = set(all_keys(GungeonSpec))
    assert all({f"{word}_width", f"{word}_height"} <= keys for word in SPEC_WORDS)


# --- files -------------------------------------------------------------------------------------------


def test_a_row_of_another_file_is_reported_there(tmp_path: Path) -> None:
    kit = write_kit(tmp_path, GARDEN)
    (kit / "more.toml").write_text('[special_room.garden]\nplace = "loft"\n', "utf-8")
    with pytest.raises(KitError, match=r"more\.toml: special_room\.garden\.place: 'loft' is not a place"):
        read_kit(kit)
    assert all(line.startswith(str(kit / "more.toml")) for line in kit_problems(kit))


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("", "kit.toml: name: is missing; give name ="),
        *((f'name = "{name}"', "kit.toml: name: .* cannot be the name of a kit; use up to 60")
          for name in ("", "a/b", "ünï", "our kit", "-a", "Shipped", "a" * 61)),
        ('name = "a"\nextends = "../gone"', "kit.toml: extends: .*gone' is not a folder; give one that contains a kit.toml"),
        ('name = "a"\nextends = "../bare"', "kit.toml: extends: .*bare' has no kit.toml; `undercroft kit new` writes"),
        ('name = "a"\nextends = "."', r"kit.toml: extends: '\.' extends this kit in turn; remove one"),
        ('name = "a"\nextends = "../circle"', r"circle.kit.toml: extends: '../kit' extends this kit in turn"),
    ],
)  # fmt: skip
def test_a_wrong_head_is_reported_with_its_key(head: str, says: str, tmp_path: Path) -> None:
    kit, circle = tmp_path / "kit", tmp_path / "circle"
    for folder, text in ((kit, head), (circle, 'name = "b"\nextends = "../kit"')):
        folder.mkdir()
        (folder / "kit.toml").write_text(text, "utf-8")
    (tmp_path / "bare").mkdir()
    (line,) = kit_problems(kit)
    assert re.search(says, line) and line.count("kit.toml: ") == 1


@pytest.mark.parametrize(("folder", "says"), [("bare", "has no kit.toml"), ("gone", "is not a folder")])
def test_a_broken_kit_is_reported_with_the_spec_and_the_key(folder: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    spec = tmp_path / "s.toml"
    spec.write_text(f'style = "isaac"\nkit = "{folder}"\n', "utf-8")
    with pytest.raises(KitError) as told:
        generator.load_spec(spec)
    line = str(told.value)
    assert line.startswith(f"{spec}: kit: ") and says in line
    assert check(spec) == [line]
    with pytest.raises(BadInput, match=r"^--set: kit: "):
        generator.load_spec("isaac").replace({"kit": str(tmp_path / folder)}, "--set")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Extra.TOML", "is not read, since its name ends in .TOML; rename it to Extra.toml"),
        ("layout/", "is not read; rename the folder to layouts"),
        ("Layouts/", "is not read; rename the folder to layouts"),
    ],
)
def test_parts_of_a_kit_with_a_misspelt_name(name: str, says: str, tmp_path: Path) -> None:
    kit = write_kit(tmp_path / "kit", GARDEN)
    if name.endswith("/"):
        (kit / name).mkdir()
    else:
        (kit / name).write_text("", "utf-8")
    assert check(kit) == [f"{kit}/{name.rstrip('/')}: {says}"]


def test_files_of_a_kit_are_no_links(tmp_path: Path) -> None:
    """Its folder may be one, and so what it extends."""
    theirs = write_kit(tmp_path / "theirs", GARDEN)
    pool = tmp_path / "garden"
    pool.mkdir()
    (pool / "pond.txt").write_text("map:\n" + "............." * 7, "utf-8")
    made = []
    for name in ("rows", "folder", "pool", "file", "loop"):
        kit = write_kit(tmp_path / name, "")
        made.append(kit)
    (made[0] / "more.toml").symlink_to(theirs / "kit.toml")
    (made[1] / "layouts").symlink_to(tmp_path)
    for kit in made[2:]:
        (kit / "layouts" / "garden").mkdir(parents=True)
    (made[2] / "layouts" / "shop").symlink_to(pool)
    (made[3] / "layouts" / "garden" / "pond.txt").symlink_to(pool / "pond.txt")
    (made[4] / "layouts" / "garden" / "a").symlink_to(made[4] / "layouts")
    for kit in made:
        (line,) = check(kit)
        assert "is a link; replace it with a copy, or share a whole kit with `extends`" in line
        with pytest.raises(KitError, match="is a link"):
            generator.generate("isaac", 1, kit=str(kit))
    (tmp_path / "linked").symlink_to(theirs)
    ours = write_kit(tmp_path / "ours", "", 'extends = "../linked"')
    assert "garden" in read_kit(ours).kinds.rooms


def test_nothing_is_begun_in_a_folder_without_a_name_or_over_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "mine" / "layouts" / "garden" / "pond.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine", "utf-8")
    (tmp_path / "loop").symlink_to("loop")
    for name, status, says in (
        ("", 2, "DIR: is empty"),
        (
            "mine",
            1,
            "pond.txt: already exists, and nothing says that Undercroft wrote it, so nothing was written",
        ),
        ("loop", 2, "leads nowhere"),
    ):
        done = CliRunner().invoke(main, ["kit", "new", name])
        assert done.exit_code == status and says in done.stderr and "Traceback" not in done.stderr
    assert mine.read_text("utf-8") == "mine" and {each.name for each in tmp_path.iterdir()} == {
        "mine",
        "loop",
    }
    (tmp_path / "empty").mkdir()
    assert "or begin a kit with `undercroft kit new`" in CliRunner().invoke(main, ["check", "empty"]).stderr


# --- what only levels show ---------------------------------------------------------------------------


FERN = "map:\nv............\n" + ".............\n" * 6


@pytest.mark.parametrize(
    "row", ["encounters.stage", "chances.champions", "gungeon.floor", "crowd.gungeon", "motif.ring"]
)
def test_what_every_kit_has_cannot_be_taken_away(row: str, tmp_path: Path) -> None:
    with pytest.raises(
        KitError, match=rf"without\[0\]: '{row}' is in every kit; give a value of your own instead"
    ):
        read_kit(write_kit(tmp_path, "", f'without = ["{row}"]'))


def test_a_chapter_leaves_out_layouts_that_there_are(tmp_path: Path) -> None:
    head = 'without = ["chapter.gate"]'
    rows = '[chapter.roof]\nreplaces = "abyss"\npools = ["cellar"]\nwithout = [{}]'
    name = next(layout.name for layout in shipped("normal/cellar/easy"))
    (line,) = kit_audit(read_kit(write_kit(tmp_path / "wrong", rows.format(f'"{name}", "{name}x"'), head)))
    assert f"kit.toml: chapter.roof.without: unknown layout '{name}x'; did you mean {name}?" in line
    assert kit_audit(read_kit(write_kit(tmp_path / "right", rows.format(f'"{name}"'), head))) == []


def test_layouts_go_with_the_room_that_is_taken_away(tmp_path: Path) -> None:
    theirs = write_kit(tmp_path / "theirs", RULE)
    file = theirs / "layouts" / "garden" / "pond.txt"
    file.parent.mkdir(parents=True)
    file.write_text(FERN.replace("v", "."), "utf-8")
    write_kit(tmp_path / "ours", "", 'extends = "../theirs"\nwithout = ["room.garden"]')
    kit = write_kit(tmp_path / "more", "", 'extends = "../ours"')
    assert check(kit) == []
    level = generator.generate("isaac", 1, kit=str(kit))
    assert "garden" not in level.kinds.rooms and generator.problems(level) == []


@pytest.mark.parametrize(
    ("head", "rows", "layout", "says"),
    [
        ("", RULE, "", "kit.toml: room.garden: no layout fits the row; draw some in layouts/garden/"),
        ("", GARDEN, "gardn/pond", "pond.txt: is not in a pool; move it into"),
        ('extends = "../theirs"\nwithout = ["decor.fern"]', "", "", "ours/kit.toml: without: an inherited layout does not fit without decor.fern: "),
        ('without = ["room.start"]', "", "", "kit.toml: room: has no row start, which the style isaac needs"),
        ('without = ["room.normal"]', "", "", "room: has no row normal, which"),
        ('extends = "none"', "", "", "has no rows start and normal and boss, which the style isaac needs; add [room.start]"),
    ],
    ids=["no-layouts", "no-pool", "fern", "start", "normal", "none"],
)  # fmt: skip
def test_check_refuses_what_generate_refuses(
    head: str, rows: str, layout: str, says: str, tmp_path: Path
) -> None:
    fern = '[decor.fern]\nglyph = "v"\nwalk = true\nfly = true\nshoot = true\n'
    theirs = write_kit(tmp_path / "theirs", GARDEN + fern)
    kit = write_kit(tmp_path / "ours", rows, head)
    for folder, name in ((theirs, "garden/fern"), (kit, layout)):
        if name:
            file = folder / "layouts" / f"{name}.txt"
            file.parent.mkdir(parents=True)
            file.write_text(FERN if folder == theirs else FERN.replace("v", "."), "utf-8")
    assert kit_problems(kit) == []
    (line,) = check(kit)
    assert says in line
    with pytest.raises(BadInput) as told:
        generator.generate("isaac", 1, kit=str(kit), stage=1)
        for seed in range(40):
            generator.generate("isaac", seed, kit=str(kit))
    assert str(told.value) == line or says in str(told.value)


def test_a_layout_with_an_enemy_that_the_kit_leaves_out(tmp_path: Path) -> None:
    kit = write_kit(tmp_path, "", 'without = ["enemy.burrower"]')
    drawn = kit / "layouts" / "normal" / "any" / "easy" / "den.txt"
    drawn.parent.mkdir(parents=True)
    row = ".............\n"
    drawn.write_text(
        f"K = enemy name=burrower\nG = enemy name=grue\n\nmap:\n{row * 3}...K.....G...\n{row * 3}", "utf-8"
    )
    says = "the enemy 'burrower' is of the row enemy.burrower, which the kit leaves out; name another enemy, or keep the row"
    assert check(kit) == [f"{drawn}: {says}"]
