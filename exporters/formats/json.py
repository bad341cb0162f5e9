"""The level itself as `NAME.level.json`, which can be exported to every other format later."""

from __future__ import annotations

from exporters.base import Exporter, Job
from exporters.bundle import Bundle
from generator.errors import BadInput


def _export(job: Job) -> Bundle:
    from generator.serialise import MAX_LEVEL_BYTES  # not needed just to list the format

    path, data, most = f"{job.name}.level.json", job.level.text, MAX_LEVEL_BYTES
    if len(data) > most:
        size = f"has {len(data)} bytes, and at most {most} are read again"
        raise BadInput(f"{path}: {size}; ask for fewer rooms")
    return Bundle({path: data})


EXPORTER = Exporter(
    name="json",
    summary="the complete level, for tools, and to export again",
    suffixes=(".level.json",),
    options={},
    export=_export,
    themed=False,
)
