"""`undercroft init`: what a project begins with: a spec, a manifest, files for Git and CI, and schemas.

our-game/
  undercroft.toml               which levels there are
  specs/dungeon.toml            what they are like
  .gitignore
  .gitattributes                Git keeps the line endings of what Undercroft writes
  .github/workflows/levels.yml  or .gitlab-ci.yml
  .schemas/                     for editors: they complete and check the TOML files
"""

from __future__ import annotations

from collections.abc import Iterator

from exporters.edits.policy import WORKPLACE
from exporters.schemas import SCHEMAS_FOLDER, directive_line
from generator.named_tuple import NamedTuple
from generator.shipped_files import shipped_folder
from generator.spec import LevelSpec, describe, parse_spec, preset_text
from generator.styles.registry import BUILT_IN, style
from generator.value_words import said_range, toml
from generator.version import VERSION

# --- CI ----------------------------------------------------------------------------------------------

# What CI installs if nobody says otherwise: another version may make other levels.
REQUIREMENT = f"undercroft=={VERSION}"

CI_FILES = {"github": ".github/workflows/levels.yml", "gitlab": ".gitlab-ci.yml"}


def recipe(ci: str, *, committed: bool, requirement: str = REQUIREMENT) -> str:
    """Write the text of a CI file, which checks levels that are committed, or else builds them."""
    return _template(f"{ci}-{'check' if committed else 'build'}.yml").replace(
        '"REQUIREMENT"', f'"{requirement}"'
    )


def _template(name: str) -> str:
    return (shipped_folder("exporters") / "project" / "recipes" / name).read_text("utf-8")


# --- all files ---------------------------------------------------------------------------------------

MANIFEST_FILE = "undercroft.toml"
SPEC_FILE = "specs/dungeon.toml"
LEVELS_FOLDER = "levels"
_GROUP = "Level"  # the values that a first spec shows: those of this heading, and not the whole list


class ProjectWish(NamedTuple):
    """What a new project is to be like.

    `committed`: its levels go into version control. `in_game`: it lies in a Godot project, so `godot` may
    come to its formats. `ci` is a key of `CI_FILES`, or empty.
    """

    preset: str = BUILT_IN[0]
    ci: str = "github"
    committed: bool = False
    in_game: bool = False
    formats: tuple[str, ...] = ("json", "png")
    requirement: str = REQUIREMENT


def project_files(wish: ProjectWish) -> dict[str, str]:
    """Write the files by their paths, without the schemas. Raises SpecError for an unknown preset."""
    spec = parse_spec(preset_text(wish.preset), wish.preset)
    files = {
        MANIFEST_FILE: directive_line(SCHEMAS_FOLDER, "manifest") + _manifest(wish, spec),
        SPEC_FILE: directive_line(f"../{SCHEMAS_FOLDER}", "spec") + spec_text(wish.preset, spec),
        ".gitignore": _template("gitignore.txt").format(levels=_ignored(wish)),
        ".gitattributes": _template("gitattributes.txt").format(levels=LEVELS_FOLDER, schemas=SCHEMAS_FOLDER),
    }
    if wish.ci:
        files[CI_FILES[wish.ci]] = recipe(wish.ci, committed=wish.committed, requirement=wish.requirement)
    return files


def _ignored(wish: ProjectWish) -> str:
    """Return the lines for git by which levels are ignored, but no scene that a person works in."""
    if wish.committed:
        return ""
    if not wish.in_game and "godot" not in wish.formats:
        return f"/{LEVELS_FOLDER}/\n"
    below = f"/{LEVELS_FOLDER}/**"
    return f"{below}\n!{below}/\n!{below}/*{WORKPLACE}\n"  # git looks into no folder that is ignored


def _manifest(wish: ProjectWish, spec: LevelSpec) -> str:
    formats = ", ".join(f'"{form}"' for form in wish.formats)
    first = next(iter(_common_values(spec)))
    return _template("manifest.txt").format(
        levels=LEVELS_FOLDER,
        formats=f"[{formats}]",
        spec=SPEC_FILE,
        key=first["key"],
        value=toml(first["default"]),
    )


def spec_text(preset: str, spec: LevelSpec) -> str:
    """Write a preset's TOML, and the other values of its first heading, commented out."""
    text = preset_text(preset).rstrip("\n")
    set_there = {line.partition("=")[0].strip() for line in text.splitlines()}
    lines = [text, "", f"# More values; `undercroft describe {spec.style}` lists them all:"]
    for row in _common_values(spec):
        if row["key"] not in set_there:
            lines += ["", f"# {row['help']} ({said_range(row)})", f"# {row['key']} = {toml(row['default'])}"]
    return "\n".join(lines) + "\n"


def _common_values(spec: LevelSpec) -> Iterator[dict[str, object]]:
    rows = [row for row in describe(style(spec.style).spec) if "." not in row["key"]]
    return iter([row for row in rows if row.get("group") == _GROUP] or rows)
