"""Pictures that the program draws for the site: the logo, and levels of the presets."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from website import markdown

if TYPE_CHECKING:
    from PIL import Image

_LOGO_SCALE = 4
_PREVIEW = (1200, 630)  # px, as chat programs like it
_LOGO = ("torch", "exit", "torch")  # markers, whose icons stand side by side


class Shown(NamedTuple):
    """A level of the gallery: a preset, a seed, values that are set, and what one sees."""

    spec: str
    seed: int
    values: dict[str, Any]
    caption: str

    @property
    def name(self) -> str:
        """The name of its picture, as `undercroft generate` gives it."""
        return "-".join(
            [self.spec, str(self.seed), *(f"{key}-{given}" for key, given in self.values.items())]
        )

    @property
    def command(self) -> str:
        """The command that makes the picture."""
        words = ["undercroft", "generate", self.spec, "--seed", str(self.seed)]
        for key, given in self.values.items():
            words += ["--set", f"{key}={given}"]
        return " ".join([*words, "--to", "png", "--option", "png.markers=true", "--out", "build"])


GALLERY = (
    Shown("isaac", 7, {}, "The first stage: few rooms, no loops"),
    Shown("isaac", 7, {"stage": 4}, "The same seed, three stages further down"),
    Shown("isaac", 3, {"stage": 8}, "A late stage in the look of its chapter"),
    Shown("basement", 11, {"stage": 3}, "Secret rooms as in the demo: beside two rooms or more"),
    Shown("labyrinth", 1, {}, "The curse of the labyrinth: two boss rooms, two shops"),
    Shown("rebirth", 748, {"stage": 4}, "Rooms of twelve shapes"),
    Shown("rebirth", 8, {"stage": 10}, "A last chapter"),
    Shown("void", 5, {}, "The Void: more than 50 rooms, six of them boss rooms"),
    Shown("gungeon", 12, {}, "Rooms of many sizes, connected by hallways"),
    Shown("gungeon", 7, {"flow": "two_keys"}, "A level with a plan: two locks, two keys"),
    Shown("gungeon", 5, {"roughness": 0}, "Only rectangles, without ragged edges"),
    Shown("procedural", 4, {}, "All by procedure: caves, torches along hallways, the boss on islands"),
)


def gallery() -> str:
    """Every level of the gallery under its preset, with the command that makes it."""
    from generator.spec import preset_names, preset_summary

    parts = []
    for preset in preset_names():
        parts.append(f"## {preset}\n\n{markdown.plain(preset_summary(preset))}\n\n")
        for one in GALLERY:
            if one.spec == preset:
                alt = f"{one.caption}: preset {one.spec}, seed {one.seed}"
                file = f"_static/levels/{one.name}.png"
                picture = f'<a href="{file}"><img class="level" loading="lazy" src="{file}" alt="{alt}"></a>'
                parts.append(f"{one.caption}:\n\n```sh\n{one.command}\n```\n\n{picture}\n\n")
    return "".join(parts)


def draw(folder: Path) -> None:
    """Write the logo, the icon of the site, the preview of its links and the levels of the gallery."""
    import exporters
    import generator

    (folder / "levels").mkdir(parents=True, exist_ok=True)
    for name, icons in (("logo", _LOGO), ("favicon", _LOGO[1:2])):
        (folder / f"{name}.png").write_bytes(_icons(icons))
    _preview().save(folder / "preview.png")
    for one in GALLERY:
        level = generator.generate(one.spec, one.seed, **one.values)
        bundle = exporters.export(level, ["png"], options={"png.markers": True}, name=one.name)
        bundle.write(folder / "levels", edits=None)


def _preview() -> Image.Image:
    """The picture that chat programs show beside a link to the site."""
    from PIL import Image

    with Image.open(Path(__file__).parents[1] / "pictures" / "front-level.png") as piece:
        twice = piece.convert("RGB").resize((piece.width * 2, piece.height * 2), Image.Resampling.NEAREST)
    left, top = ((has - wants) // 2 for has, wants in zip(twice.size, _PREVIEW, strict=True))
    return twice.crop((left, top, left + _PREVIEW[0], top + _PREVIEW[1]))


def _icons(markers: tuple[str, ...]) -> bytes:
    """A PNG file of the built-in theme's icons of some markers."""
    from PIL import Image

    from exporters.theme.loader import load_theme

    theme = load_theme()
    with Image.open(io.BytesIO(theme.image)) as sheet:
        size = theme.tile_size
        row = Image.new("RGBA", (size * len(markers), size))
        for place, marker in enumerate(markers):
            x, y = theme.at_px(theme.icons[marker])
            row.paste(sheet.convert("RGBA").crop((x, y, x + size, y + size)), (place * size, 0))
    file = io.BytesIO()
    row.resize((row.width * _LOGO_SCALE, row.height * _LOGO_SCALE), Image.Resampling.NEAREST).save(
        file, "PNG"
    )
    return file.getvalue()
