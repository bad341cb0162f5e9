"""Roll rooms of a finished level again, while all other rooms stay the same, to the byte."""
