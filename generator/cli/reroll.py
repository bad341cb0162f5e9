"""`undercroft reroll`: rooms of a saved level made anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from exporters import Bundle
from generator.cli import common, streams, writing
from generator.cli.helpful import HelpfulCommand
from generator.errors import BadInput, LevelError, RerollError, shown
from generator.files import real_path

if TYPE_CHECKING:
    from exporters.writing import WriteOutcome
    from generator.level import Level


@click.command(cls=HelpfulCommand)
@common.level_argument
@click.option(
    "--room", "rooms", type=int, multiple=True, metavar="ID", help="A room to roll again; repeat as needed."
)
@click.option(
    "--pin",
    "pins",
    type=int,
    multiple=True,
    metavar="ID",
    help="A room to keep while all others are rolled; repeat as needed.",
)
@click.option(
    "--what",
    type=click.Choice(("layout", "markers", "kind")),
    default="layout",
    help="What to roll: the inside of the room; only enemies, pickups and chests; or its kind too. "
    "Default: layout.",
)
@click.option("--times", type=int, default=1, metavar="N", help="How many times to roll. Default: 1.")
@click.option(
    "--seed", metavar="SEED", help="Roll from this seed instead of the level's; the floorplan stays."
)
@click.option(
    "--layouts",
    type=common.ANY_PATH,
    metavar="DIR|FILE",
    help="The folder of your own layouts, or the drawing, if the level was made with one.",
)
@common.folder_option("--kit", "The folder of your own kit, if the level was made with one.")
@common.file_option("--out", "Where to write the level, or - to print it. Default: over LEVEL.json.")
@common.accept_edits_option
@writing.writes_files()
def command(
    level_file: Path,
    rooms: tuple[int, ...],
    pins: tuple[int, ...],
    what: str,
    times: int,
    seed: str | None,
    layouts: Path | None,
    kit: Path | None,
    out: Path | None,
    accept_edits: bool,
    output: writing.WriteOptions,
) -> None:
    """Make some rooms of a saved level anew, and leave everything else as it is.

    Each further roll of a room gives something else; the n-th roll of a room is always the same.
    """
    from generator.level_file import own_level_from_bytes
    from generator.rerolls.record import EDITED
    from generator.rerolls.reroll import reroll
    from generator.serialise import dumps

    if bool(rooms) == bool(pins):
        raise BadInput(
            "--room, --pin: give one of the two: the rooms to roll with --room, or those to keep with --pin"
        )
    if out:
        writing.require_ending("--out", out, ".json")
    out = out or level_file
    text = streams.level_text(level_file)
    level = own_level_from_bytes(*text, accept_edits=accept_edits)
    try:
        new_level = reroll(
            level,
            room=rooms or None,
            pin=pins or None,
            what=what,
            times=times,
            seed=seed,
            layouts=layouts or "",
            kit=kit or "",
        )
    except (LevelError, RerollError) as error:  # others name a file of their own, or an option
        raise type(error)(f"{text.where}: {error}") from None
    if streams.is_dash(out):
        streams.print_bundle({out.name: dumps(new_level)})
        return
    outcome = _write(new_level, level_file, out, output)
    rows = {row.get("room") for row in new_level.rerolls if row not in level.rerolls}
    changed = [room for room in new_level.rooms if room.id in rows]
    if not output.quiet and not output.as_json and not outcome.refused:
        for room in changed:
            click.echo(f"room {room.id}: {', '.join(filter(None, (room.kind, room.layout)))}")
    stayed = [room.id for room in new_level.rooms if pins and room.id not in rows and room.id not in pins]
    facts = {
        "fingerprint": new_level.fingerprint,
        "rooms": [{"id": room.id, "kind": room.kind, "layout": room.layout} for room in changed],
        "stayed": stayed,
    }
    output.report(outcome, facts)
    if accept_edits and EDITED in level.rerolls:
        common.tell(
            f"{level_file}: was changed by hand; the other rooms keep that, so it cannot be generated again"
        )
    if stayed and what == "layout" and not output.quiet:
        rooms_told = shown(stayed)[1:-1]
        common.tell(f"{level_file}: these rooms can be nothing else, and stayed as they are: {rooms_told}")


def _write(level: Level, source: Path, path: Path, output: writing.WriteOptions) -> WriteOutcome:
    """Write a level.json. Over its source it goes in any case, for all that was there is in it.

    It is a person's choice from then on: `generate` does not write over it.
    """
    from generator.serialise import dumps

    try:
        bundle = Bundle({path.name: dumps(level)})
    except ValueError:
        raise BadInput(f"{path}: is not a name for a file; give another one with --out") from None
    is_source = real_path(path) == real_path(source)
    return output.put(
        bundle, path.parent, None if is_source else output.edits, persons=[*bundle] if is_source else ()
    )
