"""`undercroft init` and `schema`: what a project begins with, and schemas for editors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import common, json_lines, streams, writing
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, hint, shown

if TYPE_CHECKING:
    from exporters.writing import WriteOutcome

# --- init --------------------------------------------------------------------------------------------

_LISTS = {".gitignore", ".gitattributes"}  # may be there already: whoever has one adds our lines to it


@click.command(cls=HelpfulCommand)
@click.argument("folder", metavar="[DIR]", default=".", type=common.FOLDER)
@click.option(
    "--preset",
    "--style",
    "preset",
    metavar="NAME",
    help="The preset or the style that the first spec begins with. Default: isaac.",
)
@click.option(
    "--ci",
    type=click.Choice(("github", "gitlab", "none")),
    default="github",
    help="The CI whose file is written. Default: github.",
)
@common.flag(
    "--commit-levels",
    "Keep the levels in version control, and let CI check them. Without it, CI builds them.",
)
@click.option(
    "--install",
    "requirement",
    metavar="WHAT",
    help="What pip installs in CI: a wheel, a folder, an address or a version.",
)
@common.flag("--godot", "Write the levels as Godot scenes: the default if DIR lies in a Godot project.")
@writing.writes_files(None, has_quiet=False)
def init_command(
    folder: Path,
    preset: str | None,
    ci: str,
    commit_levels: bool,
    requirement: str | None,
    godot: bool,
    output: writing.WriteOptions,
) -> None:
    """Begin a project in DIR, which is the current folder by default: a manifest, a spec, a CI file,
    .gitignore, .gitattributes, and schemas for editors. No file that exists is changed.
    """
    from exporters.project import REQUIREMENT, ProjectWish, project_files
    from exporters.schemas import SCHEMAS_FOLDER

    wanted = requirement or REQUIREMENT
    if not wanted.isprintable() or '"' in wanted or "\\" in wanted:
        raise BadInput(f"--install: {shown(wanted)} cannot stand in a CI file; leave out quotes and \\")
    project = _godot_project(folder, is_asked=godot)
    formats = ("godot",) if project else ("json", "png")
    wish = ProjectWish(ci="" if ci == "none" else ci, committed=commit_levels, formats=formats)
    wish = wish._replace(preset=preset or wish.preset, requirement=wanted, in_game=_is_in_game(folder))
    files = project_files(wish)
    outcome = _write(folder, files, output)
    steps = list(_next_steps(folder, project, ci, wanted))
    output._replace(quiet=not output.dry_run).report(outcome, {"next": steps})
    if output.as_json or output.dry_run:
        return
    for path in outcome.paths:
        if path.parent.name != SCHEMAS_FOLDER:
            click.echo(path)
    click.echo(folder / SCHEMAS_FOLDER)
    for line in ("next:", *(f"  {step}" for step in steps)):
        click.echo(line, err=True)


def _write(folder: Path, files: dict[str, str], output: writing.WriteOptions) -> WriteOutcome:
    """Write the files and the schemas, if none of them is there. Raises BadInput, which names those."""
    from exporters.bundle import Bundle
    from exporters.schemas import SCHEMAS_FOLDER, schema_files

    schemas = schema_files()
    existing = [name for name in files if _is_there(folder / name)]
    if any(_is_there(folder / SCHEMAS_FOLDER / name) for name in schemas):
        existing.append(SCHEMAS_FOLDER)
    if in_the_way := [name for name in existing if name not in _LISTS]:
        raise BadInput(f"{folder}: {_refusal(folder, in_the_way)}")
    for name in existing:
        lines = " ".join(line for line in files.pop(name).splitlines() if not line.startswith("#"))
        common.tell(f"{folder / name}: stays as it is; add these lines to it: {lines}")
    bundle = Bundle({name: text.encode() for name, text in files.items()})
    written = output.put(bundle, folder, None)  # they are a person's from now on
    ours = Bundle({name: text.encode() for name, text in schemas.items()})
    return written.joined(output.put(ours, folder / SCHEMAS_FOLDER, "keep"))


def _refusal(folder: Path, in_the_way: Sequence[str]) -> str:
    """Tell why no project can begin in a folder, with the remedy."""
    from exporters.project import MANIFEST_FILE

    if MANIFEST_FILE in in_the_way:
        return f"is a project already; run `{_build(folder)}`, or name another folder"
    return f"has {', '.join(in_the_way)} already; name another folder, or move them away"


def _build(folder: Path) -> str:
    """Return the command that builds the project in a folder."""
    from shlex import quote

    return "undercroft build" if folder == Path() else f"undercroft build {quote(str(folder))}"


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _is_in_game(folder: Path) -> bool:
    absolute = folder.absolute()
    return any((above / "project.godot").is_file() for above in (absolute, *absolute.parents))


def _godot_project(folder: Path, *, is_asked: bool) -> Path | None:
    """Find the folder of the Godot project that imports a folder, if any. Raises BadInput if `is_asked`."""
    absolute = folder.absolute()
    for above in (absolute, *absolute.parents):
        if (above / ".gdignore").exists():
            if not is_asked:
                return None
            raise BadInput(f"{above / '.gdignore'}: Godot imports nothing below it; name another folder")
        if (above / "project.godot").is_file():
            return above
    if not is_asked:
        return None
    raise BadInput(f"{folder}: is not in a Godot project; name a folder below the one with project.godot")


def _next_steps(folder: Path, project: Path | None, ci: str, requirement: str) -> Iterator[str]:
    from shlex import quote

    from exporters.project import CI_FILES, LEVELS_FOLDER, MANIFEST_FILE, SPEC_FILE

    to_get = _to_get(folder, requirement) if ci != "none" else ""
    yield f"{_build(folder)}   makes the levels in {folder / LEVELS_FOLDER}"
    yield f"change {folder / SPEC_FILE} and {folder / MANIFEST_FILE}, and build again"
    if project:
        yield f"undercroft addon install {quote(str(project))}   puts the Godot addon into the project"
    elif not to_get:
        yield f"undercroft show {quote(str(folder / SPEC_FILE))}   prints a level as text"
    if ci == "none":
        return
    if _is_below_the_top(folder, project):
        note = "is found only at the top of a repository: move it there and adapt it (docs/project.md)"
        yield f"{folder / CI_FILES[ci]} {note}"
    if to_get:
        yield to_get


def _to_get(folder: Path, requirement: str) -> str:
    """Tell what is to be done so that CI can install the requirement. Empty for nothing."""
    from shlex import quote

    from exporters.project import REQUIREMENT

    wheel = Path(requirement)
    if wheel.suffix == ".whl" and not wheel.is_absolute() and ":" not in requirement:
        tools = quote((folder / wheel.parent).as_posix())
        words = f"pip wheel --no-deps --wheel-dir {tools} PATH-OF-THE-CHECKOUT"
        return f"{words}   makes the wheel for CI; commit it"
    if requirement == REQUIREMENT and ".dev" in requirement:
        return f"in the CI file, name a wheel or an address: no index has {requirement} (docs/project.md)"
    return ""


def _is_below_the_top(folder: Path, project: Path | None) -> bool:
    """Check whether a folder is below the top of its repository, so that no CI looks for a file there."""
    absolute = folder.absolute()
    if (absolute / ".git").exists():
        return False
    is_below = any((above / ".git").exists() for above in absolute.parents)
    return is_below or (project is not None and project != absolute)


# --- schema ------------------------------------------------------------------------------------------


@click.command(cls=HelpfulCommand)
@click.argument("name", metavar="[NAME]", required=False)
@common.folder_option("--out", "The folder to write to, as NAME.schema.json, or - to print. Default: -.")
@common.folder_option(
    "--kit", "The folder of your own kit: specs, manifests, flows and themes may then have what it adds."
)
@writing.writes_files("keep")
def schema_command(
    name: str | None, out: Path | None, kit: Path | None, output: writing.WriteOptions
) -> None:
    """Print the JSON Schema NAME, or write schemas to a folder; without both, list them.

    Editors with a schema complete the keys of a TOML file, explain them, and mark what is wrong. The first
    line of the file names its schema: `#:schema ./.schemas/spec.schema.json`. `undercroft init` sets that up.
    """
    from exporters.bundle import Bundle
    from exporters.schemas import all_schemas, schema_file, schema_text

    schemas = all_schemas(common.kit_in(kit) if kit else None)
    if name is not None and name not in schemas:
        raise BadInput(f"NAME: unknown schema {shown(name)}; {hint(name, list(schemas))}")
    chosen = schemas if name is None else {name: schemas[name]}
    if out is not None and not streams.is_dash(out):
        files = {schema_file(title): schema_text(schema).encode() for title, schema in chosen.items()}
        output.write(Bundle(files), out, {}, inert=True)
    elif output.as_json:
        for title, schema in chosen.items():
            json_lines.emit("schema", name=title, schema=schema)
    elif name is not None:
        click.echo(schema_text(schemas[name]), nl=False)
    else:
        width = max(map(len, schemas))
        for title, schema in schemas.items():
            click.echo(f"{title:{width}}  {schema['description']}")
