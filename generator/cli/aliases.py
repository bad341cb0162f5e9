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
    "-v -V --version": ("--version", "`undercroft --version`"),
}
# Names of what no command has, and what comes near it: the first of these that a command has.
_NEAR: Mapping[str, Sequence[str]] = {
    "--dry-run --dryrun --simulate --pretend --preview --what-if": (
        "--check builds in memory and writes nothing",
        "--out can name a new folder",
    ),
    "--verbose --debug --log-level": (),
}


def meant_by(name: str, options: Container[str]) -> str:
    """Return the remedy for a name that other programs have, or an empty text if it is none of theirs."""
    for same in _known(_SAME, name, options):
        return f"did you mean {same}?"
    for near in _known(_NEAR, name, options):
        return f"there is none; {near}"
    return "there is none" if any(name in names.split() for names in _NEAR) else ""


def _known(table: Mapping[str, Sequence[str]], name: str, options: Container[str]) -> Iterator[str]:
    """Yield what the rows of a name say, as far as a command has the options that begin it."""
    for names, remedies in table.items():
        if name in names.split():
            yield from (
                remedy for remedy in remedies if remedy.startswith("`") or remedy.split()[0] in options
            )
