"""`docs/seeds.md`: the rows of `generator/batch/seeds.toml` as a page, and the figures in them.

    python -m tests.seed_rules                       # write the page
    python -m tests.seed_rules --measure             # measure all rules first, and write the figures into the rows
    python -m tests.seed_rules --measure --whole 500 --only gungeon
    python -m tests.seed_rules --measure --rule boss-furthest --rule growth

A rule that floorplans answer is measured over 10,000 seeds, from 1 on; one that needs whole levels over as
many as `--whole` says.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from pathlib import Path

from generator import load_spec
from generator.batch.condition import parse_condition
from generator.batch.rules import StatedRule, hold, rules_of
from generator.spec import LevelSpec

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "seeds.md"
ROWS = ROOT / "generator" / "batch" / "seeds.toml"
SEEDS = 10_000
STYLES = {
    "isaac": "The 2011 game",
    "rebirth": "The remake",
    "gungeon": "The procedurally generated dungeon",
}
_BASE = {"isaac": {"stage": 3}, "rebirth": {"stage": 3}, "gungeon": {}}  # what the rest is measured with
_INTRO = """\
# The documents, rule by rule

The styles follow five documents. Here is each of their sentences that says what a level is, in our own words: where it
stands, on how many levels it holds, and which tests keep it so. The last column says where levels do something else, and why.

- **article**, **translation**, **notes**: Boris the Brave's "Dungeon Generation in Binding of Isaac", a translation of it back
  from another language, and notes taken from it.
- **wiki**: the page "Level Generation" of the wiki of The Binding of Isaac: Rebirth.
- **procedural**: Boyd van Nobelen's "Procedurally Generated Dungeon".

Numbers after these names are lines of the documents as plain text. [Sources of the rules](sources.md) has their addresses. What
the remake's style takes from programs, and not from these documents, is in [The rules of `rebirth`](rebirth.md).

You can try the rules on a spec of your own:

```sh
undercroft audit isaac --seeds 1:200 --rules seeds --set stage=3
```

This takes those that apply to the spec, and that a level can show to be kept. Figures are of this many seeds from 1 on, without
failures; a share is what the document says, or what follows from it while there are dead ends enough. What only the preset
`procedural` does is measured with it, and [shown step by step](how-levels-are-made.md#procedural). Tests are in `tests/generator`.
"""


def page() -> str:
    """Write the page."""
    parts = [_INTRO]
    for style, title in STYLES.items():
        rules = [rule for rule in rules_of("seeds") if rule.style == style]
        parts += [
            f"\n## {title}\n\n",
            "| rule | from | holds for | tests | departs |\n| --- | --- | --- | --- | --- |\n",
        ]
        parts += [_line(rule) for rule in rules]
    return "".join(parts)


def _line(rule: StatedRule) -> str:
    figure = rule.measured or "–"
    if rule.has_share and rule.measured:
        figure += f"; {rule.share[0] * 100:g} to {rule.share[1] * 100:g} % expected"
    on = ", ".join(f"`{key} = {_written(values[0])}`" for key, values in rule.on.items())
    figure += f" ({on})" if on and rule.measured else ""
    tests = ", ".join(f"`{test}`" for test in rule.tests)
    cells = (f"`{rule.name}`: {rule.text}", ", ".join(rule.sources), figure, tests, rule.departs)
    return f"| {' | '.join(cells)} |\n"


def _written(value: object) -> str:
    return (
        str(value).lower()
        if isinstance(value, bool)
        else str(list(value) if isinstance(value, tuple) else value)
    )


def spec_of(rule: StatedRule) -> LevelSpec:
    """Return the spec that a rule is measured with.

    It has the first of the values that the rule applies to: the preset `procedural` if it has them and the
    style's own preset does not, otherwise the latter with these values.
    """
    first = rule._replace(on={key: values[:1] for key, values in rule.on.items()})
    usual, to_the_letter = load_spec(rule.style).replace(_BASE[rule.style]), load_spec("procedural")
    if first.applies_to(to_the_letter) and not first.applies_to(usual):
        return to_the_letter
    values = {key: list(value) if isinstance(value, tuple) else value for key, (value,) in first.on.items()}
    return usual.replace(values)


def needs_level(rule: StatedRule) -> bool:
    return bool(rule.check) or parse_condition(rule.holds, (rule.style,)).needs_level


def measure(only: str, names: list[str], plans: int, whole: int) -> None:
    """Write the figures into the rows, spec by spec. Without `names`, all rules are measured."""
    groups: dict[tuple[bool, LevelSpec], list[StatedRule]] = defaultdict(list)
    for rule in rules_of("seeds"):
        if rule.is_measurable and rule.style.startswith(only) and (not names or rule.name in names):
            groups[needs_level(rule), spec_of(rule)].append(rule)
    for (is_whole, spec), rules in sorted(groups.items(), key=lambda item: item[0][0]):
        number = whole if is_whole else plans
        if not number:
            continue
        held = hold(spec, rules, range(1, number + 1))
        text = ROWS.read_text("utf-8")
        for rule in rules:
            count = held.counts[rule.name]
            warn = "  BROKEN" if rule.is_broken(count, number) else ""
            print(
                f"{rule.name}: {count:,} of {number:,}{warn} {held.broken_by.get(rule.name, '')}", flush=True
            )
            text = _with_figure(text, rule.name, f"{count:,} of {number:,}")
        ROWS.write_text(text, "utf-8")


def _with_figure(text: str, name: str, figure: str) -> str:
    start = text.index(f'name = "{name}"\n')
    end = text.find("\n[[rule]]", start)
    end = len(text) if end < 0 else end
    row = re.sub(r'measured = ".*"\n', "", text[start:end])
    row = re.sub(r"^(tests = .*\n)", rf'\1measured = "{figure}"\n', row, flags=re.MULTILINE)
    return text[:start] + row + text[end:]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--only", default="", choices=["", *STYLES])
    parser.add_argument(
        "--rule", action="append", default=[], choices=[rule.name for rule in rules_of("seeds")]
    )
    parser.add_argument(
        "--whole", type=int, default=SEEDS, help="levels for rules that need whole levels; 0: leave them"
    )
    parser.add_argument("--plans", type=int, default=SEEDS, help="floorplans for the others")
    args = parser.parse_args()
    if args.measure:
        measure(args.only, args.rule, args.plans, args.whole)
        rules_of.cache_clear()
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
