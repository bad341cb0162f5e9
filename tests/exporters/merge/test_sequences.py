"""People edit and levels are made anew, again and again: each edit is in the file, or is listed."""

from __future__ import annotations

import json
import random

import pytest

from exporters.edits.merging import merge

from .people import PEOPLE, Work
from .views import misplaced
from .xml_maps import as_json, plain

SUFFIXES = sorted({*PEOPLE} - {"tmx"})  # it is merged as tmj is
PAINTED = ("is different there", "outside the new map are left out")
PLACED = ("has no place for it", "its room is gone", "is left out")


def lines_on(work: Work, lines: tuple[str, ...]) -> bool:
    """Whether a line says that something of the kind was left out."""
    is_painted = work.kind in {"paint", "paint_terrain", "draw_layer"}
    said = (*PAINTED, "its room is gone") if is_painted else PLACED
    return any(each in line for line in lines for each in said)


def go_on(suffix: str, seed: int, versions: list[dict[str, bytes]], *, takes_away: bool = True) -> None:
    """Some edits, a new version, some edits, a new version. All stays in its place, or is listed."""
    chance = random.Random(seed)
    person = PEOPLE[suffix](seed)
    person.count = chance.randrange(10)
    done: list[Work] = []
    listed: set[Work] = set()
    base = theirs = versions[0][suffix]
    for _ in range(chance.randint(2, 4)):
        for _ in range(chance.randint(1, 6)):
            theirs, work = person.edit(theirs)
            done.append(work)
            if takes_away and chance.random() < 0.5:
                theirs = person.take_away(theirs)
        there = person.tokens(theirs)
        listed |= {work for work in done if work.token not in there}  # painted over by the person
        new = chance.choice(versions)[suffix]
        before = theirs
        theirs, lines, _ = merge(f"level.{suffix}", base, before, new)
        assert misplaced(suffix, base, before, new, theirs) == [], seed
        there = person.tokens(theirs)
        for work in done:
            if work not in listed and work.token not in there:
                assert lines_on(work, lines), (seed, work, lines)
                listed.add(work)
        base = new


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_no_edit_is_lost(suffix: str, versions: list[dict[str, bytes]]) -> None:
    go_on(suffix, 0, versions)


@pytest.mark.parametrize("seed", range(2))
def test_a_map_in_xml_is_merged_as_in_json(seed: int, versions: list[dict[str, bytes]]) -> None:
    """The same edits, new versions and lines, again and again; only the notation differs."""
    same_story(seed, versions)


def same_story(seed: int, versions: list[dict[str, bytes]]) -> None:
    chance = random.Random(seed)
    people = [PEOPLE[suffix](seed) for suffix in ("tmj", "tmx")]
    bases = maps = [versions[0][person.suffix] for person in people]
    for _ in range(3):
        count, number = chance.randint(1, 6), chance.randrange(len(versions))
        for _ in range(count):
            maps = [person.edit(data)[0] for person, data in zip(people, maps, strict=True)]
            maps = [person.take_away(data) for person, data in zip(people, maps, strict=True)]
        news = [versions[number][person.suffix] for person in people]
        stories = zip(people, bases, maps, news, strict=True)
        found = [merge(f"level.{person.suffix}", *three) for person, *three in stories]
        maps, bases = [each.data for each in found], news
        assert found[0].conflicts == found[1].conflicts, seed
        json_map, xml_map = (plain(each) for each in (json.loads(maps[0]), as_json(maps[1])))
        for tileset in (*json_map["tilesets"], *xml_map["tilesets"]):
            tileset["source"] = tileset["source"].replace(".tsj", ".tsx")
        assert json_map == xml_map, seed


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_misplaced_is_seen(suffix: str, versions: list[dict[str, bytes]]) -> None:
    """The oracle itself: the old file is not a valid merge, and an erased tile must stay erased."""
    base, new = versions[0][suffix], versions[1][suffix]
    assert misplaced(suffix, base, base, new, new) == []
    found = misplaced(suffix, base, base, base, new)
    assert any("at" in line for line in found)
    person, theirs = PEOPLE[suffix](0), base
    for _ in range(6):
        theirs = person.take_away(theirs)
    assert misplaced(suffix, base, theirs, base, theirs) == []
    assert misplaced(suffix, base, theirs, base, base)


@pytest.mark.parametrize(("suffix", "seed"), [("tscn", 1018), ("ldtk", 1023)])
def test_rooms_that_go_and_come_back(suffix: str, seed: int, versions: list[dict[str, bytes]]) -> None:
    """A deleted torch of a missing room must not count for another room."""
    go_on(suffix, seed, versions)


@pytest.mark.soak
@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("block", range(7))
def test_a_thousand_times(suffix: str, block: int, versions: list[dict[str, bytes]]) -> None:
    for seed in range(1000 + 50 * block, 1050 + 50 * block):
        go_on(suffix, seed, versions)


@pytest.mark.soak
@pytest.mark.parametrize("block", range(7))
def test_both_notations_a_thousand_times(block: int, versions: list[dict[str, bytes]]) -> None:
    for seed in range(1000 + 50 * block, 1050 + 50 * block):
        same_story(seed, versions)
