"""What one stage of a run hands to the next: what the player has met and is likely to have."""

from __future__ import annotations

from generator.rng import Stream
from generator.spec.game import Memory, State
from generator.styles.carry import USUAL_KINDS, state_after
from generator.styles.grid.floorplan import Floorplan
from generator.styles.grid.furnish import Chooser, choose_layouts, names_in_rooms, names_of_rank
from generator.styles.grid.spec import GridSpec


def memory_after(spec: GridSpec, seed: int, plan: Floorplan, choose: Chooser) -> Memory:
    """Return what a run has shown after the level of a spec and a seed with this floorplan.

    Only the layouts of the level are chosen, nothing more is made. Raises SpecError and LayoutError.
    """
    chosen = choose_layouts(spec, plan, seed, choose)
    kinds = [room.kind for room in plan.rooms]
    names = names_in_rooms(spec, seed, chosen.pools.chapter.name, kinds)
    return spec.memory.with_seen(
        layouts=(choice.name for choice in chosen.choices),
        bosses=names_of_rank(names, kinds, "bosses"),
        mini_bosses=names_of_rank(names, kinds, "mini_bosses"),
        special_rooms=(kind for kind in kinds if kind not in USUAL_KINDS),
    )


def state_of_grid(spec: GridSpec, seed: int, plan: Floorplan) -> State:
    """Draw, from its own stream, the state in which a level is likely to leave the player."""
    stream = Stream(seed, "run.carry", spec.stage)
    return state_after(spec, spec.state, spec.stage, (room.kind for room in plan.rooms), stream)
