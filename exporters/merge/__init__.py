"""Merge three versions of a file: the last export, a person's version of it, and the new export.

Each format translates the first two to the numbers, names and places of the new one (`matching` matches
the rooms and objects of the two levels). Then one algorithm merges values (`tree`) and one merges cells
(`cells`).
"""
