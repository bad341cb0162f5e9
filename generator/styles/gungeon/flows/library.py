"""Chooses a level's flow: reads the spec's text, the shipped flows and the user's own files."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from generator.errors import SpecError, shown, unknown
from generator.files import is_digest, read_text
from generator.kinds import Kit
from generator.named_tuple import NamedTuple
from generator.rng import Stream
from generator.shipped_files import shipped_folder
from generator.styles.gungeon.flows.flow_file import MAX_BYTES, parse_flow, parse_rules
from generator.styles.gungeon.flows.grow import grow
from generator.styles.gungeon.flows.proof import shape_problem, walking_problem
from generator.styles.gungeon.flows.records import (
    GAUNTLET,
    QUIET_TAGS,
    WITHOUT_PLAN,
    Flow,
    FlowRule,
    distances,
    in_a_row,
    path_to_goal,
    shipped_flows,
)

_MAX_CHOICES = 50
_MAX_WEIGHT = 1_000


class FlowChoice(NamedTuple):
    """One of the flows that a spec names, and its weight."""

    name: str
    weight: int

    @property
    def is_file(self) -> bool:
        """Whether it names a file, not a shipped flow."""
        return self.name.lower().endswith(".toml")

    @property
    def text(self) -> str:
        """The choice as a spec writes it: in quotes if there is a comma in it."""
        name = '"' + self.name.replace('"', '""') + '"' if "," in self.name else self.name
        return name if self.weight == 1 else f"{name} {self.weight}"


@cache
def shipped_rules() -> dict[str, FlowRule]:
    """Return the shipped rules, by name."""
    file = shipped_folder("generator.styles.gungeon.flows") / "rules.toml"
    return parse_rules(file.read_text("utf-8"), "rules.toml")


def choices(text: str, *, is_saved: bool = False) -> tuple[FlowChoice, ...]:
    """Parse the flows that a spec's text names: `descent`, `own.toml`, or several as `descent 3, hub`.

    A path with a comma is quoted: `"a, b/own.toml" 2`. Raises SpecError. If the text `is_saved` with a level,
    it has digests in place of files.
    """
    try:
        parts = [part.strip() for part in next(csv.reader([text], skipinitialspace=True), [""])]
    except csv.Error:
        raise SpecError(
            f"flow: {shown(text)} is not a list of flows; give names with commas between"
        ) from None
    if not any(parts):
        raise SpecError(
            f"flow: {shown(text)} is empty; choose one of {', '.join((*shipped_flows(), *WITHOUT_PLAN))}"
        )
    if len(parts) > _MAX_CHOICES:
        raise SpecError(f"flow: names {len(parts)} flows; at most {_MAX_CHOICES} are allowed")
    return tuple(_choice(part, is_saved) for part in parts)


def named_flows(text: str) -> tuple[FlowChoice, ...]:
    """Parse flows as `choices` does, but allow the path of a file with commas in it. Raises SpecError."""
    if FlowChoice(text, 1).is_file and Path(text).is_file():
        return (FlowChoice(text, 1),)
    return choices(text)


def _choice(part: str, is_saved: bool) -> FlowChoice:
    name, _, last = part.rpartition(" ")
    if not (name and last.isascii() and last.isdigit()):
        name, last = part, "1"
    name, weight = name.strip(), int(last[:9])
    if not 1 <= weight <= _MAX_WEIGHT:
        raise SpecError(f"flow: the weight of {shown(name)} is out of range (1 to {_MAX_WEIGHT})")
    choice = FlowChoice(name, weight)
    if is_saved:
        return choice
    if is_digest(name):
        raise SpecError(f"flow: {name} is a digest, which a level stores in place of a file; give that file")
    if not choice.is_file and name not in (*shipped_flows(), *WITHOUT_PLAN):
        raise SpecError(f"flow: {unknown('flow', name, (*shipped_flows(), *WITHOUT_PLAN))}")
    return choice


def load_flow(name: str, kit: Kit) -> Flow:
    """Load a shipped flow or that of a file, proved as far as its keys have rooms.

    Its room kinds are those of the kit. Raises SpecError.
    """
    return _proved(flow_text(name), name, kit)


def flow_text(name: str) -> str:
    """Read the TOML of a file or a shipped flow. Raises SpecError if it cannot be read or is unknown."""
    if FlowChoice(name, 1).is_file:
        return read_text(Path(name), MAX_BYTES, SpecError)
    if name not in shipped_flows():
        raise SpecError(f"flow: {unknown('flow', name, shipped_flows())}")
    file = shipped_folder("generator.styles.gungeon.flows") / "shipped" / f"{name}.toml"
    return file.read_text("utf-8")


@lru_cache(maxsize=64)
def _proved(text: str, where: str, kit: Kit) -> Flow:
    flow = parse_flow(text, where, shipped_rules(), kit)
    problem = shape_problem(flow)
    if not problem and all(key.room for key in flow.keys):
        problem = walking_problem(flow)
    if problem:
        raise SpecError(f"{where}: {problem}")
    return flow


def chosen_name(text: str, seed: int, *, is_saved: bool = False) -> str:
    """Choose the name of a level's flow, which may also be `led` or `random`, as `choices` reads them.

    Raises SpecError.
    """
    if text in WITHOUT_PLAN:
        return text
    named = choices(text, is_saved=is_saved)
    return Stream(seed, "gungeon.flow").weighted(named, [choice.weight for choice in named]).name


def chosen_flow(text: str, seed: int, kit: Kit) -> Flow | None:
    """Choose the flow of a level, grown and paced. None if the choice is `led` or `random`.

    Raises SpecError for a bad name or file, and GenerationFailed if rules or keys find no place.
    """
    name = chosen_name(text, seed)
    if name in WITHOUT_PLAN:
        return None
    return paced(grown_flow(load_flow(name, kit), seed, kit))


def grown_flow(flow: Flow, seed: int, kit: Kit) -> Flow:
    """Grow a flow and put a price on its doors: what is proved of it holds in a level.

    The flow itself if nothing is added to it. Raises what `grow` and `priced` raise.
    """
    grown = grow(flow, seed)
    if not kit.kinds.costs:
        return grown
    from generator.styles.gungeon.costs import priced

    return priced(grown, kit.kinds, seed)


def flow_digest(text: str, kit: Kit) -> str:
    """Compute a digest of the files that a spec's text names. Empty if it names none. Raises SpecError."""
    files = [choice.name for choice in choices(text) if choice.is_file]
    if not files:
        return ""
    digest = hashlib.blake2b(digest_size=8)
    for name in files:
        load_flow(name, kit)
        digest.update(_digest(name).encode())
    return digest.hexdigest()


def saved_text(text: str) -> str:
    """Name the flows as a level stores them: a digest for each file, never a path on somebody's machine."""
    return _renamed(text, _digest)


def _digest(name: str) -> str:
    text = flow_text(name).replace("\r\n", "\n")  # line ends of Windows
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def beside(text: str, folder: Path) -> str:
    """Make the file paths in the text relative to a folder."""
    if ".toml" not in text.lower():
        return text
    return _renamed(text, lambda name: str(folder / name))


def _renamed(text: str, rename: Callable[[str], str]) -> str:
    """Rename the files in the text."""
    named = (
        choice._replace(name=rename(choice.name)) if choice.is_file else choice for choice in choices(text)
    )
    return ", ".join(choice.text for choice in named)


# Pacing: chooses the rooms without fights, where the player can catch their breath.

_QUIET_BEATS = ("breath", "foyer")
_MAX_IN_A_ROW = 3  # fights, unless the flow says otherwise


def paced(flow: Flow) -> Flow:
    """Tag the rooms that the pacing chooses with `breath`, `foyer` and `gauntlet`."""
    tags = {room.id: set(room.tags) for room in flow.rooms}
    kinds = {room.id: room.kind for room in flow.rooms}
    path = path_to_goal(flow)[1:]
    for room, beat in zip(path, _beats(flow.pacing.curve, len(path)), strict=True):
        if kinds[room] == "normal" and beat in (*_QUIET_BEATS, GAUNTLET) and not tags[room]:
            tags[room].add(beat)
    at_most = flow.pacing.at_most.get("fight", _MAX_IN_A_ROW)
    quiet = {room for room in tags if not QUIET_TAGS.isdisjoint(tags[room])}
    far = distances(flow)
    while True:
        runs = in_a_row(flow, quiet)
        late = [room for room in runs if runs[room] > at_most]
        if not late:
            break
        room = min(late, key=lambda room: (far[room], room))
        quiet.add(room)
        tags[room].add("breath")
    rooms = tuple(room._replace(tags=frozenset(tags[room.id])) for room in flow.rooms)
    return replace(flow, rooms=rooms)


def _beats(curve: tuple[str, ...], length: int) -> list[str]:
    """Fit the curve to a path of this many rooms: its end is kept, and the rest is repeated or cut."""
    if not curve:
        return ["fight"] * length
    ending = curve[-2:]
    body = curve[: -len(ending)] or ("fight",)
    beats = [body[i % len(body)] for i in range(max(0, length - len(ending)))]
    return [*beats, *ending][-length:] if length else []
