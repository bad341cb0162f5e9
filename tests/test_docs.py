"""The documents do what they say: every command and every piece of code of the README and its pages runs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import numpy as np
import pytest
from PIL import Image

from generator.cli import main
from generator.interiors.layout_file import parse_layout
from generator.spec import parse_spec
from generator.styles.registry import BUILT_IN as STYLES
from tests.commands import program, undercroft_line
from tests.engines import HANG

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
DOCUMENTS = [*sorted(ROOT.glob("docs/*.md")), ROOT / "README.md"]
# Whatever has links that a reader of the repository may follow.
LINKING = [*DOCUMENTS, *sorted(ROOT.glob("docs/*/**/*.md")), ROOT / "CHANGELOG.md", *sorted(ROOT.glob("godot_addon/**/*.md")),
           *sorted(ROOT.glob(".github/*.md")),
           ROOT / "tests" / "benchmarks" / "README.md"]  # fmt: skip
# Pages whose commands are run one after the other, each page in a folder of its own.
WITH_COMMANDS = ("README.md", "docs/tiled.md", "docs/ldtk.md", "docs/commands.md", "docs/many-levels.md")
ELSEWHERE = "undercroft selftest"  # tests/test_versions.py makes the same levels and files
SPECS = (ROOT / "docs" / "specs.md").read_text("utf-8")


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_readme_holds_the_two_commands() -> None:
    assert "pip install . && undercroft generate isaac --seed 7 --out build\n" in blocks("sh")
    assert "pip install -e '.[test]' && pytest\n" in blocks("sh")
    assert "pip install -e '.[test]' && pytest\n" in (ROOT / ".ci" / "run").read_text("utf-8")


def _with_few_seeds(command: str) -> str:
    """A command that takes five seeds where it would take more, but for one that stops by itself."""
    if "--first" in command:
        return command
    return re.sub(r"--seeds (\d+):\d+", lambda found: f"--seeds {found[1]}:{int(found[1]) + 5}", command)


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_every_command_of_a_page_runs(page: str, tmp_path: Path) -> None:
    text = (ROOT / page).read_text("utf-8")
    lines = [
        line for block in blocks("sh", text) for line in block.splitlines() if line.startswith("undercroft ")
    ]
    assert len(lines) >= 4
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "project.godot").write_text("config_version=5\n", "utf-8")
    for line in (each for each in lines if not each.startswith(ELSEWHERE)):
        done = undercroft_line(_with_few_seeds(line), tmp_path)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        is_init = line.startswith("undercroft init")  # which says what to do next
        for told in [] if is_init else done.stderr.splitlines():  # nobody has edited these files
            assert re.search(
                "no edits|no differences|nothing was edited|seeds meet the condition|checked, no problems|dry run: ",
                told,
            ), f"{line}\n{told}"


def test_the_readme_is_short_and_its_figures_are_measured() -> None:
    """800 words at most; what it says of speed is no better than the table of benchmarks."""
    assert len(README.split()) <= 800
    words = README.replace("\n", " ")
    faster, slower = re.findall(
        r"port takes (\d+) times .* takes (\d+) times as long as `import numpy`", words
    )[0]
    table = (ROOT / "tests" / "benchmarks" / "README.md").read_text("utf-8")
    plan = re.findall(
        r"^\| `gungeon` plan, 50 rooms \| plain Python port \| ([\d.]+) \|", table, re.MULTILINE
    )[0]
    start = re.findall(
        r"^\| cold start to a Godot scene, `isaac` \| import numpy \| ([\d.]+)↓ \|", table, re.MULTILINE
    )[0]
    assert int(faster) <= 1.1 * float(plan)
    assert int(slower) >= 0.9 * float(start)


def test_the_commands_of_the_docs_are_those_that_there_are() -> None:
    """`docs/commands.md` and the pages that it leads to name each of them."""
    pages = ("commands", "many-levels", "pipelines", "pack", "addon", "studio")
    text = "".join((ROOT / "docs" / f"{page}.md").read_text("utf-8") for page in pages)
    assert set(re.findall(r"^undercroft ([a-z-]+)", text, re.MULTILINE)) >= set(
        main.list_commands(click.Context(main))
    )


def test_the_python_of_the_readme_runs(tmp_path: Path) -> None:
    """In a Python of its own, as a reader tries it."""
    (code,) = blocks("python")
    done = in_a_python_of_its_own(code, tmp_path)
    assert re.match(r"the boss is \d+ rooms away\n", done.stdout)
    assert [*(tmp_path / "build").glob("undercroft*.tres")]


def in_a_python_of_its_own(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "program.py").write_text(code, "utf-8")
    command = [sys.executable, "program.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=HANG)


def programs() -> list[tuple[str, str]]:
    """The pieces of Python on pages that are no guides, which are followed as a whole; each runs by itself."""
    pages = [page for page in DOCUMENTS if not page.stem.startswith(("write-", "tutorial-", "README"))]
    return [(page.stem, code) for page in pages for code in blocks("python", page.read_text("utf-8"))]


@pytest.mark.parametrize(("page", "code"), programs(), ids=lambda text: text[:20].strip())
def test_the_python_of_the_docs_runs(page: str, code: str, tmp_path: Path) -> None:
    """As a file, with `undercroft` alone, and what a comment says is printed is printed."""
    few = code.replace("range(100_000)", "range(300)").replace("range(100)", "range(20)")
    if "__main__" in code:  # starts processes, which import it
        done = in_a_python_of_its_own(few, tmp_path)
    else:
        (tmp_path / "program.py").write_text(few, "utf-8")
        done = program(tmp_path / "program.py")
    assert done.stderr == "", page
    assert not re.search(r"^(import|from) (generator|exporters)", code, re.MULTILINE)
    for said in re.findall(r"^ *print\((?:level|error)\)  # (.+)$", code, re.MULTILINE):
        assert said.rstrip("…") in done.stdout


PIPELINES = (ROOT / "docs" / "pipelines.md").read_text("utf-8")


def test_every_command_about_builds_runs(tmp_path: Path) -> None:
    """Those of the text one after the other; those of the CI recipes have a test of their own."""
    folder = shutil.copytree(ROOT / "docs" / "campaign", tmp_path / "game")
    (text,) = blocks("sh", PIPELINES)
    lines = text.splitlines()
    assert len(lines) == 5
    told = []
    for line in lines:
        done = undercroft_line(line, folder)
        assert (done.returncode, done.stderr) == (0, ""), line
        told.append(done.stdout)
    assert "generated" in told[0] and told[1].splitlines()[0].split() == ["group", "unchanged"]
    names = {path.name for path in (folder / "levels" / "descent").glob("*.ldtk")}
    assert len(names) == 13 and "descent-run.ldtk" in names  # one of each level, and one of all


def test_the_manifest_of_the_docs_is_one(tmp_path: Path) -> None:
    """With every key that there is, and every placeholder is in the table."""
    import exporters
    from exporters.builder.keys import PLACEHOLDERS
    from exporters.builder.manifest import load_manifest
    from exporters.builder.plan import BuildPlan
    from generator import generate

    text, rolled, asked, finished, shipped = blocks("toml", PIPELINES)
    (tmp_path / "undercroft.toml").write_text(text, "utf-8")
    (tmp_path / "cellar.toml").write_text("style = 'isaac'", "utf-8")
    (tmp_path / "options.toml").write_text("[godot]\nedit = false", "utf-8")
    shutil.copytree(Path(exporters.__file__).parent / "themes", tmp_path / "look")
    (tmp_path / "look" / "undercroft.toml").rename(tmp_path / "look" / "crypt.toml")
    levels = list(BuildPlan(load_manifest(tmp_path)))
    assert [len(level.outputs) for level in levels] == [3] * 4 + [1] * 3 + [3] * 2
    assert levels[2].outputs[0].path == "cellars/002" and levels[-1].seed == 12
    assert set(re.findall(r"`\{([a-z]+)\}`", PIPELINES)) == set(PLACEHOLDERS)
    (tmp_path / "undercroft.toml").write_text(rolled, "utf-8")
    (entrance,) = load_manifest(tmp_path).groups
    made = generate(entrance.spec, *entrance.seeds, rerolls=entrance.rerolls)
    assert (made.rooms[3].kind, len(made.rerolls)) == ("normal", 2)
    (tmp_path / "undercroft.toml").write_text(asked, "utf-8")
    (mazes,) = load_manifest(tmp_path).groups
    assert mazes.query().condition().facts and (mazes.seeds, mazes.first) == (range(200), 3)
    (tmp_path / "undercroft.toml").write_text(finished, "utf-8")
    exporters.export(made, ["json"], name="cellar-2").write(tmp_path / "handmade")
    (level,) = BuildPlan(load_manifest(tmp_path))
    assert level.outputs[0].path == "handmade/cellar-2"
    (tmp_path / "undercroft.toml").write_text(shipped, "utf-8")
    packs = BuildPlan(load_manifest(tmp_path)).packs
    assert [(pack.label, pack.levels) for pack in packs] == [("cellars.ucpack", 1000), ("descent.ucpack", 2)]


@pytest.mark.parametrize("text", blocks("toml", SPECS))
def test_the_specs_of_the_docs_are_some(text: str) -> None:
    """What a spec does not name has its style's default."""
    given = tomllib.loads(text)
    usual = parse_spec(f"style = {given['style']!r}").to_dict()
    for table in given.keys() & {"state", "plan"}:
        given[table] = {**usual[table], **given[table]}
    assert parse_spec(text).to_dict() == {**usual, **given}
    assert {tomllib.loads(block)["style"] for block in blocks("toml", SPECS)} == set(STYLES)


def test_the_layouts_of_the_docs_are_some() -> None:
    docs = (ROOT / "docs" / "layouts.md").read_text("utf-8")
    texts = [block for block in blocks("", docs) if "map:" in block]
    pond, varied, plus = (parse_layout(_without_notes(text), Path("room.txt")) for text in texts)
    assert pond.size == varied.size == (13, 7) and plus.size == (15, 11)
    assert pond.weight == 2 and varied.variations.keys() == {"Z", "Y"} and len(plus.exits) == 4


def _without_notes(text: str) -> str:
    """A layout of the docs without what they say of its letters beside them."""
    return re.sub(r"^([A-Z] = .*?)   .*", r"\1", text, flags=re.MULTILINE)


@pytest.mark.soak
def test_the_picture_came_out_of_the_program(tmp_path: Path) -> None:
    """`docs/pictures/README.md` holds the command of each picture."""
    commands = blocks("sh", (ROOT / "docs" / "pictures" / "README.md").read_text("utf-8"))
    lines = [line for block in commands for line in block.splitlines()]
    assert lines
    for line in lines:
        assert undercroft_line(line, tmp_path).returncode == 0
        has_text = "--name" not in line
        (name,) = re.findall(r"--(?:name|png|plot) (\S+)", line) or [f"{line.split()[3]}-plans"]
        name = f"{name.removesuffix('.png')}.png"
        folders = (tmp_path, ROOT / "docs" / "pictures")
        made, kept = (np.asarray(Image.open(folder / name).convert("RGBA")) for folder in folders)
        others = np.mean(made != kept) if made.shape == kept.shape else 1.0
        assert others <= (0.01 if has_text else 0), f"{name} is out of date: run {line}"


@pytest.mark.parametrize("path", LINKING, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    """Pictures too, and places within a page."""
    text = path.read_text("utf-8")
    for target in re.findall(r'\]\(([^)]+)\)|(?:src|href)="([^"]+)"', text):
        to, _, place = "".join(target).partition("#")
        if not to.startswith("http"):
            page = path.parent / to if to else path
            assert page.exists(), to
            assert not place or place in _places(page), f"{to}#{place}"


def _places(page: Path) -> set[str]:
    """The names of a page's headings in links."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_source_that_code_names_by_a_number_is_on_the_page_of_sources() -> None:
    """`isaac-facts 4.5 to 4.7` and `isaac-facts 4.6, 4.7` in code and kits."""
    files = [path for folder in ("generator", "exporters") for path in (ROOT / folder).rglob("*.*")]
    texts = [path.read_text("utf-8") for path in files if path.suffix in {".py", ".toml"}]
    named = {
        number
        for text in texts
        for found in re.findall(r"isaac-facts ((?:\d\.\d+(?:, | to |, and )?)+)", text)
        for number in re.findall(r"\d\.\d+", found)
    }
    listed = re.findall(r"^\| (\d\.\d+) \|", (ROOT / "docs" / "sources.md").read_text("utf-8"), re.MULTILINE)
    assert named and named <= set(listed)
