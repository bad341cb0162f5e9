"""What the styles on a grid of cells, `isaac` and `rebirth`, share; not a style itself."""
