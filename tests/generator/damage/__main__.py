"""Do all damage to all levels, and count what is seen, by kind and by rule."""

from __future__ import annotations

import sys
from collections import Counter

from . import DAMAGE, LEVELS, Case, cases

if __name__ == "__main__":
    seeds = range(1, 1 + int(sys.argv[1] if len(sys.argv) > 1 else 3))
    done: list[Case] = []
    for number, (style, values) in enumerate(LEVELS):
        for seed in seeds:
            done += cases(number, seed)
        print(style, {key: str(value).rpartition("/")[2] for key, value in values.items()}, len(done))
    unseen = [case for case in done if not case.rules]
    tried = Counter(case.damage for case in done)
    for name in DAMAGE:
        missed = [(LEVELS[case.number][0], case.number, case.seed) for case in unseen if case.damage == name]
        if missed or not tried[name]:
            print(f"{name}: {len(missed)} of {tried[name]} not seen", missed)
    print(Counter(rule for case in done for rule in case.rules).most_common())
    alone = Counter(case.rules[0] for case in done if len(case.rules) == 1)
    print("seen by one rule alone:", alone.most_common())
    share = 100 - 100 * len(unseen) / len(done)
    print(f"{share:.2f} % of {len(done)} seen, {len(tried)} of {len(DAMAGE)} kinds fit")
