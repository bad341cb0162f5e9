"""The level itself as `NAME.level.json`, from which every other format can be made again later."""

from __future__ import annotations

from exporters.base import Exporter, Job
from exporters.bundle import Bundle


def _export(job: Job) -> Bundle:
    from generator.serialise import dumps  # not needed to know what the format is

    return Bundle({f"{job.name}.level.json": dumps(job.level)})


EXPORTER = Exporter(
    name="json",
    summary="the level itself, complete, to be read by tools and exported again",
    suffixes=(".level.json",),
    options={},
    export=_export,
    themed=False,
)
