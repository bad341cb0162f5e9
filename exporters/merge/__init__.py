"""Three versions of a file brought together: what was exported, what a person made of it, what is new.

Each format translates the first two into the numbers, names and places of the new one (`matching` says which
room and which object of one level is which of the other), and then one algorithm merges values (`tree`) and
one merges cells (`cells`).
"""
