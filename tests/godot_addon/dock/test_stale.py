"""What the dock shows belongs to what was chosen last, however late, and in whatever order, answers come."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from .conftest import Editor

# Answers `describe` as the real command does. A picture has one name, whatever the seed, as levels have that
# differ in their theme alone.
STAND_IN = """#!/bin/sh
cd {folder}
case "$*" in
  describe*slow.toml) until [ -e slow.go ]; do sleep 0.05; done; exec {command} "$@" ;;
  describe*) exec {command} "$@" ;;
esac
for each in "$@"; do
  case "$each" in --seed=*) seed=${{each#--seed=}} ;; --out=*) out=${{each#--out=}} ;; esac
done
mkdir -p "$out"
case "$seed" in
  orphan)
    touch orphan.started
    (until [ -e orphan.go ]; do sleep 0.05; done; cp art/red.png "$out/level.png"; touch orphan.done) 2>&-
    ;;
  after-orphan)
    cp art/green.png "$out/level.png"
    touch orphan.go
    until [ -e orphan.done ]; do sleep 0.05; done
    ;;
  large) cp art/large.png "$out/level.png" ;;
  impossible) echo "undercroft: no level here" >&2; exit 1 ;;
  none) echo '{{"name": "level", "files": []}}'; exit ;;
  *) cp art/blue.png "$out/level.png" ;;
esac
printf '{{"name": "level", "files": ["%s/level.png"]}}' "$out"
"""


def test_an_older_picture_is_never_taken_for_the_newest(editor: Editor, command: Path) -> None:
    """Whatever the older commands still write, and however long their pictures take to unpack."""
    art = editor.folder / "art"
    art.mkdir()
    (art / ".gdignore").touch()  # none of the project's pictures
    for colour in ("red", "green", "blue"):
        Image.new("RGB", (8, 8), colour).save(art / f"{colour}.png")
    noise = np.random.default_rng(0).integers(0, 255, (4096, 4096, 3), np.uint8)
    Image.fromarray(noise).save(art / "large.png")
    specs = editor.folder / "specs"
    specs.mkdir()
    (specs / "slow.toml").write_text('style = "isaac"\n', "utf-8")
    (specs / "wrong.toml").write_text('style = "none"\n', "utf-8")
    fake = editor.folder / "stand-in"
    fake.write_text(STAND_IN.format(folder=editor.folder, command=command), "utf-8")
    fake.chmod(0o755)
    editor.set_command("res://stand-in")
    seen = editor.play("stale", display=False)
    assert seen["first"] == "0000ff"
    assert seen["after_orphan"] == "008000"
    assert seen["impossible"] == "008000" and seen["is_dim"]
    assert seen["message"] == "no level here"
    assert seen["none"] == ["The generator's picture cannot be read.", True]
    assert seen["last"] == "0000ff" and seen["mended"] == ""
    assert seen["chosen"] == seen["wrong"][0] == "gungeon"
    assert "style:" in seen["wrong"][1]


def test_a_level_whose_files_were_changed_elsewhere_is_drawn_again(editor: Editor, command: Path) -> None:
    """Once somebody comes back to the editor: the spec, or a layout that it names; else nothing is drawn."""
    specs = editor.folder / "specs"
    specs.mkdir()
    (specs / "own.toml").write_text('style = "isaac"\nlayouts = "mine"\n', "utf-8")
    (specs / "mine").mkdir()
    (specs / "mine" / "a.txt").write_text("", "utf-8")
    editor.set_command(str(command))
    assert editor.play("edited", display=False) == {"asked": [0, 1, 1, 0]}
