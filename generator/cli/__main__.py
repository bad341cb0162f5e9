"""`python -m generator.cli` is `undercroft`."""

from generator.garbage import collect_rarely_to_the_end

collect_rarely_to_the_end()  # before the import, which makes most of what is not garbage

from generator.cli import main  # noqa: E402

main()
