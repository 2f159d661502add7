"""Parses JSON as strictly as a server does; whoever reads JSON that others wrote reads it by this.

Python takes a member that is there twice, ``NaN``, half a character and numbers without bounds. None of them
means one thing to all who read it, so that each is refused where it stands.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Never

from nomadspec.checkers.oracle.limits import LIMITS, Limits, is_nested_deeper, refuse_nesting
from nomadspec.checkers.oracle.paths import Step, step_into
from nomadspec.model.errors import UnreadableError

Json = Any
"""What JSON can hold."""

_MARK: Final = "\ufeff"
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB]\w{2}\\u[dD][c-fC-F]\w{2}|(?P<half>u[dD][89a-fA-F]\w{2})|.)", re.DOTALL
)
"""What a backslash begins inside JSON: a character of two halves, half of one, or anything else."""
_SHOWN: Final = 40
_MOST_DIGITS: Final = 300
"""No number that a server reads has more in front of its point."""


class _FlawError(ValueError):
    """What Python reads as JSON and no server writes."""

    def __init__(self, problem: str, hint: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint


class _TooLargeError(_FlawError):
    """A number that no server reads."""

    def __init__(self, digits: str) -> None:
        shown = digits if len(digits) <= _SHOWN else f"{digits[:_SHOWN]}..."
        super().__init__(f"the number {shown} is too large", "write a smaller one")


def parse_json(text: str, file: str, at: str = "", limits: Limits = LIMITS, *, root: str = "") -> Json:
    """Parse a text; what is wrong is told with its position, or with the way to it from the root."""
    half = _find_half(text)
    if half is not None:
        problem = f"this holds half a character: {half.group()}"
        hint = "write both of its halves, or another character"
        raise UnreadableError(file, problem, at=_place(text, half.start(), at), hint=hint)
    try:
        tree, is_flawed = _decode(text)
    except RecursionError:
        raise refuse_nesting(file, at, limits) from None
    except json.JSONDecodeError as error:
        is_marked = text.startswith(_MARK)
        slip = error.msg.removesuffix(" at").removesuffix(" starting")
        problem = "it begins with a byte order mark" if is_marked else slip
        hint = "save it as UTF-8 without one" if is_marked else ""
        place = _place(text, error.pos, at)
        raise UnreadableError(file, f"this is no JSON: {problem}", at=place, hint=hint) from None
    if is_nested_deeper(tree, limits.nesting):
        raise refuse_nesting(file, at, limits)
    if is_flawed:
        way, flaw = next(_find_flaws(tree, root))
        raise UnreadableError(file, flaw.problem, at=", ".join(filter(None, (at, way))), hint=flaw.hint)
    return tree


def _decode(text: str) -> tuple[Json, bool]:
    """Decode a text; where there are flaws, they stand in the tree."""
    try:
        return _STRICT.decode(text), False
    except _FlawError:
        return _TELLING.decode(text), True


def _find_half(text: str) -> re.Match[str] | None:
    """Find the first escape that stands for half a character only, which is no text."""
    if "\\ud" not in text and "\\uD" not in text:
        return None
    return next((match for match in _ESCAPE.finditer(text) if match["half"]), None)


def _place(text: str, position: int, at: str) -> str:
    """Name a position: its column in a line that has a number in its file, else its line as well."""
    line, column = text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
    return f"{at or f'line {line}'}, column {column}"


def _find_flaws(tree: Json, root: str) -> Iterator[tuple[str, _FlawError]]:
    left: list[tuple[str, Json]] = [(root, tree)]
    while left:
        way, value = left.pop()
        if isinstance(value, _FlawError):
            yield way, value
        inside: Iterable[tuple[Step, Json]] = ()
        if isinstance(value, dict):
            inside = value.items()
        elif isinstance(value, list):
            inside = enumerate(value)
        left += reversed([(step_into(way, step), each) for step, each in inside])


def _make_object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise _FlawError(f"the member {twice!r} is there twice", "write it once")
    return members


def _read_constant(word: str) -> Never:
    raise _FlawError(f"{word} is no number of JSON", "write a number such as 12 or 0.5")


def _read_int(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise _TooLargeError(digits)
    return int(digits)


def _read_float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise _TooLargeError(digits)
    return value


def _keep_flaws(read: Callable[[Any], Json]) -> Callable[[Any], Json]:
    def keep(found: Any) -> Json:  # noqa: ANN401 -- what the decoder hands over: members, or digits
        try:
            return read(found)
        except _FlawError as flaw:
            return flaw

    return keep


_STRICT: Final = json.JSONDecoder(
    object_pairs_hook=_make_object,
    parse_constant=_read_constant,
    parse_float=_read_float,
    parse_int=_read_int,
)
_TELLING: Final = json.JSONDecoder(
    object_pairs_hook=_keep_flaws(_make_object),
    parse_constant=_keep_flaws(_read_constant),
    parse_float=_keep_flaws(_read_float),
    parse_int=_keep_flaws(_read_int),
)
"""Takes all that Python takes, and leaves the flaws in the tree, so that the way to them can be told."""
