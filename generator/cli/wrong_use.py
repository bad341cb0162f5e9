"""What click finds wrong with a command line, in one line: what, where, and what to give instead."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence

import click

from generator.cli.helpful import DeletingOption
from generator.errors import hint, meant, shown
from generator.pattern import pattern
from generator.value_words import either

_MISSING = {
    "SPEC": "give a preset such as isaac, or a TOML file",
    "--seeds": "give the first and one past the last, such as 0:1000",
}
_WORDS = {  # what the metavars of the help stand for
    "ADDRESS": "an address",
    "CONDITION": "a condition",
    "DIR": "a folder",
    "FILE": "a file",
    "FILE.dot": "a .dot file",
    "FILE.graphml": "a .graphml file",
    "FLOW": "a flow",
    "FOLDER": "a folder",
    "FORMATS": "formats, such as json,png",
    "IMAGE": "an image",
    "KIND": "a room kind",
    "LAYOUT": "a layout",
    "LEVEL.json": "a level.json",
    "MANIFEST": "a manifest",
    "NAME": "a name",
    "PACK.ucpack": "a pack",
    "PATH": "a file or a folder",
    "POOL": "a pool",
    "RULE": "the name of a rule",
    "SEED": "a number or a text",
    "SPEC": "a preset or a TOML file",
    "TILESET": "a tileset",
    "WHAT": "what pip accepts",
}
_MAX_SHOWN = 60  # characters of a value, as in `shown`
_EXTRA = pattern(r"Got unexpected extra arguments? \((.*)\)", re.DOTALL)
_PATH = pattern(r"\w+ ('.*') is a (file|directory)", re.DOTALL | re.IGNORECASE)


def message_of(error: click.ClickException) -> str:
    """Return the line for an error of click's, with the command whose help tells more, if needed."""
    ctx: click.Context | None = getattr(error, "ctx", None)
    message = _said(error, ctx)
    if message.endswith("?") or "; " in message:
        return message
    return f"{message}; see `{ctx.command_path if ctx else 'undercroft'} --help`"


def _said(error: click.ClickException, ctx: click.Context | None) -> str:
    if isinstance(error, click.NoSuchOption) and ctx:
        return _unknown_option(error.option_name, ctx)
    if isinstance(error, click.BadOptionUsage):
        return _usage_of(error.option_name, ctx)
    if isinstance(error, click.MissingParameter) and error.param:
        name = _name(error.param)
        remedy = _MISSING.get(name) or _wanted(error.param.type)
        return f"{name}: is missing{f'; {remedy}' if remedy else ''}"
    if isinstance(error, click.BadParameter) and error.param:
        return f"{_name(error.param)}: {_wrong_value(error.message.rstrip('.'), error.param.type)}"
    message = error.format_message().rstrip(".")
    if match := _EXTRA.fullmatch(message):
        first = (match[1].split() or [""])[0]
        return f"unexpected argument {shown(first)}; leave it out, or quote texts with spaces"
    return message


def empty_value(param: click.Parameter) -> str:
    """Tell what is wrong with an empty text for an option or an argument, and what to give instead."""
    name = _name(param)
    metavar = (param.metavar or name.removeprefix(param.opts[0])).strip("[].")
    words = [_WORDS.get(word.strip("."), "") for word in metavar.split("|")]
    remedy = _MISSING.get(name) or f"give {either(words) if all(words) else metavar or 'a value'}"
    return f"{name}: is empty; {remedy}{'' if param.required else ', or leave it out'}"


def not_input(param: click.Parameter) -> str:
    """Tell that a parameter cannot read standard input."""
    return f"{_name(param)}: standard input, -, is not read here; name a file or folder, such as ./-"


def second_input(first: click.Parameter, second: click.Parameter) -> str:
    """Tell that two parameters cannot both read standard input."""
    taken = "" if first is second else f"for {_name(first)} "
    return f"{_name(second)}: standard input, -, is read {taken}already; name a file for one of them"


def second_output(first: click.Parameter, second: click.Parameter) -> str:
    """Tell that `-` for an option, and another option, cannot both print to standard output."""
    other = f"{_name(second)}{'' if getattr(second, 'is_flag', False) else ' -'}"
    remedy = "leave one out, or name a file"
    return f"{_name(first)}: - does not go with {other}, which prints there too; {remedy}"


def _wanted(expected: object) -> str:
    """Return the remedy for a missing value of a type, if there is more to say than the help says."""
    if isinstance(expected, click.Choice):
        return f"give {either(expected.choices)}"
    if isinstance(expected, click.Path):
        kinds = ("a file" * expected.file_okay, "a folder" * expected.dir_okay)
        return f"name {either([kind for kind in kinds if kind])}"
    return ""


def _name(param: click.Parameter) -> str:
    """Name an option by its flag, or an argument as the help calls it."""
    if isinstance(param, click.Option):
        return param.opts[0]
    return (param.metavar or str(param.name).upper()).strip("[]")


def _wrong_value(message: str, wanted: object) -> str:
    value = message.partition(" is not ")[0]
    near = hint(value.strip("'"), wanted.choices) if isinstance(wanted, click.Choice) else ""
    value = value if len(value) <= _MAX_SHOWN else f"{value[: _MAX_SHOWN - 1]}…"
    if isinstance(wanted, click.Choice):
        remedy = near if near.endswith("?") else f"give {either(wanted.choices)}"
        return f"{value} is not among the choices; {remedy}"
    if isinstance(wanted, (click.IntRange, click.FloatRange)):
        number = "a whole number" if isinstance(wanted, click.IntRange) else "a number"
        requirement = number if value.startswith("'") else "in range"
        span = f"{wanted.min} to {wanted.max}" if wanted.max is not None else f"{wanted.min} or more"
        return f"{value} is not {requirement}; give {span}"
    if isinstance(wanted, click.Path) and (match := _PATH.fullmatch(message)):
        is_folder = match[2] == "directory"
        return f"{match[1]} is a {'folder; name a file' if is_folder else 'file; name a folder'}"
    if wanted is click.INT:
        return f"{value} is not a whole number; give one"
    return message[:1].lower() + message[1:]


def _usage_of(name: str, ctx: click.Context | None) -> str:
    """Tell what is wrong with the use of an option that exists."""
    option = next((param for param in ctx.command.params if name in param.opts), None) if ctx else None
    is_flag = getattr(option, "is_flag", False)
    said = _name(option) if option else name
    return f"{said}: takes no value; leave it out" if is_flag else f"{said}: needs a value"


def unknown_command(name: str, known: list[str], is_top: bool) -> str:
    """Tell what was probably meant by a command that does not exist."""
    problem = f"unknown command {shown(name)}"
    if is_top:
        from generator.spec import preset_names

        if name in preset_names():
            return f"{problem}; did you mean `undercroft generate {name}`?"
    remedy = hint(name, known)
    return f"{problem}; {remedy}" if remedy.endswith("?") else problem


def _unknown_option(name: str, ctx: click.Context) -> str:
    safe = [param for param in ctx.command.get_params(ctx) if not isinstance(param, DeletingOption)]
    flags = [flag for param in safe for flag in param.opts if flag.startswith("--")]
    near = meant(name, flags)
    remedy = meant_by(name, flags) or (f"did you mean {near}?" if near else "")
    return "; ".join(filter(None, (f"unknown option {shown(name)[1:-1]}", remedy)))


# --- options of other programs -----------------------------------------------------------------------

# Names that people try, and what does the same here: the first of these that a command has.
_SAME: Mapping[str, Sequence[str]] = {
    "--output --output-dir --output-file --outdir --outfile --dest --destination -d --dir": ("--out",),
    "--workers --threads --parallel --processes --cores": ("--jobs",),
    "--format --formats --type --exporter": ("--to",),
    "-f": ("--to", "--force"),
    "-s --random-seed": ("--seed", "--seeds"),
    "--silent": ("--quiet",),
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
