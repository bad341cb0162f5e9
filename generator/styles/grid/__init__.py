"""What the styles on a grid of cells, `isaac` and `rebirth`, share. It is not a style itself."""
