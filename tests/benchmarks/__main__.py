"""The table of all benchmarks.

python -m tests.benchmarks [GROUP]... [--keep]
"""

from __future__ import annotations

import sys

import click

from tests.benchmarks.kept_table import HEADS, README, fallen, keep, kept, markdown
from tests.benchmarks.measure import Row
from tests.benchmarks.rows import GROUPS


@click.command(
    epilog=f"Groups are {', '.join(GROUPS)}; all of them take about five minutes on an idle machine."
)
@click.argument("groups", nargs=-1, type=click.Choice(sorted(GROUPS)), metavar="[GROUP]...")
@click.option(
    "--keep", "is_kept", is_flag=True, help=f"Put the figures into {README.name}, in place of the last."
)
def main(groups: tuple[str, ...], is_kept: bool) -> None:
    """Measure, print the table, and say which figures fell by more than a fifth since it was last kept.

    Exits with 1 if any did.
    """
    before, rows = kept(), list[Row]()
    print("| " + " | ".join(HEADS) + " |", flush=True)
    print("|" + " --- |" * len(HEADS))
    for name, group in GROUPS.items():
        if not groups or name in groups:
            for row in group():
                rows.append(row)
                print(markdown([row]).splitlines()[-1], flush=True)
    worse = fallen(rows, before)
    for line in worse:
        print(line, file=sys.stderr)
    if is_kept:
        keep(rows)
    sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
