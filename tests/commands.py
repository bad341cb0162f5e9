"""Commands and programs of the docs in this process: a Python of its own takes longer to start than most of them run."""

from __future__ import annotations

import io
import runpy
import shlex
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess

import click
from click.testing import CliRunner

from generator.cli import main


def undercroft(*words: str, cwd: Path, sent: str = "") -> CompletedProcess[str]:
    """Run a command in a folder; what many processes would do, this one does alone, unless words say otherwise."""
    with chdir(cwd):
        done = CliRunner().invoke(main, [*words, *_alone(words)], input=sent)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return CompletedProcess([*words], done.exit_code, done.stdout, done.stderr)


def undercroft_line(line: str, cwd: Path) -> CompletedProcess[str]:
    """Run a line of a page, which may send what is printed to another command, or into a file."""
    *before, line = line.partition(" #")[0].split(" | ")
    sent = undercroft_line(" | ".join(before), cwd).stdout if before else ""
    name, *words = shlex.split(line)
    assert name == "undercroft", line
    *rest, last = words[-2:]
    into = cwd / last if rest == [">"] else None
    done = undercroft(*(words[:-2] if into else words), cwd=cwd, sent=sent)
    if into:
        into.write_text(done.stdout, "utf-8")
    return done


def program(path: Path) -> CompletedProcess[str]:
    """Run a Python file in the folder that it is in, as if it were all that runs; what it raises is raised."""
    out, told = io.StringIO(), io.StringIO()
    with chdir(path.parent), redirect_stdout(out), redirect_stderr(told):
        runpy.run_path(path.name, run_name="__main__")
    return CompletedProcess([path.name], 0, out.getvalue(), told.getvalue())


def _alone(words: tuple[str, ...]) -> list[str]:
    command: click.Command | None = main
    for word in words:
        if not isinstance(command, click.Group):
            break
        command = command.get_command(click.Context(command), word)
    takes_jobs = command is not None and any("--jobs" in each.opts for each in command.params)
    takes_jobs = takes_jobs and (words[0] != "describe" or "--html" in words)
    return ["--jobs", "1"] if takes_jobs and not {"--jobs", "--"} & {*words} else []
