"""Property names in Tiled's files, chosen so that every reader accepts the file.

pytmx keeps an object's fields and its properties in one namespace, and refuses a file in which a property has
the name of a field: `id`, `name`, `type` ... A property of a level or a marker with such a name, or the name
of one of our properties, is written with its owner's class in front: the `name` of an enemy becomes
`enemy_name`. So is one that would be read as such a name: `plain_name` reverses `written_name`.

Kinds are plain text in maps, because Tiled reports each value of an enum as an error while the project with
that enum is not open. So a person chooses from the list of a second property, which only classes have:
`new_kind` replaces the `kind` of a room or a door when the map is read, and is never written.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeVar

from exporters.merge.tree import UNIQUE_NAME

T = TypeVar("T")

# The fields of maps and objects in pytmx 3.32, with the attributes that our files have.
_FIELDS = """
add_layer add_tileset allow_duplicate_names apply_transformations as_points background_color class closed
compressionlevel custom_property_filename custom_types digest filename from_xml_string get_layer_by_name
get_object_by_id get_object_by_name get_tile_colliders get_tile_gid get_tile_image get_tile_image_by_gid
get_tile_locations_by_gid get_tile_properties get_tile_properties_by_gid get_tile_properties_by_layer
get_tileset_from_gid gid gidmap height hexsidelength id image image_loader imagemap images infinite invert_y
layernames layers load_all_tiles map_gid map_gid2 maxgid name nextlayerid nextobjectid object_to_properties
objectgroups objects objects_by_id objects_by_name optional_gids orientation parent parse_json parse_xml
points properties register_gid register_gid_check_flags reload_images renderorder rotation
set_tile_properties staggeraxis staggerindex template tile_properties tiledgidmap tiledversion tileheight
tilesets tilewidth type version visible visible_layers visible_object_groups visible_tile_layers width x y
"""
# Properties that we give to levels and markers.
_OURS = ("style", "seed", "fingerprint", "spec", "marker_id", "kind", "room", "hallway")
RULES = "rules/rules.txt"
"""The list of automapping rules, beside the project; `undercroft tiled rules` writes it."""

SKETCH = "Sketch"
"""The layer that automapping rules read; it says nothing of a level itself."""

CHOICES = {"new_kind": "kind", "new_enemy_name": "enemy_name"}
"""The property that each choice of a person replaces. An empty choice replaces nothing."""

TAKEN = frozenset((*_FIELDS.split(), *_OURS, UNIQUE_NAME, *CHOICES, ""))
"""Names that no property from outside can have in a file."""


def chosen(properties: Mapping[str, T]) -> dict[str, T]:
    """Return the properties of an object with a person's choices in place of what they replace."""
    values = {CHOICES[name]: value for name, value in properties.items() if name in CHOICES and value}
    return {name: value for name, value in properties.items() if name not in CHOICES} | values


@lru_cache(maxsize=4096)
def written_name(name: str, owner: str) -> str:
    """Return the name in the file for a property of a level or a marker of the class `owner`."""
    return _front(owner) + name if _is_taken(name, owner) else name


@lru_cache(maxsize=1 << 12)
def plain_name(name: str, owner: str) -> str:
    """Return the name of the property that a file calls `name`."""
    rest = name.removeprefix(_front(owner))
    return rest if rest != name and _is_taken(rest, owner) else name


def _is_taken(name: str, owner: str) -> bool:
    """Check whether a name is taken, or is a taken name with the owner's class in front."""
    front = _front(owner)
    while name.startswith(front) and name not in TAKEN:
        name = name[len(front) :]
    return name in TAKEN or name.startswith("__")


def _front(owner: str) -> str:
    """Return the prefix of a name. `marker_id` is our own, even for a kind that is called `marker`."""
    return "property_" if owner == "marker" else f"{owner}_"
