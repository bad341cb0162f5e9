"""A catalogue of breakages: what can be wrong with a level, and the check that must find it.

Each breakage is a function from a sound level to a broken one, whose name says what is broken. It raises
`Unfit` for a level that has no such thing.
"""
