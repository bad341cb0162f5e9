"""Packs: many levels in one file, `NAME.ucpack`, for a game to build scenes from while it runs.

    spec, seed --generate--> Level --dress--> layers --godot.scene--> Document --rows--> Block --file--> pack

A pack holds the nodes of the scenes that the format `godot` writes, not the levels, so whoever reads one
needs to know nothing of themes or rooms. `docs/pack.md` describes every byte.
"""
