"""How easy the code is to hold in one's head, in figures: `python -m tests.measures`.

code lines      without blank lines, comments and docstrings
ring            the largest set of modules that all import each other, late imports included
both ways       pairs of folders of which each imports the other
imports         of modules of the project, per module
placeholders    names such as `each` or `found`, in percent of all bindings
verbs           first lines of docstrings that begin with a verb, in percent
semicolons      first lines of docstrings that hold one, in percent
comments        lines of comments on 100 lines of code
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import networkx

ROOT = Path(__file__).parent.parent
PACKAGES = ("generator", "exporters")
PLACEHOLDERS = frozenset(
    [
        "asked",
        "each",
        "every",
        "found",
        "given",
        "here",
        "how",
        "made",
        "more",
        "one",
        "ones",
        "other",
        "others",
        "place",
        "said",
        "so",
        "some",
        "such",
        "that",
        "then",
        "there",
        "these",
        "thing",
        "things",
        "this",
        "those",
        "told",
        "was",
        "were",
        "what",
        "which",
        "whole",
    ]
)
# What a sentence of a docstring begins with if not with a verb.
_NO_VERB = re.compile(
    r"(A|An|The|All|Each|Every|Whether|What|Where|How|Why|Which|Who|If|For|From|In|On|Of|With|Without|One|Two|No|Not"
    r"|Its?|Their|This|These|That|Those|Other|Some|Any|Both|Only|Our|Your|As|At|By|To|Nothing|Everything|\W.*|[A-Z]?\w*s'?"
    r"|[A-Z][a-z]*[A-Z]\w*|\d.*)\b"
)
_VERB_ENDING_IN_S = {
    "Raises",
    "Returns",
    "Yields",
    "Makes",
    "Writes",
    "Reads",
    "Pass",
    "Process",
    "Compress",
    "Press",
}


class Module(NamedTuple):
    """A module of the project: its dotted name, its text and its tree."""

    name: str
    folder: str
    text: str
    tree: ast.Module
    nodes: list[ast.AST]  # all of the tree

    def docstrings(self) -> Iterator[str]:
        """The first lines."""
        for node in self.nodes:
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                text = ast.get_docstring(node)
                if text and not isinstance(node, ast.Module):
                    yield text.partition("\n")[0]

    def bindings(self) -> Iterator[str]:
        """The names that are bound: variables, loops, parameters."""
        for node in self.nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.arg):
                yield node.arg

    def imports(self, known: set[str]) -> set[str]:
        """The modules of the project that this one imports, now or later, but not for types alone."""
        found = ((name if name in known else name.rpartition(".")[0]) for name in _imported(self.tree))
        return {name for name in found if name in known} - {self.name}

    def lines(self) -> tuple[int, int]:
        """Lines of code and lines of comments."""
        documented = set[int]()
        for node in self.nodes:
            match node:
                case ast.Expr(value=ast.Constant(value=str())):
                    documented |= {*range(node.lineno, (node.end_lineno or 0) + 1)}
        code, comments = set[int](), 0
        passed_over = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
        for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
            if token.type == tokenize.COMMENT:
                comments += token.line.strip().startswith("#")
            elif token.type not in passed_over:
                code |= {*range(token.start[0], token.end[0] + 1)}
        return len(code - documented), comments


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        if not isinstance(node, ast.expr):  # which holds no statement
            yield from _imported(node)


def modules() -> list[Module]:
    """All modules of the packages."""
    found = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            text = path.read_text("utf-8")
            tree = ast.parse(text)
            folder = path.parent.relative_to(ROOT).as_posix()
            found.append(Module(name, folder, text, tree, [*ast.walk(tree)]))
    return found


def begins_with_a_verb(line: str) -> bool:
    """Whether a docstring tells what is done, as far as the form of its first word shows."""
    first = re.match(r"\w+", line)
    return bool(first) and (first[0] in _VERB_ENDING_IN_S or not _NO_VERB.match(line))


def sizes(every: Sequence[Module]) -> dict[str, float]:
    """The figures that count lines."""
    code, comments = map(sum, zip(*(module.lines() for module in every), strict=True))
    return {"code lines": code, "comments": round(100 * comments / code, 1)}


def measures(every: Sequence[Module]) -> dict[str, float]:
    """All other figures of the table."""
    known = {module.name for module in every}
    graph = networkx.DiGraph()
    folders = set[tuple[str, str]]()
    home = {module.name: module.folder for module in every}
    for module in every:
        for name in module.imports(known):
            graph.add_edge(module.name, name)
            folders.add((module.folder, home[name]))
    lines = [line for module in every for line in module.docstrings()]
    names = [name for module in every for name in module.bindings()]
    return {
        "modules": len(every),
        "ring": max(map(len, networkx.strongly_connected_components(graph))),
        "both ways": sum((b, a) in folders for a, b in folders if a < b),
        "imports": round(graph.number_of_edges() / len(every), 1),
        "placeholders": round(100 * sum(name in PLACEHOLDERS for name in names) / len(names), 1),
        "verbs": round(100 * sum(map(begins_with_a_verb, lines)) / len(lines), 1),
        "semicolons": round(100 * sum(";" in line for line in lines) / len(lines), 1),
    }


if __name__ == "__main__":
    for name, figure in {**measures(found := modules()), **sizes(found)}.items():
        print(f"{name:14} {figure:>8}")
