"""The heap: rooms dropped, pushed apart, triangulated, joined by a spanning tree and loops, and linked."""
