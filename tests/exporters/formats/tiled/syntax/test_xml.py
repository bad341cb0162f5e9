"""Tiled's XML: what is read and written again is equal, and holds what the JSON holds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exporters
import generator
from exporters.formats.tiled import ENCODINGS
from exporters.formats.tiled.syntax.reader import tiled_table
from exporters.formats.tiled.syntax.xml import map_xml, tileset_xml, written
from generator.errors import BadInput
from generator.xml_tree import Element, parse_xml
from tests.combinations import each_once_first

NAMES = st.from_regex(r"[a-z_][a-z0-9_.-]{0,8}", fullmatch=True)
TEXTS = st.text(
    st.one_of(st.characters(exclude_categories=["Cs", "Cc"]), st.sampled_from("\n\r\t&<>\"'")), max_size=12
).filter(lambda text: not set(text) & set("\ufffe\uffff"))
ATTRIBUTES = st.dictionaries(NAMES, TEXTS, max_size=3)
ELEMENTS = st.recursive(
    st.builds(Element, NAMES, ATTRIBUTES, st.just([]), TEXTS),
    lambda inner: st.builds(Element, NAMES, ATTRIBUTES, st.lists(inner, min_size=1, max_size=3)),
    max_leaves=8,
)


def without_space(element: Element) -> Element:
    """Without the text beside child elements."""
    children = [without_space(child) for child in element.children]
    return Element(element.tag, element.attributes, children, "" if children else element.text)


@given(ELEMENTS)
def test_elements_are_read_as_they_were_written(root: Element) -> None:
    data = written(root)
    found = parse_xml(data, "x", BadInput)
    assert without_space(found) == root
    assert written(found) == data


@pytest.mark.parametrize(("tileset", "encoding"), each_once_first(["external", "embedded"], ENCODINGS))
def test_our_files_are_written_as_they_were_read(tileset: str, encoding: str) -> None:
    """As elements, and as the table that the JSON holds."""
    options = {"tiled.format": "tmx", "tiled.tileset": tileset, "tiled.encoding": encoding}
    bundle = exporters.export(generator.generate("gungeon", 3), "tiled", options, name="level")
    files = {name: data for name, data in bundle.items() if name.endswith((".tmx", ".tsx"))}
    assert len(files) == (2 if tileset == "external" else 1)
    for name, data in files.items():
        assert written(parse_xml(data, name, BadInput)) == data, name
        tag, as_xml = ("map", map_xml) if name.endswith(".tmx") else ("tileset", tileset_xml)
        assert as_xml(tiled_table(data, name, tag, BadInput)) == data, name


# What the XML leaves out, or the JSON: a key, and its usual values.
USUAL = {
    **dict.fromkeys(("x", "y", "width", "height", "rotation", "margin", "spacing"), (0,)),
    **dict.fromkeys(("name", "compression"), ("",)),
    "type": ("", "tileset"),
    **{"visible": (True,), "opacity": (1,), "draworder": ("topdown",), "encoding": ("csv",)},
    **{"compressionlevel": (-1,), "properties": ([],), "tiles": ([],), "wangsets": ([],)},
}
NOT_THE_SAME = {"digest", "data", "source"}


def differences(one: Any, other: Any, path: str = "") -> list[str]:
    """The places where two tables differ, but for usual values that one of them leaves out."""
    if isinstance(one, dict) and isinstance(other, dict):
        found = []
        for key in sorted({*one, *other} - NOT_THE_SAME):
            both = one.get(key), other.get(key)
            if None not in both:
                found += differences(*both, f"{path}.{key}")
            elif (both[0] if both[1] is None else both[1]) not in USUAL.get(key, ()):
                found.append(f"{path}.{key}: {both}")
        return found
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [line for index, both in pairs for line in differences(*both, f"{path}[{index}]")]
    return [] if one == other else [f"{path}: {one!r} {other!r}"]


@pytest.mark.parametrize("style", ["isaac", "gungeon"])
@pytest.mark.parametrize("tileset", ["external", "embedded"])
def test_xml_is_read_as_the_json_of_the_same_map(tileset: str, style: str) -> None:
    tables: list[Any] = []
    for format_, suffix in (("tmj", "tsj"), ("tmx", "tsx")):
        options = {"tiled.format": format_, "tiled.tileset": tileset}
        bundle = exporters.export(generator.generate(style, 3), "tiled", options, name="level")
        files = [
            (f"level.{format_}", "map"),
            *((name, "tileset") for name in bundle if name.endswith(suffix)),
        ]
        read = [tiled_table(bundle[name], name, tag, BadInput) for name, tag in files]
        tables.append(read)
    json_tables, xml_tables = tables
    assert len(json_tables) == len(xml_tables) == (2 if tileset == "external" else 1)
    assert differences(json_tables, xml_tables) == []
    assert [layer["type"] for layer in json_tables[0]["layers"]] == [
        layer["type"] for layer in xml_tables[0]["layers"]
    ]
    for one, other in zip(json_tables[0]["layers"], xml_tables[0]["layers"], strict=True):
        if "data" in one:
            assert ",".join(map(str, one["data"])) == other["data"].replace("\n", "")


def test_chunks_groups_and_templates_are_read() -> None:
    text = """<map infinite="1"><group name="A" locked="1"><layer id="2" name="B" opacity="0.5">
     <data encoding="base64" compression="zstd"><chunk x="-16" y="0" width="16" height="16"> AAAA </chunk></data>
    </layer><imagelayer name="C"><image source="c.png" width="8" height="9"/></imagelayer>
    <objectgroup name="7"><object id="1"><ellipse/></object><object id="2" x="-1.5">
    <polyline points="0,0 1,-2.5"/></object></objectgroup></group></map>"""
    map_ = tiled_table(text.encode(), "a.TMX", "map", BadInput)
    usual = {"x": 0, "y": 0, "visible": True, "opacity": 1}
    chunk = {"x": -16, "y": 0, "width": 16, "height": 16, "data": "AAAA"}
    layer = {
        **usual,
        "type": "tilelayer",
        "id": 2,
        "name": "B",
        "opacity": 0.5,
        "encoding": "base64",
        "compression": "zstd",
    }
    unmoved = {"name": "", "type": "", "width": 0, "height": 0, "rotation": 0, "visible": True}
    objects = [
        {**unmoved, "id": 1, "ellipse": True},
        {**unmoved, "id": 2, "x": -1.5, "polyline": [{"x": 0, "y": 0}, {"x": 1, "y": -2.5}]},
    ]
    image = {"image": "c.png", "imagewidth": 8, "imageheight": 9}
    assert map_ == {
        "type": "map", "infinite": True, "compressionlevel": -1, "tilesets": [],
        "layers": [{**usual, "type": "group", "name": "A", "locked": True, "layers": [
            {**layer, "chunks": [chunk]},
            {**usual, "type": "imagelayer", "name": "C", **image},
            {**usual, "type": "objectgroup", "name": "7", "draworder": "topdown", "objects": objects},
        ]}],
    }  # fmt: skip
    template = b'<template><tileset firstgid="1" source="a.tsx"/><object name="x" gid="4"/></template>'
    assert tiled_table(template, "a.tx", "template", BadInput) == {
        "tileset": {"firstgid": 1, "source": "a.tsx"},
        "object": {**unmoved, "name": "x", "gid": 4},
    }


KEPT = """<?xml version="1.0" encoding="UTF-8"?>
<map orientation="orthogonal" width="1" height="1" infinite="0" other="7">
 <editorsettings>
  <export target="a.lua" format="lua"/>
 </editorsettings>
 <properties>
  <property name="a" type="class" propertytype="A">
   <properties>
    <property name="b" type="int" value="0"/>
   </properties>
  </property>
  <property name="c" type="list">
   <item type="int" value="1"/>
  </property>
 </properties>
 <tileset firstgid="1" name="t" tilewidth="8" tileheight="8">
  <transformations hflip="1" vflip="0"/>
  <image format="png">
   <data encoding="base64">AAAA</data>
  </image>
  <tile id="3" terrain="0,,,1"/>
 </tileset>
 <objectgroup id="1" name="b" repeat="once">
  <object id="1" template="a.tx" x="1" y="2" rotation="0" visible="1">
   <text wrap="1">Two
lines</text>
   <capsule/>
  </object>
 </objectgroup>
 <layer id="2" name="c" width="1" height="1">
  <data>
   <tile gid="3"/>
  </data>
 </layer>
 <plugin of="another">
  <deep/>
 </plugin>
</map>
"""


def test_what_nobody_reads_is_kept() -> None:
    """Tiled's own settings, classes, lists, texts, pictures in the file, and what some other program wrote."""
    assert map_xml(tiled_table(KEPT.encode(), "a.tmx", "map", BadInput)).decode() == KEPT


def test_properties_have_their_types() -> None:
    text = """<template><object><properties>
    <property name="a" value="1"/><property name="b" type="int" value="1"/><property name="c" type="bool" value="true"/>
    <property name="d" type="float" value="0.5"/><property name="e">two
lines</property><property name="f" type="class" propertytype="F"><properties><property name="g" value=""/></properties>
    </property></properties></object></template>"""
    listed = tiled_table(text.encode(), "a.tx", "template", BadInput)["object"]["properties"]
    assert {one["name"]: one["value"] for one in listed} == {
        "a": "1", "b": 1, "c": True, "d": 0.5, "e": "two\nlines", "f": {"g": ""},
    }  # fmt: skip
    assert [one["type"] for one in listed] == ["string", "int", "bool", "float", "string", "class"]
    assert listed[-1]["propertytype"] == "F"


@pytest.mark.parametrize(
    ("data", "name", "says"),
    [
        (b"<tileset/>", "a.tmx", "a.tmx: <tileset> is not a map; give one that Tiled saved"),
        (b"{}", "a.tmx", "a.tmx:1: is not XML: not well-formed"),
        (b"<map/>", "a.tmj", "a.tmj: is not JSON: line 1, column 1"),
        (
            b'<!DOCTYPE map [<!ENTITY a "b">]><map/>',
            "a.tmx",
            "a.tmx: has a document type; save it again without one",
        ),
        (b"<map>" + b"<group>" * 40, "a.tmx", "a.tmx: has too many elements; give a smaller file"),
    ],
)
def test_what_is_not_a_map_is_told(data: bytes, name: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        tiled_table(data, name, "map", BadInput)
