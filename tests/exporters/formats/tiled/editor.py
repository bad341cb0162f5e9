"""Tiled's editor with a map open, and a script that does in it what a person does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from subprocess import Popen

from tests.engines import tiled
from tests.waiting import until

_SETTINGS = """[Install]
CheckForUpdates=false
DisplayNews=false

[Startup]
RestoreLastSession=false
"""
# An extension is all that a running editor listens to.
_EXTENSION = """
let isDone = false;
tiled.activeAssetChanged.connect(map => {
  if (isDone || !map || !map.isTileMap)
    return;
  isDone = true;
  let said = "";
  try {
    (function () { %s })();
  } catch (error) {
    said = String(error);
  }
  const file = new TextFile(%s, TextFile.WriteOnly);
  file.write(JSON.stringify(said));
  file.commit();
});
"""


@contextmanager
def editor(
    script: str, *files: Path, home: Path, display: bool = False, command: Path | None = None
) -> Iterator[Popen[str]]:
    """Open files, and run a script for the first `map` that becomes active. It has ended in the block.

    `command` is that of our own extension in `home`.
    """
    settings, own = home / "mapeditor.org" / "tiled.conf", home / "tiled" / "extensions"
    for folder in (settings.parent, own):
        folder.mkdir(parents=True, exist_ok=True)
    settings.write_text(_SETTINGS, "utf-8")
    answer = home / "answer.json"
    answer.unlink(missing_ok=True)
    (own / "script.js").write_text(_EXTENSION % (script, json.dumps(str(answer))), "utf-8")
    program = tiled()
    env = {**program.env, "XDG_CONFIG_HOME": str(home), "UNDERCROFT": str(command or "")}
    if display:
        env["QT_QPA_PLATFORM"] = "xcb"
    running = replace(program, env=env).start(*files, display=display)
    try:
        until(lambda: answer.exists() or running.poll() is not None, "the script has ended")
        assert answer.exists(), running.communicate()
        assert json.loads(answer.read_bytes()) == ""
        yield running
    finally:
        running.terminate()
        running.communicate()
