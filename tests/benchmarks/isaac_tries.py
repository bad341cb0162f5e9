"""How often a try for a floorplan of the `isaac` style fails, and why.

The table in `generator/styles/isaac/floorplan.py` is this one.
"""

from __future__ import annotations

from collections import Counter

from generator.styles.grid.floorplan import Floorplan
from generator.styles.isaac.floorplan import tries
from generator.styles.isaac.spec import IsaacSpec

SEEDS = 1000


def main() -> None:
    for curse in ("none", "labyrinth"):
        for stage in (1, 3, 6, 9, 12):
            spec = IsaacSpec(stage=stage, curse=curse)
            outcomes: Counter[str] = Counter()
            counts = []
            for seed in range(SEEDS):
                before = outcomes.total()
                for outcome in tries(spec, seed):
                    done = isinstance(outcome, Floorplan)
                    outcomes["made" if isinstance(outcome, Floorplan) else outcome] += 1
                    if done:
                        break
                counts.append(outcomes.total() - before)
            print(f"stage {stage:2} {curse:9} tries: mean {sum(counts) / SEEDS:.1f}, most {max(counts)}")
            for outcome, count in outcomes.most_common():
                print(f"    {100 * count / outcomes.total():5.1f} % {outcome}")


if __name__ == "__main__":
    main()
