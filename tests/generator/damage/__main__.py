"""Do all damage to all levels, or to those of some numbers, and count what is seen, by kind and by rule.

python -m tests.generator.damage [SEEDS [LEVEL...]]
"""

from __future__ import annotations

import sys
from collections import Counter

from . import DAMAGE, FREE, LEVELS, Case, cases

if __name__ == "__main__":
    seeds, *numbers = map(int, sys.argv[1:] or ["3"])
    done: list[Case] = []
    for number in numbers or range(len(LEVELS)):
        of_level = [case for seed in range(1, seeds + 1) for case in cases(number, seed)]
        done += of_level
        unseen = Counter(case.damage for case in of_level if not case.rules)
        style, values = LEVELS[number]
        given = " ".join(f"{key}={str(value).rpartition('/')[2]}" for key, value in values.items())
        print(f"{style} {given}: {unseen.total()} of {len(of_level)} not seen", dict(unseen), flush=True)
    print("by rule:", Counter(rule for case in done for rule in case.rules).most_common())
    print("by one alone:", Counter(case.rules[0] for case in done if len(case.rules) == 1).most_common())
    tried = {case.damage for case in done}
    print("fits no level:", [name for name in DAMAGE if name not in tried])
    counted = [case for case in done if case.rules or case.damage not in FREE]
    share = 100 * sum(bool(case.rules) for case in counted) / len(counted)
    free = f"{len(done) - len(counted)} more are free"
    print(f"{share:.2f} % of {len(counted)} cases of {len(tried)} kinds seen; {free}")
