"""Rooms drawn in other programs as layouts. Readers are handed in; each gives an `EditorRoom`."""
