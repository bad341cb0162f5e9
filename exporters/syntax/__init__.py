"""The syntax of other programs' files: parsers and writers that know nothing about levels."""
