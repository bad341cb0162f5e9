"""What the dock shows belongs to what was chosen last, however late, and in whatever order, answers come."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from .conftest import Played, command, story

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


@story()
def stale(folder: Path) -> str:
    """A command that answers when it is told to, pictures of one colour, and specs."""
    paint(folder / "art")
    noise = np.random.default_rng(0).integers(0, 255, (4096, 4096, 3), np.uint8)
    Image.fromarray(noise).save(folder / "art" / "large.png")
    specs = folder / "specs"
    specs.mkdir(exist_ok=True)
    (specs / "slow.toml").write_text('style = "isaac"\n', "utf-8")
    (specs / "wrong.toml").write_text('style = "none"\n', "utf-8")
    fake = folder / "stand-in"
    fake.write_text(STAND_IN.format(folder=folder, command=command()), "utf-8")
    fake.chmod(0o755)
    return "res://stand-in"


def paint(art: Path) -> None:
    """Pictures for stand-ins, which are none of the project's."""
    art.mkdir(exist_ok=True)
    (art / ".gdignore").touch()
    for colour in ("red", "green", "blue"):
        Image.new("RGB", (8, 8), colour).save(art / f"{colour}.png")


def test_an_older_picture_is_never_taken_for_the_newest(stale: Played) -> None:
    """Whatever the older commands still write, and however long their pictures take to unpack."""
    seen = stale.seen
    assert seen["first"] == "0000ff"
    assert seen["after_orphan"] == "008000"
    assert seen["impossible"] == "008000" and seen["is_dim"]
    assert seen["message"] == "no level here"
    assert seen["none"] == ["The generator's picture cannot be read.", True]
    assert seen["last"] == "0000ff" and seen["mended"] == ""
    assert seen["chosen"] == seen["wrong"][0] == "gungeon"
    assert "style:" in seen["wrong"][1]


@story()
def edited(folder: Path) -> str:
    """A spec that names layouts."""
    specs = folder / "specs"
    (specs / "mine").mkdir(parents=True)
    (specs / "own.toml").write_text('style = "isaac"\nlayouts = "mine"\n', "utf-8")
    (specs / "mine" / "a.txt").write_text("", "utf-8")
    return ""


def test_a_level_whose_files_were_changed_elsewhere_is_drawn_again(edited: Played) -> None:
    """Once somebody comes back to the editor: the spec, or a layout that it names; else nothing is drawn."""
    assert edited.seen == {"asked": [0, 1, 1, 0]}
