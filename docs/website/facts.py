"""Every fact that a condition of `undercroft search` may name, with all its words."""

from __future__ import annotations

from website import markdown


def every_fact() -> str:
    """Two tables, of what a floorplan tells and what needs the whole level, and the words of each fact."""
    from generator.batch.facts import facts_of
    from generator.styles.registry import BUILT_IN

    facts = facts_of(BUILT_IN).values()
    parts = []
    for heading, needs_level in (("Facts of the floorplan", False), ("Facts of the whole level", True)):
        rows = [
            (markdown.code(fact.written()), "text" if fact.is_text else "number", markdown.plain(fact.help))
            for fact in facts
            if fact.needs_level is needs_level
        ]
        parts.append(f"## {heading}\n\n{markdown.values(('fact', 'value', 'meaning'), rows)}")
    parts.append("## Words\n\nThe words that can replace KIND. A kit adds its own names.\n\n")
    told: dict[tuple[str, ...], list[str]] = {}
    for fact in facts:
        if fact.of:
            told.setdefault(fact.of, []).append(fact.written())
    words_of_facts = [(markdown.codes(names), markdown.codes(words)) for words, names in told.items()]
    parts.append(markdown.table(("fact", "words"), words_of_facts))
    return "".join(parts)
