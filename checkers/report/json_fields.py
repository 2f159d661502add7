"""Reading JSON that people may have edited: each value knows its place, and says what was expected there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nomadspec.checkers.atomic_files import write_whole
from nomadspec.checkers.escaping import write_json
from nomadspec.checkers.oracle.limits import LIMITS, Limits, refuse_document
from nomadspec.checkers.oracle.reading import demand_end
from nomadspec.checkers.oracle.strict_json import parse_json
from nomadspec.checkers.regular_files import read_text
from nomadspec.model.errors import InputError, UsageError


class Node:
    """A value of a JSON document, with the path that leads to it (``$.steps[2].rule``)."""

    def __init__(self, file: str, path: str, value: object) -> None:
        """Keep the value and where it stands."""
        self.file = file
        self.path = path
        self.value = value

    def with_fields(self, *known: str) -> Node:
        """Require an object, with no other fields than those that are known (if any are)."""
        if not isinstance(self.value, dict):
            raise self.error("an object {...}")
        for name in self.value:
            if known and name not in known:
                problem = f"{name!r} is not a field here"
                raise InputError(self.file, problem, at=self.path, hint=f"known are {', '.join(known)}")
        return self

    def field(self, name: str) -> Node:
        """Require a field of an object."""
        found = self.optional(name)
        if found is None:
            raise InputError(self.file, f"the field {name!r} is missing", at=self.path)
        return found

    def optional(self, name: str) -> Node | None:
        """Give a field of an object; None where it is absent or null."""
        value = self.value.get(name) if isinstance(self.value, dict) else None
        return None if value is None else Node(self.file, f"{self.path}.{name}", value)

    def fields(self) -> Iterator[tuple[str, Node]]:
        """Go through the fields of an object."""
        if not isinstance(self.value, dict):
            raise self.error("an object {...}")
        for name in self.value:
            yield name, self.field(name)

    def items(self) -> list[Node]:
        """Require a list and give its items."""
        if not isinstance(self.value, list):
            raise self.error("a list [...]")
        return [Node(self.file, f"{self.path}[{at}]", item) for at, item in enumerate(self.value)]

    def text(self) -> str:
        """Require a text."""
        if not isinstance(self.value, str):
            raise self.error('a text "..."')
        return self.value

    def number(self, least: int | None = None) -> int:
        """Require a whole number."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.error("a whole number")
        if least is not None and self.value < least:
            raise self.error(f"a number of at least {least}")
        return self.value

    def scalar(self) -> str | int | bool:
        """Require a text, a whole number or a flag."""
        if not isinstance(self.value, str | int):
            raise self.error("a text, a whole number, true or false")
        return self.value

    def error(self, expected: str) -> InputError:
        """Make the error that says what was expected here instead."""
        shown = write_json(self.value)
        short = 40
        shown = shown if len(shown) <= short else f"{shown[:short]}..."
        return InputError(self.file, f"{expected} was expected, not {shown}", at=self.path)


def read_json(path: Path, limits: Limits = LIMITS) -> Node:
    """Read a JSON document from a file."""
    try:
        demand_end(path, limits)
        if path.stat().st_size > limits.line_bytes:
            raise refuse_document(str(path), limits)
        text = read_text(path, limits.line_bytes)
    except OSError as problem:
        raise InputError(str(path), f"the file cannot be read ({problem.strerror})") from problem
    except UnicodeDecodeError as problem:
        raise InputError(str(path), "the file is not UTF-8 text", at=f"byte {problem.start}") from problem
    return Node(str(path), "$", parse_json(text, str(path), limits=limits, root="$"))


def write_file(path: Path, content: bytes) -> None:
    """Write a file that was asked for."""
    try:
        write_whole(path, content)
    except OSError as problem:
        raise UsageError(f"{path} cannot be written ({problem.strerror}).") from problem
