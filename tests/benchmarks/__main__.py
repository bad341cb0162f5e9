"""The table of all benchmarks, or a comparison with other revisions.

python -m tests.benchmarks [GROUP]... [--keep]
python -m tests.benchmarks --against REV [GROUP]...
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path

import click

from tests.benchmarks import against
from tests.benchmarks.kept_table import README, fallen, keep, kept, line, markdown
from tests.benchmarks.measure import ROUNDS, Row


@click.command()
@click.argument("groups", nargs=-1, metavar="[GROUP]...")
@click.option(
    "--keep", "is_kept", is_flag=True, help=f"Put the figures into {README.name}, in place of the last."
)
@click.option(
    "--against",
    "revisions",
    multiple=True,
    metavar="REV",
    help="Compare with this revision of the repository, or `release`, the last one; may be given several times.",
)
@click.option(
    "--rounds",
    default=ROUNDS,
    type=click.IntRange(1),
    show_default=True,
    help="Rounds of --against; more on a busy machine.",
)
def main(groups: tuple[str, ...], is_kept: bool, revisions: tuple[str, ...], rounds: int) -> None:
    """Measure, print the table, and say which figures fell by more than a fifth since it was last kept.

    With --against, measure this and other revisions in turns instead, and say what runs at less than nine
    tenths of the speed of one of them. A wrong GROUP is answered with all of them. Exits with 1 if anything is
    worse.
    """
    if revisions and is_kept:
        raise click.UsageError("--keep: the table has no figures of other revisions; leave out --against")
    worse = _against(revisions, groups, rounds) if revisions else _table(groups, is_kept)
    if worse:
        print("", *(f"- {each}" for each in worse), sep="\n")  # Markdown too, for a page that shows it
    sys.exit(1 if worse else 0)


def _chosen(groups: Collection[str], known: Sequence[str]) -> list[str]:
    """The groups that are asked for, in the order of the known ones; all if none is named."""
    for name in groups:
        if name not in known:
            raise click.UsageError(f"{name}: is not a group; groups are {', '.join(known)}")
    return [name for name in known if not groups or name in groups]


def _table(groups: Collection[str], is_kept: bool) -> list[str]:
    """Measure and print the table; returns what fell."""
    from generator.compiled.loader import compiling
    from tests.benchmarks.rows import GROUPS  # imports all that is measured, which --against must not

    before, rows = kept(), list[Row]()
    print(markdown([]), flush=True)
    with compiling():
        for name in _chosen(groups, list(GROUPS)):
            for row in GROUPS[name]():
                rows.append(row)
                print(markdown([row]).splitlines()[-1], flush=True)
    if is_kept:
        keep(rows)
    return fallen(rows, before)


def _against(revisions: Sequence[str], groups: Collection[str], rounds: int) -> list[str]:
    """Measure and print a comparison with other revisions; returns what is slower."""
    chosen, slower = _chosen(groups, against.GROUPS), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        try:
            sides = against.sides(revisions, Path(folder))
        except against.UnknownRevisionError as error:
            raise click.UsageError(str(error)) from None
        heads = ("work", *(f"{what}, {side.name}" for side in sides[1:] for what in against.FIGURES))
        print(f"{line(heads)}\n{line(['---'] * len(heads))}", flush=True)
        for row in against.compared(sides, chosen, rounds):
            print(line([row[0].work, *(cell for each in row for cell in each.shown())]), flush=True)
            slower += [text for each in row for text in each.slower()]
    return slower


if __name__ == "__main__":
    main()
