"""What `--help` prints: options under headings, commands with whole summaries, and examples that run."""

from __future__ import annotations

from collections.abc import Mapping

import click

_FEW = 6  # options that need no headings
_FILES = (
    "--to",
    "--theme",
    "--option",
    "--options",
    "--out",
    "--name",
    "--edits",
    "--dry-run",
    "--force",
    "--replace",
)
_OUTPUT = ("--quiet", "--json", "--color", "--help")


def write_options(command: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Write the options of a command: what is made, which files are written, and what is printed."""
    sections: dict[str, list[tuple[str, str]]] = {"Options": [], "Files": [], "Output": []}
    options = _options(command, ctx)
    for option in options:
        record = option.get_help_record(ctx)
        if record is not None:
            sections[_heading(option) if len(options) > _FEW else "Options"].append(record)
    for heading, rows in sections.items():
        if rows:
            with formatter.section(heading):
                formatter.write_dl(rows)


def _options(command: click.Command, ctx: click.Context) -> list[click.Option]:
    return [param for param in command.get_params(ctx) if isinstance(param, click.Option)]


def _heading(option: click.Option) -> str:
    if any(name in _FILES for name in option.opts):
        return "Files"
    return "Output" if any(name in _OUTPUT for name in option.opts) else "Options"


def write_commands(sections: Mapping[str, Mapping[str, str]], formatter: click.HelpFormatter) -> None:
    """Write the commands under their headings, all summaries in one column."""
    widest = max(len(name) for section in sections.values() for name in section)
    for heading, section in sections.items():
        with formatter.section(heading):
            formatter.write_dl([(f"{name:{widest}}", summary) for name, summary in section.items()])


def write_examples(path: str, formatter: click.HelpFormatter) -> None:
    """Write the examples of the command of a path such as `undercroft layouts show`."""
    examples = examples_of(path)
    if not examples:
        return
    with formatter.section("Examples"):
        for index, (purpose, line) in enumerate(examples):
            lines = ([""] if index else []) + [f"# {purpose}", line]
            for text in lines:
                formatter.write(f"{'':{formatter.current_indent}}{text}".rstrip() + "\n")


OVERVIEW = """\
Undercroft makes 2D dungeon levels from a seed, for Godot, Tiled, LDtk and more.

Three commands to begin with:

  undercroft show isaac --seed 7                     see a level here, as text
  undercroft generate isaac --seed 7 --out build     write it in every format
  undercroft describe isaac                          see what you can change

`undercroft --help` lists all commands; `undercroft COMMAND --help` explains one.
"""


# --- examples ----------------------------------------------------------------------------------------

_PROGRAM = "undercroft"

# By the command's path without the program; a line stands for `undercroft` and what is written here.
_EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "": (
        ("See a level here, as text", "show isaac --seed 7"),
        ("Write it as a Godot scene", "generate isaac --seed 7 --to godot --out build"),
        ("See what you can change", "describe isaac"),
    ),
    "init": (
        ("In a new folder", "init our-game"),
        ("With another style, and a CI file for GitLab", "init our-halls --preset gungeon --ci gitlab"),
        ("In a Godot project, with levels in version control",
         "init game/levels --godot --commit-levels"),
    ),
    "schema": (
        ("The list", "schema"),
        ("One, to look at", "schema spec | less"),
        ("All of them, for an editor", "schema --out .schemas"),
        ("With what a kit of your own adds", "schema --kit our-kit --out .schemas"),
    ),
    "selftest": (
        ("On a new machine", "selftest"),
        ("In a script: nothing is printed if all is equal", "selftest --quiet"),
    ),
    "generate": (
        ("The level of seed 7 in every format", "generate isaac --seed 7 --out build"),
        ("A Godot scene of a later stage", "generate rebirth --set stage=5 --to godot --out build"),
        ("A spec of your own, as a picture twice as large",
         "generate cellar.toml --to png --option png.scale=2 --out build"),
        ("The level as JSON, for another program", "generate isaac --to json --out - > level.json"),
    ),
    "run": (
        ("The levels of a whole run", "run isaac --seed 7 --to json --out build"),
        ("What a run is like, and no levels", "run isaac --seed 7 --stats"),
        ("The first two stages on one page", "run isaac --seed 7 --stages 1:3 --html run.html"),
    ),
    "build": (
        ("Build what undercroft.toml asks for", "build"),
        ("After an upgrade: see which levels would change, and why", "build --dry-run"),
        ("In CI: fail if a file is not what would be built", "build --check"),
    ),
    "pack": (
        ("A hundred levels in one file", "pack isaac --seeds 0:100 --out levels.ucpack"),
    ),
    "export": (
        ("A saved level for Tiled and LDtk",
         "export build/isaac-7.level.json --to tiled --to ldtk --out maps"),
        ("Its picture, for another program",
         "export build/isaac-7.level.json --to png --out - > level.png"),
    ),
    "show": (
        ("A level", "show gungeon --seed 3"),
        ("Its floorplan alone", "show isaac --seed 7 --floorplan"),
        ("A saved level, in colours for a pager",
         "show build/isaac-7.level.json --color always | less -R"),
    ),
    "check": (
        ("Everything in a folder", "check levels"),
        ("A spec of your own", "check cellar.toml"),
    ),
    "search": (
        ("Three seeds with three loops", 'search gungeon --where "loops == 3" --seeds 0:99 --first 3'),
        ("What a condition may ask about", "search isaac --facts"),
    ),
    "stats": (
        ("What a hundred levels are like", "stats isaac --seeds 0:100"),
    ),
    "audit": (
        ("Check a hundred levels of your spec", "audit cellar.toml --seeds 0:100"),
    ),
    "gallery": (
        ("Twenty levels side by side", "gallery isaac --seeds 0:20 --out gallery.html"),
    ),
    "studio": (
        ("Make levels in the browser", "studio"),
        ("Of another project, on any free port; open the printed address yourself",
         "studio games/crypt --port 0 --no-browser"),
    ),
    "import": (
        ("A map that you edited in Tiled", "import build/isaac-7.tmj --out build"),
    ),
    "sync": (
        ("Carry what you painted in Tiled over to Godot and LDtk", "sync build"),
    ),
    "diff": (
        ("What you changed in a map in Tiled", "diff build/isaac-7.tmj"),
        ("What a changed spec would do to a saved level", "diff build/isaac-7.level.json cellar.toml"),
        ("Two specs with one seed, as a picture as well",
         "diff isaac labyrinth --seed 7 --png diff.png"),
    ),
    "reroll": (
        ("Another inside for room 3", "reroll build/isaac-7.level.json --room 3"),
        ("Other enemies everywhere but in room 0",
         "reroll build/isaac-7.level.json --pin 0 --what markers"),
    ),
    "presets": (
        ("Which presets there are", "presets"),
        ("Start a spec of your own", "presets isaac > cellar.toml"),
        ("The same with every value and what it means", "presets isaac --full > cellar.toml"),
    ),
    "describe": (
        ("Presets, styles and formats", "describe"),
        ("Every value of a preset's style", "describe isaac"),
        ("Every option of a format, as JSON", "describe png --json"),
    ),
    "layouts": (
        ("See the boss rooms", "layouts show boss"),
        ("Begin a room to draw in Tiled", "layouts new boss --to tiled --name den --out rooms"),
    ),
    "layouts show": (
        ("One layout", "layouts show boss/colosseum"),
        ("All boss rooms in one picture", "layouts show boss --png boss.png"),
    ),
    "layouts check": (
        ("Every layout in a folder", "layouts check our-layouts"),
    ),
    "layouts stats": (
        ("Which boss rooms come how often", "layouts stats isaac --seeds 0:100 --pool boss"),
    ),
    "layouts new": (
        ("A boss room to draw in Tiled", "layouts new boss --to tiled --name den --out rooms"),
        ("A room of any outline for the style gungeon",
         "layouts new treasure --free 12x9 --to ldtk --name hoard --out rooms"),
        ("A copy of a layout, as text", "layouts new boss --like boss/colosseum --to txt --name arena"),
    ),
    "layouts import": (
        ("The room that you drew in Tiled", "layouts import rooms/den.tmj --out our-layouts"),
    ),
    "flow": (
        ("Which flows ship with Undercroft", "flow show"),
        ("See one", "flow show hub"),
    ),
    "flow show": (
        ("Which flows ship with Undercroft", "flow show"),
        ("One as a picture", "flow show hub --svg > hub.svg"),
        ("Start a flow of your own", "flow show hub --toml > our-flow.toml"),
    ),
    "flow check": (
        ("A flow of your own, grown from 50 seeds", "flow check our-flow.toml --seeds 50"),
    ),
    "flow import": (
        ("A graph drawn in another tool", "flow import plan.dot > our-flow.toml"),
    ),
    "kit": (
        ("Begin a kit", "kit new our-kit"),
        ("See a level with it", "show isaac --set kit=our-kit"),
    ),
    "kit new": (
        ("Begin a kit", "kit new our-kit"),
    ),
    "kit keys": (
        ("Read what every key means", "kit keys | less"),
    ),
    "theme": (
        ("Begin a theme from a sheet of tiles", "theme new tiles.png --tile-size 16"),
        ("See what is missing in it", "theme check tiles.toml"),
    ),
    "theme new": (
        ("From a picture with tiles of 16 px", "theme new tiles.png --tile-size 16"),
        ("From a tileset of Tiled", "theme new tiles.tsx --name crypt"),
    ),
    "theme check": (
        ("Draw everything with a theme", "theme check tiles.toml --out look"),
    ),
    "addon": (
        ("Install the addon", "addon install game"),
    ),
    "addon path": (
        ("Where the addon's files are", "addon path"),
    ),
    "addon install": (
        ("Into the Godot project in the folder game", "addon install game"),
    ),
}  # fmt: skip


def examples_of(path: str) -> list[tuple[str, str]]:
    """Return what is done and its line, for a command's path such as `undercroft layouts show`."""
    examples = _EXAMPLES.get(path.removeprefix(_PROGRAM).strip(), ())
    return [(purpose, f"{_PROGRAM} {line}") for purpose, line in examples]
