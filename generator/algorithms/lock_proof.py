"""Proves that nobody gets stuck on a map with keys, locks, one-way gates, shortcuts and secrets.

The player's possible actions form a graph. A state is the player's region (the places that can be visited
and returned from), the keys held and left, and the gates opened. Picking up a key is a choice, unless it
must be taken; and so is which lock uses up a key, and whether a secret is found. The map is sound if the
goal can be reached, without finding another secret, from every state that can be reached: one search
forwards from the start, and one backwards from the goal. (The mission graphs are those of Dormans,
"Adventures in Level Design", 2010; the search is plain explicit-state model checking: C. Baier and J.-P.
Katoen, "Principles of model checking", 2008, with bisimulation quotients, chapter 7, and ample sets, chapter
8.)

What keeps the states few, and why it is sound. More keys and more open gates never hurt: whoever has them
can play on as if he had not. Call a state dead if no goal can be reached from it.

- *What does not matter any more is forgotten.* Keys and gates that cannot be reached with all gates open;
  keys of a kind that no shut lock within reach needs; further keys of a kind that lasts. If at least as many
  keys are held as shut locks within reach use up, the keys last: no choice of locks can run out of them.
  What is forgotten has no influence on any later action, so the states are bisimilar.
- *What is equal is counted.* A region stays one: its gates only open. So it is treated as one node. Keys of
  a kind in it are equal, wherever they lie. So are two trees of rooms that hang on it by one gate each and
  have equal codes (`Trees`), two other parts around it that are equal in order (`CorePart`), and locks within
  it, which can only waste keys. To swap them is an automorphism of what is left of the map: their states are
  bisimilar, and an action on the second leads to a state that is equal to one after the same action on the
  first.
- *What is safe is done at once.* It is safe to take a key, or to open a shortcut that uses up nothing, if
  nothing that a one-way gate may lead to, before the player is back in the region, needs that kind of key or
  is an end of that shortcut (`BitMap.beyond`). Take a dead state that follows without the act. Is the player
  still in the region, or back? Then the act is still possible, and what it leads to is dead too. Is he
  beyond? If the act could save him there, then only after he is back in the region, where it is possible
  again: so the state with the act done is dead as well. Each dead state without the act stands for one with
  it, which is found. A room with a key that must be taken is entered at once under the same condition.
- *If no one-way gate leads on, a goal in the region stays there*: nothing that follows is dead.
- *Waste comes first.* If no one-way gate leads on and keys of only one kind can run out, one is used at once
  on a lock with nothing behind it. Take a dead state that follows otherwise, and play the same with one key
  less: either that leads to the same state with one key less, which is dead too; or the keys run out
  earlier, in a region that is part of the later one and has no goal: dead, as nothing else can be done. That
  needs locks that use up one key each: where one costs several, the keys that are left may do for another.

Places that can be reached by the best choices, and locks without effect, are searched with all keys taken at
once, and only trees on one and the same node count as equal: that is an automorphism of the whole map, so
what is reached is known for all of them. A place that is out of reach even if keys lasted and drops could be
climbed is not searched for.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from generator.algorithms.gated_map import GatedMap, at_best_reached, behind_secrets, without_idle_secrets
from generator.algorithms.lock_states import OPEN, PICK, Act, Aim, StateSearch, TooManyStatesError

MAX_STATES = 20_000
_MAX_FOR_STORY = 2_000  # states searched for a story that includes the keys


class Verdict(NamedTuple):
    """The result of a proof.

    `stuck` is the shortest story after which no goal can be reached any more, None if there is none;
    `without` are the kinds of keys that the player does not hold then. If nobody gets stuck, `unreached`
    are places that nobody can reach, `idle` the gates whose locks have no effect. An `undecided` map has more
    than `MAX_STATES` states; `hardest` is the lock that multiplies them most.
    """

    stuck: tuple[Act, ...] | None
    without: tuple[int, ...]
    unreached: tuple[int, ...]
    idle: tuple[int, ...]
    states: int
    undecided: bool = False
    hardest: int | None = None


def prove(world: GatedMap, most: int = MAX_STATES) -> Verdict:
    """Determine what is wrong with a map, if anything is. Looks at no more than `most` states."""
    wanted = Counter(kind for gate in world.gates for kind in gate.needs)
    # A key that fits only one lock is not missed elsewhere, so using it up does no harm.
    world = world._replace(used_up=frozenset(kind for kind in world.used_up if wanted[kind] > 1))
    search = StateSearch(without_idle_secrets(world), most)
    try:
        search.run()
        dead = search.first_dead()
        if dead is not None:
            story = _story(world, search, dead, most)
            return Verdict(story, _missing(world, story), (), (), len(search.states))
        unreached, idle = _unreached(world, most), _idle(world, most)
    except TooManyStatesError as found:
        search = found.search
        return Verdict(None, (), (), (), len(search.states), undecided=True, hardest=search.hardest())
    return Verdict(None, (), unreached, idle, len(search.states))


def _story(world: GatedMap, search: StateSearch, dead: int, most: int) -> tuple[Act, ...]:
    """Return the shortest story of a stuck player, or in a large map one with all that is safe done."""
    whole = StateSearch(without_idle_secrets(world), min(most, _MAX_FOR_STORY), Aim.STORY)
    try:
        whole.run()
    except TooManyStatesError:
        return search.story(dead)
    first = whole.first_dead()
    return search.story(dead) if first is None else whole.story(first)


def _missing(world: GatedMap, story: tuple[Act, ...]) -> tuple[int, ...]:
    """Return the kinds of keys that are not held after a story."""
    held = Counter(world.keys[number][0] for act, number in story if act == PICK)
    for act, number in story:
        if act == OPEN:
            held.subtract(kind for kind in world.gates[number].needs if kind in world.used_up)
    return tuple(sorted({kind for kind, _ in world.keys if held[kind] <= 0}))


def _unreached(world: GatedMap, most: int) -> tuple[int, ...]:
    """List the places that cannot be reached without secrets, except those that only secrets lead to."""
    everywhere = set(range(world.places))
    reached = _reached(world, most, everywhere)
    hidden = behind_secrets(world)
    if hidden:
        reached |= hidden & _reached(_all_found(world), most, everywhere)
    return tuple(place for place in range(world.places) if place not in reached)


def _idle(world: GatedMap, most: int) -> tuple[int, ...]:
    """List the gates whose locks have no effect because both of their ends can be reached without them."""
    hidden = behind_secrets(world)
    found = _all_found(world)
    idle = []
    for number, gate in enumerate(world.gates):
        ends = {gate.a, gate.b}
        if gate.needs and ends <= _reached(world if ends.isdisjoint(hidden) else found, most, ends, number):
            idle.append(number)
    return tuple(idle)


def _all_found(world: GatedMap) -> GatedMap:
    return world._replace(gates=tuple(gate._replace(secret=False) for gate in world.gates))


def _reached(world: GatedMap, most: int, wanted: set[int], shut: int | None = None) -> set[int]:
    """Return which of some places can be reached by the best choices, optionally with one gate shut for good.

    Secret gates stay shut.
    """
    never = frozenset(number for number, gate in enumerate(world.gates) if gate.secret or number == shut)
    reached = wanted & at_best_reached(world, never)
    if not (world.used_up or any(gate.one_way for gate in world.gates)):
        return reached
    if shut is not None and reached < wanted:
        return reached  # one end is out of reach, which is all that is asked
    search = StateSearch(world, most, Aim.PLACES, never)
    search.run(sum({1 << search.map.node_of[place] for place in reached}))
    return search.places()
