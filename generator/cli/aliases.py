"""What to say of options that other programs have, and that people try here."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

# Names that people try, and what does the same here: the first of these that a command has.
_SAME: Mapping[str, Sequence[str]] = {
    "-o --output --output-dir --output-file --outdir --outfile --dest --destination -d --dir": ("--out",),
    "-j --workers --threads --parallel --processes --cores": ("--jobs",),
    "--format --formats -t --type --exporter": ("--to",),
    "-f": ("--to", "--force"),
    "-s --random-seed": ("--seed", "--seeds"),
    "-q --silent": ("--quiet",),
    "-n --limit --max --top": ("--first",),
    "-D --define --param": ("--set",),
    "-k": ("--kit",),
    "--filter --condition --query": ("--where",),
    "--colour": ("--color",),
    "-y --yes --force --overwrite --replace --clobber": ("--force", "--replace", "--edits replace"),
    "--dryrun --simulate --pretend --preview --what-if": ("--dry-run",),
    "-v -V --version": ("--version", "`undercroft --version`"),
}
_NONE = ("--verbose", "--debug", "--log-level")


def meant_by(name: str, options: Container[str]) -> str:
    """Return the remedy for a name that other programs have, or an empty text if it is none of theirs."""
    for same in _known(name, options):
        return f"did you mean {same}?"
    return "there is none" if name in _NONE else ""


def _known(name: str, options: Container[str]) -> Iterator[str]:
    """Yield what does the same as an option, as far as a command has it."""
    for names, remedies in _SAME.items():
        if name in names.split():
            yield from (
                remedy for remedy in remedies if remedy.startswith("`") or remedy.split()[0] in options
            )
