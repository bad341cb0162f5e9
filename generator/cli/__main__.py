"""`python -m generator.cli` is `undercroft`."""

from generator.cli import main

main()
