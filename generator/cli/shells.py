"""Completion in shells: click's own, but for bash's words, and for the space that would follow a `KEY=`.

Bash ends a word at `=` and `:`, so that click would see `--set curse=la` as three arguments. Here the script
hands over the line as it is typed, and what is offered is cut to what bash takes for the last word.
"""

from __future__ import annotations

import os
import re
import shlex
from typing import Any

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ZshComplete,
    add_completion_class,
)

VARIABLE = "_UNDERCROFT_COMPLETE"

_BASH = """\
%(complete_func)s() {
    local kind value
    COMPREPLY=()
    while IFS=, read -r kind value; do
        case $kind in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done < <(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \\
        %(complete_var)s=bash_complete "$1" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=./] ]]; then
        compopt -o nospace
    fi
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""

_ZSH = """\
#compdef %(prog_name)s

%(complete_func)s() {
    local kind key descr
    local -a plain described unfinished response
    (( ! $+commands[%(prog_name)s] )) && return 1

    response=("${(@f)$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1)) \
        %(complete_var)s=zsh_complete %(prog_name)s 2>/dev/null)}")

    for kind key descr in ${response}; do
        if [[ "$kind" == dir ]]; then
            _path_files -/
        elif [[ "$kind" == file ]]; then
            _path_files -f
        elif [[ "$key" == *[=./] ]]; then
            unfinished+=("$key")
        elif [[ "$descr" == _ ]]; then
            plain+=("$key")
        else
            described+=("$key":"$descr")
        fi
    done

    (( $#described )) && _describe -V unsorted described -U
    (( $#unfinished )) && compadd -U -V unsorted -S '' -a unfinished
    (( $#plain )) && compadd -U -V unsorted -a plain
    return 0
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""


class BashByLine(BashComplete):
    """Bash: words are read from the line up to the cursor."""

    source_template = _BASH

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._begun = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the arguments in front of the cursor, and the one that it is in."""
        line = os.environ.get("COMP_LINE", "")
        words = _words(line)[1:]
        self._begun = "" if not words or line[-1:].isspace() else words.pop()
        return words, self._begun

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Format an item's kind, and the part of it that belongs to what bash takes for the last word."""
        begun = self._begun
        if begun.startswith("--"):
            begun = begun.partition("=")[2]  # click has cut the option's name
        breaks = "".join(sign for sign in "=:" if sign in os.environ.get("COMP_WORDBREAKS", "=:"))
        cut = max((index + 1 for index, sign in enumerate(begun) if sign in breaks), default=0)
        value = str(item.value)[cut:] if str(item.value).startswith(begun[:cut]) else str(item.value)
        return f"{item.type},{_quoted(value)}"


def _words(line: str) -> list[str]:
    """Split a line, which may end within quotes, into words."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    words: list[str] = []
    try:
        words.extend(lexer)
    except ValueError:
        words.append(lexer.token)
    return words


def _quoted(value: str) -> str:
    """Quote a value as it may stand in a line of bash. `~`, `=` and the like mean nothing inside a word."""
    return re.sub(r"([^A-Za-z0-9_@%+=:,./~-])", r"\\\1", value)


class ZshWithoutSpace(ZshComplete):
    """Zsh: as click's, but no space behind what ends in `=`, `.` or `/`."""

    source_template = _ZSH

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Format an item as click does. What is unfinished goes to zsh unchanged, without help."""
        if str(item.value).endswith(("=", ".", "/")):
            item = CompletionItem(item.value, item.type)
        return super().format_completion(item)


class FishWithCommas(FishComplete):
    """Fish: as click's, which cuts a help text or the name of a file at its first comma."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split -m 1 ","')


def register() -> None:
    """Have click use these classes."""
    add_completion_class(BashByLine)
    add_completion_class(FishWithCommas)
    add_completion_class(ZshWithoutSpace)
