"""`undercroft init`: the files that a project begins with."""
