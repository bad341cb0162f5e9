"""Layouts: all that a spec's levels may draw, how often they are drawn, and a pool as a contact sheet."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

from exporters.layouts.sheet import sheet
from exporters.studio.making import spec_asked, theme_of
from exporters.studio.requests import LevelRequest, Reply, packed
from generator.batch.drawn_layouts import count_layouts, fates, layouts_of, merged_counts
from generator.errors import BadInput, shown
from generator.interiors.layouts import OWN
from generator.interiors.named import NamedLayout
from generator.interiors.pool_rules import kind_of
from generator.styles.registry import style


def layouts(request: LevelRequest, pool: str, levels: int) -> Reply:
    """List the pools of a spec and, for one, its layouts, how often levels draw each, and its picture.

    Without a pool, it is the first one.
    """
    spec = spec_asked(request)
    start = style(spec.style).read_seed(request.seed)[0]
    counts = merged_counts([count_layouts((spec, range(start, start + levels)))] if levels else [])
    known = layouts_of(spec)
    rows = fates(spec, counts, known)
    pools = Counter(row.name.rpartition("/")[0] for row in rows)
    pool = pool or next(iter(pools), "")
    result: dict[str, Any] = {
        "pool": pool,
        "pools": [{"pool": name, "layouts": number} for name, number in pools.items()],
        "levels": counts.levels,
        "layouts": [],
        "sheet": None,
    }
    if not pool:
        return Reply(200, packed(result))
    rows = [row for row in rows if f"{row.name}/".startswith(f"{pool}/")]
    if not rows:
        raise BadInput(f"pool: no layout of this spec is in {shown(pool)}; choose one of the list")
    result["layouts"] = [row._asdict() for row in rows]
    kit = spec.load_kit()
    named = [NamedLayout(row.name, kind_of(row.name.removeprefix(OWN), kit), known[row.name]) for row in rows]
    data = sheet(named, theme_of(request))
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    result["sheet"] = f"/api/pictures/{digest}.png"
    return Reply(200, packed(result), ((digest, data),))
