"""Small flows for tests, written in a line."""

from __future__ import annotations

from pathlib import Path

KINDS = {"s": "start", "z": "boss"}


def flow_text(*ways: str, more: str = "", **rooms: str) -> str:
    """The TOML of a flow with ways such as `s a z`; `a='size = "small"'` adds to a room, or gives its kind."""
    ids = dict.fromkeys(room for way in ways for room in way.split())
    lines = ["[flow]", 'name = "t"']
    for room in ids:
        kind = "" if "kind" in rooms.get(room, "") else f'kind = "{KINDS.get(room, "normal")}"'
        lines += ["[[room]]", f'id = "{room}"', kind, rooms.get(room, "")]
    for way in ways:
        listed = ", ".join(f'"{room}"' for room in way.split())
        lines += ["[[connection]]", f"path = [{listed}]"]
    return "\n".join([*lines, more, ""])


def flow_file(folder: Path, *ways: str, more: str = "", **rooms: str) -> str:
    """The path of `own.toml` in a folder, written with `flow_text`."""
    path = folder / "own.toml"
    path.write_text(flow_text(*ways, more=more, **rooms))
    return str(path)
