"""The sentences of the README and of the pages are short."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOST = 35  # words of a sentence; code in backticks is one
CHANGES = ROOT / "docs" / "changelog.md"
PAGES = [ROOT / "README.md", *sorted({*ROOT.glob("docs/**/*.md")} - {CHANGES})]


def sentences(text: str) -> Iterator[str]:
    """Each sentence of a page and each item of its lists; no heading, table, picture, code or sample output."""
    text = re.sub(r"```.*?```|<!--.*?-->", "", text, flags=re.DOTALL)
    for block in re.split(r"\n\s*\n", text):
        if re.match(r"\s*[|#<!]| {4}", block.lstrip("\n")):
            continue
        for item in re.split(r"^\s*(?:[-*]|\d+\.)\s+", block, flags=re.MULTILINE):
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(item.split()))
            yield from re.split(r"(?<=[.?!:])[*\"')]*\s+(?=[A-Z`*\"“])", plain)


def words(sentence: str) -> int:
    return len(re.sub(r"`[^`]*`", "code", sentence).split())


def test_a_page_is_read_in_sentences() -> None:
    """A list's items are sentences of their own, and what is no prose counts for nothing."""
    page = (
        "# A heading\n\nOne two `three four`. Five\n[six seven](eight.md):\n\n- nine;\n- ten.\n\n| eleven |\n\n"
        "```\ntwelve\n```\n\n    thirteen\n"
    )
    found = [each for each in sentences(page) if each]
    assert found == ["One two `three four`.", "Five six seven:", "nine;", "ten."]
    assert words("One two `three four`.") == 3


def test_no_sentence_is_long() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {words(each)} words: {each}"
        for path in PAGES
        for each in sentences(path.read_text("utf-8"))
        if words(each) > MOST
    ]
    assert not long, "\n".join(["divide these sentences:", *long])
