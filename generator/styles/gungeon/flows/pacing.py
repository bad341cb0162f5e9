"""Pacing: chooses the rooms without fights, where the player can catch their breath."""

from __future__ import annotations

from dataclasses import replace

from generator.styles.gungeon.flows.paths import distances, in_a_row, path_to_goal
from generator.styles.gungeon.flows.records import GAUNTLET, QUIET_TAGS, Flow

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
