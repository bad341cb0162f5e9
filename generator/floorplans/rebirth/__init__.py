"""The remake's floorplans: its topology, draw for draw, and the special rooms by the wiki's order."""

from generator.floorplans.rebirth.growth import Topology, topology

__all__ = ["Topology", "topology"]
