"""Floorplans: which rooms exist, where, and what touches what. One module a style."""
