"""Packs: many levels in one file, `NAME.ucpack`, for a game to build scenes from while it runs.

    spec, seed --generate--> Level --dress--> layers --godot.scene--> Document --rows--> Block --file--> pack

A pack contains the nodes of the scenes that the format `godot` writes, not the levels, so a reader
needs to know nothing about themes or rooms. `docs/pack.md` describes every byte.
"""
