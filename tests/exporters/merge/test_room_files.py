from __future__ import annotations

import json

from exporters.merge.room_files import rooms_between


def room(left: int, top: int, **more: object) -> bytes:
    """The file of a room, in Tiled's form, that says where the room is, and perhaps what."""
    facts = {"left": left, "top": top, **more}
    properties = [{"name": name, "value": value} for name, value in facts.items()]
    return json.dumps({"type": "map", "width": 15, "height": 9, "properties": properties}).encode()


def test_a_room_is_found_again_by_what_it_is() -> None:
    old = {"room0.tmj": room(2, 2, kind="shop"), "room1.tmj": room(17, 2, kind="boss")}
    new = {"room0.tmj": room(2, 2, kind="boss"), "room1.tmj": room(17, 2, kind="shop")}
    assert rooms_between(old, new) == {"room0.tmj": "room1.tmj", "room1.tmj": "room0.tmj"}


def test_a_room_in_xml_is_found_again_likewise() -> None:
    def in_xml(left: int, kind: str) -> bytes:
        facts = f'''<property name="left" type="int" value="{left}"/><property name="kind" value="{kind}"/>
            <property name="top" type="int" value="2"/>'''
        return f'<map width="15" height="9"><properties>{facts}</properties></map>'.encode()

    old = {"room0.tmx": in_xml(2, "shop"), "room1.tmx": in_xml(17, "boss")}
    new = {"room0.tmx": in_xml(2, "boss"), "room1.tmx": in_xml(17, "shop")}
    assert rooms_between(old, new) == {"room0.tmx": "room1.tmx", "room1.tmx": "room0.tmx"}


def test_a_room_that_says_only_where_it_is_is_found_by_its_place() -> None:
    assert rooms_between({"room0.tmj": room(2, 2)}, {"room7.tmj": room(2, 2)}) == {"room0.tmj": "room7.tmj"}


def test_a_map_that_says_not_where_it_is_is_no_room() -> None:
    for lacking in ("left", "top"):
        map_ = json.loads(room(2, 2, kind="shop"))
        map_["properties"] = [each for each in map_["properties"] if each["name"] != lacking]
        assert rooms_between({"a.tmj": json.dumps(map_).encode()}, {"b.tmj": room(2, 2, kind="shop")}) == {}
