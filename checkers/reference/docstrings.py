"""What functions, records, constants and modules cite in the last paragraph of their docstring, and acts.

An act says which rules it formalises where it is registered: `@act("PLAN-31", actor="applier")`.
"""

import ast
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path
from typing import Final

from nomadspec.model.errors import InputError

_PARAGRAPH: Final = re.compile(r"(?:\A|\n)Spec: (?P<ids>[^\n]+(?:\n[^\n]+)*)\s*\Z")
_RANGE: Final = re.compile(r"([A-Z]+)-(\d+)\.\.(?:\1-)?(\d+)")
_ACT: Final = "@act("
_PACKAGES: Final = ("model", "checkers")
_ID: Final = re.compile(r"[A-Z]+-\d+[a-z]?|\d\d/S-?\d+")


@dataclass(frozen=True, slots=True)
class CitingPart:
    """A function, class, constant or module that says which IDs it formalises."""

    file: str
    name: str
    about: str
    spec: tuple[str, ...]


@cache
def list_citing_parts(root: Path, folders: tuple[str, ...] = _PACKAGES) -> tuple[CitingPart, ...]:
    """List what cites by its docstring, in the order of files and lines; checkers read what servers print."""
    files = (path for folder in folders for path in sorted((root / folder).rglob("*.py")))
    return tuple(part for path in files for part in _list_in(path, root))


@cache
def _list_in(path: Path, root: Path) -> tuple[CitingPart, ...]:
    return tuple(_read_parts(path, root))


def _read_parts(path: Path, root: Path) -> Iterator[CitingPart]:
    file, source = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
    if "Spec: " not in source and _ACT not in source:  # parsing takes much longer than reading
        return
    for name, text, of_act in _list_docstrings(ast.parse(source), path.stem):
        found = _PARAGRAPH.search(text)
        told = _read_ids(found["ids"], f"{file}: {name}") if found is not None else ()
        if spec := tuple(dict.fromkeys((*of_act, *told))):
            about = " ".join(text[: found.start() if found else None].partition("\n\n")[0].split())
            yield CitingPart(file, name, about, spec)


def _list_docstrings(tree: ast.Module, stem: str) -> Iterator[tuple[str, str, Sequence[str]]]:
    """List who has a docstring, and the IDs of acts; that of a constant or field stands below it."""
    for node in _list_blocks(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            continue
        own = stem if isinstance(node, ast.Module) else node.name
        yield own, ast.get_docstring(node) or "", _list_of_act(node)
        for named, described in pairwise(node.body):
            match named, described:
                case (
                    ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(text))),
                ):
                    yield name, cleandoc(text), ()


def _list_of_act(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> Sequence[str]:
    """List the IDs that an act is registered with."""
    for decorator in node.decorator_list if isinstance(node, ast.ClassDef) else ():
        match decorator:
            case ast.Call(func=ast.Name(id="act"), args=args):
                return [str(each.value) for each in args if isinstance(each, ast.Constant)]
    return ()


def _list_blocks(tree: ast.Module) -> Iterator[ast.AST]:
    """List what holds statements, in the order of ``ast.walk``, which looks at all parts of expressions."""
    blocks: deque[ast.AST] = deque([tree])
    while blocks:
        block = blocks.popleft()
        yield block
        blocks.extend(
            part
            for part in ast.iter_child_nodes(block)
            if hasattr(part, "body") or isinstance(part, ast.Match)
        )


def _read_ids(text: str, place: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for part in re.split(r"[\s,]+", text.strip().removesuffix(".")):
        span = _RANGE.fullmatch(part)
        if span is not None:
            prefix, first, last = span.groups()
            found |= {f"{prefix}-{n:0{len(first)}}": None for n in range(int(first), int(last) + 1)}
        elif _ID.fullmatch(part):
            found[part] = None
        elif part != "and":
            raise InputError(place, f"{part!r} is no ID: write `Spec: OBJ-236, OBJ-240..243.`")
    return tuple(found)
