"""`undercroft gallery` and `studio`: pages for a browser that show many levels, and that make them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli import common, json_lines, runs, streams, writing
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, UndercroftError
from generator.seeds import count_of
from generator.value_words import how_many

if TYPE_CHECKING:
    from exporters.pages.cards import Card, CardOptions
    from generator.kinds import Kinds

# --- gallery -----------------------------------------------------------------------------------------

_ENDING = ".level.json"
_MAX_TOLD = 4  # sources in the page's title
_MAX_SEEDS = 1_000_000  # beyond, `search` finds them faster


@click.command(cls=HelpfulCommand)
@click.argument(
    "sources",
    metavar="SPEC|LEVEL.json|FOLDER...",
    nargs=-1,
    required=True,
    shell_complete=common.completes("levels_and_specs"),
)
@common.set_option
@runs.seeds_option()
@runs.where_option("Only levels that meet it; `search --facts` lists the facts.")
@runs.first_option("Stop after N levels. Default: all.")
@common.theme_option
@common.accept_edits_option
@runs.works_on_many
@common.file_option(
    "--out", "The page to write, or - to print it. Default: gallery.html.", default="gallery.html"
)
@writing.writes_files()
def gallery_command(
    sources: tuple[str, ...],
    values: tuple[str, ...],
    seeds: str | None,
    conditions: tuple[str, ...],
    first: int | None,
    theme: Path | None,
    accept_edits: bool,
    workers: runs.Workers,
    out: Path,
    output: writing.WriteOptions,
) -> None:
    """Show many levels on one HTML page, to sort, filter and look at in a browser.

    Give SPECs (names of presets or styles, or TOML files) with --seeds A:B, or saved levels; of a FOLDER, all
    levels are shown. The page is one file and needs no network.
    """
    from exporters.pages.cards import CardOptions
    from exporters.pages.gallery import gallery
    from exporters.theme.loader import load_theme

    writing.require_ending("--out", out, ".html", ".htm")
    specs = [source for source in sources if not _is_saved(source)]
    files = [(path, source) for source in sources if _is_saved(source) for path in _level_files(Path(source))]
    _check_use(specs, values, seeds)
    if accept_edits and not files:
        raise BadInput("--accept-edits: applies to saved levels, and these are specs; leave it out")
    styles = _styles(specs, values, files)
    kinds = tuple(dict.fromkeys(common.spec_with(name, values).load_kit().kinds for name in specs))
    where = _condition(conditions, styles, kinds)
    dressed, card_options = load_theme(theme), CardOptions(where, theme, styles, accept_edits, kinds)
    tasks = [*_spec_tasks(card_options, specs, values, seeds), *_file_tasks(card_options, files)]
    alone = len(tasks) == 1 and workers.executor == "processes" and workers.scheduler is None
    cards, failed = _cards(tasks, first, where, 1 if alone else workers)
    if failed:
        common.tell(f"{how_many(failed, 'seed')} gave no level")
    if not cards:
        raise UndercroftError(
            f"gallery: none of {sum(len(task[-1]) for task in tasks):,} levels can be shown"
        )
    page = gallery(cards, dressed, _title(sources, values, seeds, where), failed=failed, styles=styles)
    made_from = [*(path for path, _ in files), *dressed.sources]
    facts = {"levels": len(cards), "failed": failed, "bytes": len(page)}
    output.write_file(out, page, facts, made_from, printed_as="gallery.html")


def _is_saved(source: str) -> bool:
    from generator.spec import preset_names

    is_path = source.lower().endswith(".json") or Path(source).is_dir()
    return is_path and source not in preset_names(others=True)


def _level_files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    files = sorted(file for file in path.rglob(f"*{_ENDING}") if file.is_file())
    if not files:
        raise BadInput(f"{path}: contains no level; name a folder with {_ENDING} files in it")
    yield from files


def _styles(specs: list[str], values: tuple[str, ...], files: list[tuple[Path, str]]) -> tuple[str, ...]:
    """Return the styles that the levels may have. That of a file is known only when it is read."""
    from generator.styles.registry import usable_styles

    if files:
        return tuple(style.name for style in usable_styles())
    return tuple(dict.fromkeys(common.spec_with(name, values).style for name in specs))


def _condition(texts: Sequence[str], styles: tuple[str, ...], kinds: tuple[Kinds, ...]) -> str | None:
    """Return the condition that levels have to meet, if there is one. Raises Slip."""
    from generator.batch.condition import joined, parse_condition

    with runs.pointing_at_slips():
        return parse_condition(joined(texts), styles, kinds).text if texts else None


def _check_use(specs: list[str], values: tuple[str, ...], seeds: str | None) -> None:
    if specs and seeds is None:
        common.spec_with(specs[0], values)  # an unknown name is the first thing to tell
        raise BadInput(f"--seeds: is missing; say which levels of {specs[0]} to show, such as 0:48")
    if not specs and (seeds is not None or values):
        flag = "--set" if values else "--seeds"
        raise BadInput(f"{flag}: applies to a spec, and these levels are saved ones; leave it out")


def _spec_tasks(
    card_options: CardOptions, specs: list[str], values: tuple[str, ...], seeds: str | None
) -> Iterator[tuple[Any, ...]]:
    """Yield blocks of seeds for `seed_block`."""
    from exporters.pages.cards import LEVELS_A_BLOCK, SEEDS_A_BLOCK, CardSource, seed_block
    from generator.batch.run import blocks_of

    for name in specs:
        words = common.words_for("generate", name, values, card_options.theme)
        named = partial(common.default_name, name, values=values)
        spec = common.spec_with(name, values)
        source, numbers = CardSource(spec, name, tuple(words), named), runs.seeds_of(seeds or "", spec.style)
        if count_of(numbers) > _MAX_SEEDS:
            raise BadInput(
                f"--seeds: {seeds} is more than {_MAX_SEEDS} seeds; find some with `undercroft search` first"
            )
        for block in blocks_of(numbers, SEEDS_A_BLOCK if card_options.where else LEVELS_A_BLOCK):
            yield seed_block, card_options, source, block


def _file_tasks(card_options: CardOptions, files: list[tuple[Path, str]]) -> Iterator[tuple[Any, ...]]:
    """Yield blocks of files for `file_block`."""
    from exporters.pages.cards import LEVELS_A_BLOCK, file_block

    words = ("--out", "build", *(("--theme", str(card_options.theme)) if card_options.theme else ()))
    words += ("--accept-edits",) if card_options.accept_edits else ()
    for start in range(0, len(files), LEVELS_A_BLOCK):
        yield file_block, card_options, words, files[start : start + LEVELS_A_BLOCK]


def _cards(
    tasks: list[tuple[Any, ...]], first: int | None, where: str | None, workers: runs.Workers | int
) -> tuple[list[Card], int]:
    """Make the cards of the tasks, and count the seeds without a level. Raises BadInput for too many."""
    from exporters.pages.gallery import MAX_LEVELS, check_size

    most = MAX_LEVELS if first is None else first
    total = sum(len(task[-1]) for task in tasks)
    if most > MAX_LEVELS or (first is None and where is None and total > most):
        total = max(total if first is None else 0, first or 0)
        raise BadInput(
            f"gallery: {total} levels are too many for a page, which holds {MAX_LEVELS}; give --first N"
        )
    cards: list[Card] = []
    failed = size = 0
    for whole in runs.over_blocks(_work, tasks, total, workers, "drawing"):
        block = whole if first is None else whole.up_to(first - len(cards))
        cards += block.cards
        failed += len(block.failed)
        size += sum(len(card.tiles) for card in block.cards)
        check_size(size)
        if first is None and len(cards) > most:
            raise BadInput(
                f"gallery: more than {most} levels meet the condition, too many for a page; give --first N"
            )
        if first is not None and len(cards) >= first:
            break
    return cards, failed


def _work(task: tuple[Any, ...]) -> Any:
    """Do a task. Runs in a worker."""
    work, *arguments = task
    return work(tuple(arguments))


def _title(sources: tuple[str, ...], values: tuple[str, ...], seeds: str | None, where: str | None) -> str:
    more = f"{len(sources) - _MAX_TOLD} more" if len(sources) > _MAX_TOLD else ""
    of_seeds = f"seeds {streams.name_of(seeds)}" if seeds else ""
    return ", ".join(filter(None, (*sources[:_MAX_TOLD], more, *values, of_seeds, where)))


# --- studio ------------------------------------------------------------------------------------------


@click.command(cls=HelpfulCommand)
@click.argument("folder", metavar="[DIR]", type=common.ANY_PATH, default=".")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    default=8420,
    show_default=True,
    help="The port; 0 for any free one.",
)
@common.flag("--no-browser", "Open no browser; the address is printed in any case.")
@common.json_option
def studio_command(folder: Path, port: int, no_browser: bool, as_json: bool) -> None:
    """Open a page in the browser that makes, compares and writes levels of the project in DIR.

    Only this machine can open it. Ctrl-C stops it.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder}: is not a folder; name the one of your project")
    _require_extra()
    from exporters.studio.serving import serve

    def tell(address: str) -> None:
        json_lines.tell(as_json, address, "studio", address=address)
        if not no_browser:
            import webbrowser

            with contextlib.suppress(webbrowser.Error):
                webbrowser.open(address)

    serve(folder.resolve(), port, tell)


def _require_extra() -> None:
    """Raise BadInput unless all that the studio needs is installed."""
    from generator.installed import install_command, missing_of

    missing = missing_of("studio")
    if missing:
        raise BadInput(f"studio: {', '.join(missing)}: not installed; run {install_command('studio')}")
