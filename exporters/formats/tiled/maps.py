"""The maps of a job: one of the whole level, or one per room and hallway, with a world."""

from __future__ import annotations

from exporters.base import Job
from exporters.formats.tiled.map_file import Target, level_facts, map_file
from exporters.formats.tiled.objects import room_facts
from exporters.formats.tiled.part import Links, MapPart
from exporters.formats.tiled.syntax.text import PropertyValue
from exporters.formats.tiled.world import parts, places, world_file
from exporters.owners import owners
from generator.geometry import Rect


def maps(job: Job) -> dict[str, bytes]:
    """Write the files named after the level, by path."""
    return _rooms(job) if job.options["split"] == "rooms" else _whole(job)


def _whole(job: Job) -> dict[str, bytes]:
    level = job.level
    part = MapPart(
        level,
        job.theme,
        Rect(0, 0, level.width, level.height),
        layers=job.layers,
        rooms=level.rooms,
        doors=tuple((door, door.tiles) for door in level.doors),
        hallways=level.hallways,
        markers=level.markers,
    )
    target = _target(job, job.name)
    data = map_file(part, Links.of(level), target, "level", level_facts(level), level.facts)
    return {f"{job.name}.{target.format}": data}


def _target(job: Job, name: str, up: str = "") -> Target:
    options = job.options
    return Target(
        name, str(options["encoding"]), str(options["format"]), options["tileset"] == "embedded", up
    )


def _rooms(job: Job) -> dict[str, bytes]:
    level, layers, size = job.level, job.layers, job.theme.tile_size
    owner = owners(level, layers)
    links, ending = Links.of(level), str(job.options["format"])
    map_places = places(level, job.name, owner, ending)
    files = {f"{job.name}.world": world_file(map_places, size)}
    for map_place, part in zip(map_places, parts(level, layers, owner, map_places, job.theme), strict=True):
        own: dict[str, PropertyValue | None] = {"hallway_id": map_place.number - len(level.rooms)}
        class_ = "hallway"
        for room in part.rooms:
            own, class_ = {**room_facts(room, level.kinds)}, "room"
        own |= {"level": job.name, "fingerprint": level.fingerprint}
        own |= {"left": map_place.area.x, "top": map_place.area.y}
        stem = map_place.path.rpartition("/")[2].removesuffix(f".{ending}")
        files[map_place.path] = map_file(part, links, _target(job, stem, "../"), class_, own, {})
    return files
