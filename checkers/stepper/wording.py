"""A traced term as text, with names of cells and labels of their values: ``state[rm1] == working``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.model.language.subterms import find_position
from nomadspec.model.language.term import Argument, Term

if TYPE_CHECKING:
    from nomadspec.model.language.frame import FiniteFrame

_MOST: Final = 160
"""A text that is longer says no more to a reader."""
_OPPOSITES: Final = {"eq": "!=", "le": ">"}
_STRICT: Final = {"<=": "<", ">": ">="}
"""``a < b`` is traced as ``a + 1 <= b``."""
_TURNED: Final = {"<=": ">=", ">": "<"}
"""How a comparison reads from its other side, where that is a field."""
_SIGNS: Final = {"eq": "==", "le": "<=", "add": "+", "mul": "*"}


def describe_term(frame: FiniteFrame, value: Argument) -> str:
    """Write a term; a very long one is cut."""
    text = _write(frame, value)
    return text if len(text) <= _MOST else f"{text[: _MOST - 3]}..."


def _write(frame: FiniteFrame, value: Argument, like: Argument = 0) -> str:  # noqa: PLR0911 -- one operator a return
    """Write a term; a constant that is compared with a cell as people write that cell's values."""
    if not isinstance(value, Term):
        return _label(frame, value, like)
    if value.op == "cell":
        return frame.cell_names[find_position(value)]
    if value.op == "not":
        return _write_opposite(frame, value.args[0])
    if value.op in {"and", "or"}:
        joint = f" {value.op} ".join(_write(frame, part) for part in value.args)
        return f"({joint})"
    if value.op == "ite":
        condition, then, otherwise = (_write(frame, part) for part in value.args)
        return f"({then} if {condition} else {otherwise})"
    if value.op in {"neg", "number"}:
        return ("-" if value.op == "neg" else "") + _write(frame, value.args[0])
    return _compare(frame, _SIGNS[value.op], value)


def _write_opposite(frame: FiniteFrame, value: Argument) -> str:
    if isinstance(value, Term) and value.op in _OPPOSITES:
        return _compare(frame, _OPPOSITES[value.op], value)
    return f"not {_write(frame, value)}"


def _compare(frame: FiniteFrame, sign: str, value: Term) -> str:
    left, right = value.args
    if sign in _STRICT and isinstance(left, Term) and left.op == "add" and _is_one(left.args[1]):
        left, sign = left.args[0], _STRICT[sign]
    if sign in _TURNED and not isinstance(left, Term):
        left, right, sign = right, left, _TURNED[sign]
    return f"{_write(frame, left, right)} {sign} {_write(frame, right, left)}"


def _is_one(value: Argument) -> bool:
    return not isinstance(value, Term) and value == 1


def _label(frame: FiniteFrame, value: int, like: Argument) -> str:
    if isinstance(like, Term) and like.op == "cell":
        interval = frame.intervals[find_position(like)]
        if interval.admits(value):
            return str(interval.label(value)).lower() if interval.is_flag else str(interval.label(value))
    return str(value).lower() if isinstance(value, bool) else str(value)
