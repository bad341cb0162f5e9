"""Encounters: who of the roster fights in a room, on which of its places, and since when."""
