"""Every option of every exporter, as `undercroft describe FORMAT` tells it."""

from __future__ import annotations

from website import markdown
from website.specs import rows_of


def every_option() -> str:
    """A section for each format that the package has."""
    from exporters.registry import describe, exporter, format_names

    parts = []
    for name in format_names():
        form = exporter(name)
        suffixes = markdown.codes(f"NAME{suffix}" for suffix in form.suffixes)
        parts.append(f"## {name}\n\n{markdown.sentence(form.summary)} Files: {suffixes}.\n\n")
        rows = describe(form)
        parts.append(rows_of(rows, name) if rows else "It has no options.\n\n")
    return "".join(parts)
