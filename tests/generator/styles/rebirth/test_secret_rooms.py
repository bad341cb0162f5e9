"""Secret and ultra secret rooms: the weights of the facts, cell by cell, and the shares that follow from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import RebirthSpec
from generator.styles.rebirth.spec import RebirthState

from . import oracle
from .drafts import FloorDraft, assign, find_secret_cell, find_ultra_secret_cell
from .oracle import SHAPES, WAYS, Cell, plus

GRID = [(x, y) for y in range(13) for x in range(13)]
MIN_P = 1e-4  # the seeds are fixed; a rule that is off is off by far more
REFERENCE = {8: (55, 43, 2), 15: (88, 12, 0), 20: (95, 5, 0)}  # percent with 3 or 4, 2, 1 neighbours


def draft_before_secrets(spec: RebirthSpec, seed: int) -> FloorDraft:
    """A floor with all its special rooms but the secret ones."""
    _, draft, placed = assign(spec, seed)
    while placed[-1][0] in ("secret", "ultra_secret", "grave"):
        kind, number = placed.pop()
        if kind != "grave":
            room = draft.rooms.pop(number)
            del draft.owners[room.entry], draft.masks[number]
    return draft


def door_faces(draft: FloorDraft, room: int, way: int, cell: Cell) -> bool:
    """Whether a slot of a room leads on the given way to a cell."""
    one = draft.rooms[room]
    return any(
        slot % 4 == way and plus(one.anchor, to) == cell for slot, to in SHAPES[one.shape.id][1].items()
    )


def closed(draft: FloorDraft, kinds: Sequence[str], *, corners: bool) -> set[Cell]:
    """Cells beside special rooms on sides without a door, and on all sides of those of the kinds.

    With `corners` a narrow room shuns two cells that it touches only corner to corner: the game takes it for one
    of eight doors when it looks for secret rooms.
    """
    found = set()
    for number in draft.masks:
        room = draft.rooms[number]
        narrow = room.shape.id in (2, 3)
        for cell in room.cells():
            for way in range(4):
                there = plus(cell, WAYS[way])
                if there not in room.cells() and (
                    room.kind in kinds or (narrow and way % 2 == room.shape.id - 2 ^ 1)
                ):
                    found.add(there)
        if narrow and corners:
            found |= {plus(room.anchor, offset) for offset in ((-1, 1), (1, -1), (1, 1), (1, 1))}
    return found


def secret_penalties(draft: FloorDraft, stage: int) -> dict[Cell, int | None]:
    """What each cell that is drawn for weighs less than 10 to 14; None if it may not be."""
    forbidden = closed(draft, ("boss", "secret", "super_secret"), corners=True)
    forbidden |= {plus((6, 6), way) for way in WAYS} if stage == 11 else set()
    found: dict[Cell, int | None] = {}
    for cell in GRID:
        if cell in draft.owners or cell in forbidden:
            continue
        beside = [(way, there) for way in range(4) if (there := plus(cell, WAYS[way])) in draft.owners]
        good = beside and all(
            door_faces(draft, draft.owners[there], (way + 2) % 4, cell) for way, there in beside
        )
        found[cell] = {1: 6, 2: 3, 3: 0, 4: 0}[len(beside)] if good else None
    return found


def ultra_penalties(draft: FloorDraft, stage: int) -> dict[Cell, int | None]:
    """The same for ultra secret rooms: nobody beside, all rooms two steps away with doors to the gap."""
    kinds = ("boss", "secret", "super_secret", "curse")
    forbidden = closed(draft, kinds, corners=False) | draft.blocked
    forbidden |= {plus((6, 6), way) for way in WAYS} if stage == 11 else set()
    found: dict[Cell, int | None] = {}
    for cell in GRID:
        if cell in draft.owners or cell in forbidden:
            continue
        across, good = 0, not any(plus(cell, way) in draft.owners for way in WAYS)
        for dx in range(-2, 3):
            for dy in range(-2, 3):
                there = plus(cell, (dx, dy))
                if abs(dx) + abs(dy) != 2 or there not in draft.owners:
                    continue
                across += 1
                room = draft.rooms[draft.owners[there]]
                for way in range(4):  # by the room's first door on each side that faces the cell
                    if WAYS[way][0] * dx + WAYS[way][1] * dy < 0:
                        to = SHAPES[room.shape.id][1].get(way)
                        gap = plus(room.anchor, to) if to else (-1, -1)
                        good &= min(gap) >= 0 and max(gap) < 13 and gap not in forbidden
        found[cell] = max(0, 9 - 3 * across) if across and good else None
    return found


def choice(penalties: dict[Cell, int | None], random: oracle.Random) -> Cell | None:
    weights = {}
    for cell, less in penalties.items():
        weight = 10 + random.next() % 5
        if less is not None:
            weights[cell] = weight - less
    best = [cell for cell, weight in weights.items() if weight == max(weights.values())]
    return best[random.next() % len(best)] if best else None


SPECS = st.builds(
    RebirthSpec,
    stage=st.sampled_from([1, 3, 6, 9, 11]),
    curse=st.sampled_from(["none", "labyrinth"]),
    large_bosses=st.sampled_from([0, 100]),
    closets=st.sampled_from([0, 60]),
)


@given(SPECS, st.integers(1, 2**32 - 1), st.integers(1, 2**32 - 1))
@settings(max_examples=80)
def test_the_cell_is_the_facts(spec: RebirthSpec, seed: int, state: int) -> None:
    """Draw for draw: one for every cell that stands free, one more to choose."""
    draft = draft_before_secrets(spec, seed)
    for find, penalties in (
        (lambda: find_secret_cell(draft, spec.stage), secret_penalties(draft, spec.stage)),
        (lambda: find_ultra_secret_cell(draft, spec.stage), ultra_penalties(draft, spec.stage)),
    ):
        draft.generator_state, random = state, oracle.Random(state)
        assert find() == choice(penalties, random)
        assert draft.generator_state == random.state


def exact_chances(every: dict[Cell, int | None]) -> dict[Cell, Fraction]:
    """How likely each cell is: its weight is the most, and it wins among equals."""
    penalties = {cell: less for cell, less in every.items() if less is not None}
    found = {}
    for cell, less in penalties.items():
        total = Fraction(0)
        for weight in range(10 - less, 15 - less):
            ties = [Fraction(1)]  # by how many others weigh as much, all others weighing no more
            for other, their_less in penalties.items():
                if other != cell:
                    below = Fraction(min(5, max(0, weight - (10 - their_less))), 5)
                    same = Fraction(int(0 <= weight - (10 - their_less) < 5), 5)
                    ties = [
                        (ties[n] * below if n < len(ties) else 0) + (ties[n - 1] * same if n else 0)
                        for n in range(len(ties) + 1)
                    ]
            total += Fraction(1, 5) * sum((part / (n + 1) for n, part in enumerate(ties)), Fraction(0))
        found[cell] = total
    assert sum(found.values()) == 1
    return found


@pytest.mark.parametrize("seed", [3, 4])
def test_each_cell_is_as_likely_as_its_weight_says(seed: int) -> None:
    """One floor, 4,000 draws, every cell by itself."""
    draft = draft_before_secrets(RebirthSpec(stage=1), seed)
    expected = exact_chances(secret_penalties(draft, 1))
    found: Counter[Cell | None] = Counter()
    for number in range(4000):
        draft.generator_state = 1 + number * 2654435761 % (2**32 - 1)
        found[find_secret_cell(draft, 1)] += 1
    assert set(found) <= {cell for cell, chance in expected.items() if chance}
    cells = [cell for cell, chance in expected.items() if chance >= Fraction(1, 400)]
    observed = [found[cell] for cell in cells]
    rest = 4000 - sum(observed)
    predicted = [4000 * float(expected[cell]) for cell in cells]
    if rest:
        observed.append(rest)
        predicted.append(4000 - sum(predicted))
    scale = sum(observed) / sum(predicted)
    from scipy.stats import chisquare  # slow to import

    assert chisquare(observed, [one * scale for one in predicted]).pvalue > MIN_P


@pytest.mark.parametrize("rooms", REFERENCE)
def test_the_shares_by_neighbours_are_those_of_the_reference(rooms: int) -> None:
    """3,000 seeds there, 700 here."""
    spec = RebirthSpec(stage={8: 1, 15: 3, 20: 6}[rooms], rooms=rooms, closets=0)
    found = Counter[int]()
    for seed in range(1, 701):
        _, draft, placed = assign(spec, seed)
        for kind, number in placed:
            if kind == "secret":
                found[min(3, sum(1 for _ in draft.beside(draft.rooms[number].entry)))] += 1
    ours = [found[neighbours] for neighbours in (3, 2, 1)]
    theirs = [30 * percent for percent in REFERENCE[rooms]]
    table = [row for row in zip(ours, theirs, strict=True) if sum(row)]
    from scipy.stats import chi2_contingency  # slow to import

    assert chi2_contingency(table).pvalue > MIN_P, ours


def test_a_card_and_a_moon_bring_further_secret_rooms_by_edition() -> None:
    card, moon = RebirthState(fragmented_card=True), RebirthState(luna=True)
    both = RebirthState(fragmented_card=True, luna=True)
    most = {
        (edition, name): max(
            [
                kind for kind, _ in assign(RebirthSpec(stage=6, edition=edition, state=state), seed).placed
            ].count("secret")
            for seed in range(1, 13)
        )
        for edition in ("rebirth", "afterbirth", "afterbirth_plus", "repentance")
        for name, state in (("none", RebirthState()), ("card", card), ("moon", moon), ("both", both))
    }
    assert [most["rebirth", name] for name in ("none", "card", "moon", "both")] == [1, 1, 1, 1]
    assert [most["afterbirth", name] for name in ("none", "card", "moon", "both")] == [1, 1, 1, 1]
    assert [most["afterbirth_plus", name] for name in ("none", "card", "moon", "both")] == [1, 2, 1, 2]
    assert [most["repentance", name] for name in ("none", "card", "moon", "both")] == [1, 2, 2, 3]


def test_a_moon_brings_a_second_super_secret_room_in_repentance() -> None:
    def number(edition: str) -> int:
        spec = RebirthSpec(stage=6, edition=edition, state=RebirthState(luna=True))
        return [kind for kind, _ in assign(spec, 5).placed].count("super_secret")

    assert (number("afterbirth_plus"), number("repentance")) == (1, 2)


def test_ultra_secret_rooms_are_repentances() -> None:
    for seed in range(1, 30):
        assert "ultra_secret" in dict(assign(RebirthSpec(stage=3), seed).placed)
        assert "ultra_secret" not in dict(
            assign(RebirthSpec(stage=3, edition="afterbirth_plus"), seed).placed
        )


def test_a_secret_room_is_one_deeper_than_its_nearest_neighbour() -> None:
    for seed in range(1, 60):
        _, draft, placed = assign(RebirthSpec(stage=5), seed)
        for kind, number in placed:
            room = draft.rooms[number]
            if kind == "secret":
                assert room.depth == 1 + min(
                    draft.rooms[other].depth for _, other in draft.beside(room.entry)
                )


def test_where_nothing_fits_there_is_no_secret_room() -> None:
    """No cell is left."""
    draft = assign(RebirthSpec(stage=11), 1).draft
    for cell in GRID:
        draft.owners.setdefault(cell, 0)
    assert find_secret_cell(draft, 11) is None
    assert find_ultra_secret_cell(draft, 11) is None
