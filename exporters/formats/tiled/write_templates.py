"""Tiled's object templates, one for each kind of marker and each enemy: `undercroft tiled templates`.

    {"object":{"gid":771, "height":16, "id":1, "name":"", "properties":[...], "rotation":0,
      "type":"chest", "visible":true, "width":16},
     "tileset":{"firstgid":1, "source":"../../undercroft.tsj"}, "type":"template"}

Whoever drags one into a map gets the icon, the size and the properties of a marker as the generator makes
it. The object in the map only refers to the template, until it is read and the map is written again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from exporters.bundle import Bundle
from exporters.formats.tiled.names import written_name
from exporters.formats.tiled.syntax.text import PropertyValue, document, properties
from exporters.formats.tiled.write_tileset import FIRST_GID
from exporters.image import marker_icon
from exporters.theme import Theme
from generator.kinds import Kinds
from generator.kinds.kind_tables import PROPERTY_FORMS
from generator.kinds.marker_properties import MARKER_PROPERTIES
from generator.level import Marker, Property


def templates(theme: Theme, ending: str) -> Bundle:
    """Write the templates for a theme and its kit. `ending` is that of the theme's tileset."""
    bundle = Bundle()
    for name, marker in _markers(theme.kinds):
        bundle.add(f"templates/{theme.name}/{name}.tj", _template(marker, theme, ending))
    return bundle


def _markers(kinds: Kinds) -> Iterator[tuple[str, Marker]]:
    for kind in kinds.markers:
        if kind != "enemy":
            yield kind, _marker(kind, {}, kinds)
    for enemy in kinds.enemies.values() if "enemy" in kinds.markers else ():
        own: dict[str, Property] = {"name": enemy.name, "role": enemy.role, "flies": enemy.flies}
        yield f"enemy_{enemy.name}", _marker("enemy", own, kinds)


def _marker(kind: str, own: Mapping[str, Property], kinds: Kinds) -> Marker:
    """Make a marker with the properties that each one of its kind has."""
    given = {name: each.default for name, each in MARKER_PROPERTIES.get(kind, {}).items() if each.always}
    declared = {name: PROPERTY_FORMS[form]() for name, form in kinds.markers[kind].properties.items()}
    return Marker(0, kind, 0, 0, None, properties={**declared, **given, **own})


def _template(marker: Marker, theme: Theme, ending: str) -> bytes:
    size, icon = theme.tile_size, marker_icon(marker, theme, theme.kinds)
    named: dict[str, PropertyValue | None] = {
        written_name(name, marker.kind): value for name, value in marker.properties.items()
    }
    object_: dict[str, object] = {"id": 1, "name": "", "rotation": 0, "type": marker.kind, "visible": True}
    if icon is None:
        object_ |= {"height": 0, "point": True, "width": 0}
    else:
        object_ |= {"gid": FIRST_GID + icon, "height": size, "width": size}
    if named:
        object_["properties"] = properties(named)
    tileset = {"firstgid": FIRST_GID, "source": f"../../{theme.name}.{ending}"}
    return document({
        "object": dict(sorted(object_.items())),
        **({"tileset": tileset} if icon is not None else {}),
        "type": "template",
    })  # fmt: skip
