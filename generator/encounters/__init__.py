"""Encounters: who of the roster fights in a room, at which places, and from when on."""
