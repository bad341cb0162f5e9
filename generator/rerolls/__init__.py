"""Rolling rooms of a finished level again, while all others stay as they are, to the byte."""
