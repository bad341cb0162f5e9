"""`undercroft gallery`: many levels on one page for a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli import common, runs, writing
from generator.errors import BadInput

if TYPE_CHECKING:
    from exporters.pages.cards import Card, CardOptions
    from generator.kinds import Kinds

_ENDING = ".level.json"
_MOST_TOLD = 4  # sources in the page's title
_MOST_SEEDS = 1_000_000  # beyond, `search` finds them faster


@click.command()
@click.argument("sources", metavar="SPEC|LEVEL.json|FOLDER...", nargs=-1, required=True)
@common.set_option
@runs.seeds_option(required=False)
@click.option(
    "--where", metavar="CONDITION", help="Only levels that meet it; `search --facts` lists the facts."
)
@click.option("--first", type=click.IntRange(1), metavar="N", help="Stop after so many levels. Default: all.")
@common.theme_option
@common.accept_edits_option
@runs.jobs_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default="gallery.html",
    show_default=True,
    metavar="FILE",
    help="The page to write.",
)
@writing.writes_files()
def command(
    sources: tuple[str, ...],
    values: tuple[str, ...],
    seeds: str | None,
    where: str | None,
    first: int | None,
    theme: Path | None,
    accept_edits: bool,
    jobs: int,
    out: Path,
    how: writing.WriteOptions,
) -> None:
    """Show many levels on one HTML page, to be sorted, filtered and looked at in a browser.

    Levels of SPECs, names of presets or styles or TOML files, of --seeds A:B; or saved levels, of
    FOLDERs all. The page is one file and needs no network.
    """
    from exporters.pages.cards import CardOptions
    from exporters.pages.gallery import gallery
    from exporters.theme.loader import load_theme

    specs = [source for source in sources if not _is_saved(source)]
    files = [(path, source) for source in sources if _is_saved(source) for path in _level_files(Path(source))]
    _check_use(specs, values, seeds)
    if accept_edits and not files:
        raise BadInput("--accept-edits: is for saved levels, and these are specs; leave it out")
    styles = _styles(specs, values, files)
    kinds = tuple(dict.fromkeys(common.spec_with(name, values).load_kit().kinds for name in specs))
    _check_condition(where, styles, kinds)
    dressed, look = load_theme(theme), CardOptions(where, theme, styles, accept_edits, kinds)
    tasks = [*_spec_tasks(look, specs, values, seeds), *_file_tasks(look, files)]
    cards, failed = _cards(tasks, first, where, jobs)
    if failed:
        click.echo(f"undercroft: no level was found for {failed} seeds", err=True)
    if not cards:
        click.echo("undercroft: there is no level to show", err=True)
        raise SystemExit(1)
    page = gallery(cards, dressed, _title(sources, values, seeds, where), failed=failed, styles=styles)
    made_from = [*(path for path, _ in files), *dressed.sources]
    out = writing.write_file(out, page, made_from, how.edits)
    if how.as_json:
        told = {"file": str(out), "levels": len(cards), "failed": failed, "bytes": len(page)}
        click.echo(json.dumps(told))
    elif not how.quiet:
        click.echo(out)


def _is_saved(source: str) -> bool:
    from generator.spec import preset_names

    is_path = source.lower().endswith(".json") or Path(source).is_dir()
    return is_path and source not in preset_names(others=True)


def _level_files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    found = sorted(one for one in path.rglob(f"*{_ENDING}") if one.is_file())
    if not found:
        raise BadInput(f"{path}: holds no level; name a folder with {_ENDING} files in it")
    yield from found


def _styles(specs: list[str], values: tuple[str, ...], files: list[tuple[Path, str]]) -> tuple[str, ...]:
    """Those that the levels may be of; a file's is known only when it is read."""
    from generator.styles.registry import usable_styles

    if files:
        return tuple(each.name for each in usable_styles())
    return tuple(dict.fromkeys(common.spec_with(name, values).style for name in specs))


def _check_condition(where: str | None, styles: tuple[str, ...], kinds: tuple[Kinds, ...]) -> None:
    from generator.batch.condition import Slip, parse_condition

    try:
        if where is not None:
            parse_condition(where, styles, kinds)
    except Slip as slip:
        click.echo(slip.caret, err=True)
        raise


def _check_use(specs: list[str], values: tuple[str, ...], seeds: str | None) -> None:
    if specs and seeds is None:
        raise BadInput(f"--seeds: is missing; say which levels of {specs[0]} to show, such as 0:48")
    if not specs and (seeds is not None or values):
        flag = "--set" if values else "--seeds"
        raise BadInput(f"{flag}: is for a spec, and these levels are made already; leave it out")


def _spec_tasks(
    look: CardOptions, specs: list[str], values: tuple[str, ...], seeds: str | None
) -> Iterator[tuple[Any, ...]]:
    """Blocks of seeds for `seed_block`."""
    from exporters.pages.cards import LEVELS_A_BLOCK, SEEDS_A_BLOCK, CardSource, seed_block
    from generator.batch.run import blocks_of, count_of, seed_range

    numbers = seed_range(seeds) if seeds is not None else range(0)
    if count_of(numbers) > _MOST_SEEDS:
        raise BadInput(
            f"--seeds: {seeds} are more than {_MOST_SEEDS}; find some with `undercroft search` first"
        )
    for name in specs:
        words = ["undercroft", "generate", name, *(word for each in values for word in ("--set", each))]
        words += ["--theme", str(look.theme)] if look.theme else []
        named = partial(common.default_name, name, values=values)
        source = CardSource(common.spec_with(name, values), name, tuple(words), named)
        for block in blocks_of(numbers, SEEDS_A_BLOCK if look.where else LEVELS_A_BLOCK):
            yield seed_block, look, source, block


def _file_tasks(look: CardOptions, files: list[tuple[Path, str]]) -> Iterator[tuple[Any, ...]]:
    """Blocks of files for `file_block`."""
    from exporters.pages.cards import LEVELS_A_BLOCK, file_block

    words = ("--out", "build", *(("--theme", str(look.theme)) if look.theme else ()))
    words += ("--accept-edits",) if look.accept_edits else ()
    for start in range(0, len(files), LEVELS_A_BLOCK):
        yield file_block, look, words, files[start : start + LEVELS_A_BLOCK]


def _cards(
    tasks: list[tuple[Any, ...]], first: int | None, where: str | None, jobs: int
) -> tuple[list[Card], int]:
    """The cards that the tasks give, and how many seeds gave no level. Raises BadInput for too many."""
    from exporters.pages.gallery import MOST_LEVELS, check_size

    most = MOST_LEVELS if first is None else first
    asked = sum(len(task[-1]) for task in tasks)
    if most > MOST_LEVELS or (first is None and where is None and asked > most):
        asked = max(asked if first is None else 0, first or 0)
        raise BadInput(
            f"gallery: {asked} levels are more than a page's {MOST_LEVELS}; show fewer with --first N"
        )
    cards: list[Card] = []
    failed = size = 0
    for block in runs.over_blocks(_work, tasks, asked, jobs if len(tasks) > 1 else 1, "drawing"):
        cards += block.cards
        failed += block.failed
        size += sum(len(card.tiles) for card in block.cards)
        check_size(size)
        if first is None and len(cards) > most:
            raise BadInput(
                f"gallery: more than a page's {most} levels meet the condition; give --first N too"
            )
        if len(cards) >= most and first is not None:
            break
    return cards[:first], failed


def _work(task: tuple[Any, ...]) -> Any:
    """Do a task; for a worker."""
    work, *given = task
    return work(tuple(given))


def _title(sources: tuple[str, ...], values: tuple[str, ...], seeds: str | None, where: str | None) -> str:
    some = (
        sources
        if len(sources) <= _MOST_TOLD
        else (*sources[:_MOST_TOLD], f"{len(sources) - _MOST_TOLD} more")
    )
    return ", ".join([*some, *values, *([f"seeds {seeds}"] if seeds else []), *([where] if where else [])])
