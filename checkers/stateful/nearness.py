"""How far a packed world is from one in which a flag holds, as Python code written from the flag.

0 where it holds, else at most 1: of conditions that must all hold the mean, of alternatives the nearest. A
comparison of numbers says how far they are apart; one of names only whether they are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.checkers.pycode.program import define
from nomadspec.checkers.pycode.writer import Writer, indent
from nomadspec.model.language.term import Term

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.language.bounded import BoundedModel


def write_nearness(flag: Term, bounded: BoundedModel, layout: Layout) -> Callable[[int], float]:
    """Write the function that tells how far a packed world is from the flag."""
    code = _Code(flag, bounded, layout)
    answer = code.far(flag, is_wanted=True)
    function: Callable[[int], float] = define(
        "far", ["def far(w):", *indent([*code.lines, f"return {answer}"])]
    )
    return function


class _Code:
    """The lines that compute how far parts of a flag are from being wanted."""

    def __init__(self, flag: Term, bounded: BoundedModel, layout: Layout) -> None:
        self.lines: list[str] = []
        self._writer = Writer(bounded, layout, [flag])
        self._known: dict[tuple[int, bool], str] = {}

    def far(self, flag: object, *, is_wanted: bool) -> str:
        """Give the name of what says how far a part is from being as it is wanted."""
        if not isinstance(flag, Term):
            return "0.0" if bool(flag) is is_wanted else "1.0"
        key = flag.id, is_wanted
        if key not in self._known:
            text = self._write(flag, is_wanted=is_wanted)
            name = f"{'d' if is_wanted else 'e'}{flag.id}"
            self.lines.append(f"{name} = {text}")
            self._known[key] = name
        return self._known[key]

    def _write(self, flag: Term, *, is_wanted: bool) -> str:
        if flag.op == "not":
            return self.far(flag.args[0], is_wanted=not is_wanted)
        if flag.op in {"and", "or"}:
            parts = [self.far(part, is_wanted=is_wanted) for part in flag.args]
            if (flag.op == "and") is is_wanted:
                return f"({' + '.join(parts)}) / {len(parts)}"
            return f"min({', '.join(parts)})"
        if flag.op == "ite":
            condition, then, otherwise = flag.args
            chosen = [self.far(part, is_wanted=is_wanted) for part in (then, otherwise)]
            return f"{chosen[0]} if {self._test(condition)} else {chosen[1]}"
        if flag.op == "le":
            return self._measure(flag, is_wanted=is_wanted)
        test = self._test(flag)
        return f"0.0 if {test} else 1.0" if is_wanted else f"1.0 if {test} else 0.0"

    def _measure(self, flag: Term, *, is_wanted: bool) -> str:
        left, right = (self._value(part) for part in flag.args)
        gap = f"{left} - {right}" if is_wanted else f"{right} - {left} + 1"
        self.lines.append(f"g = {gap}")
        return "g / (g + 1) if g > 0 else 0.0"

    def _test(self, part: object) -> str:
        if not isinstance(part, Term):
            return repr(bool(part))
        self.lines += self._writer.define(part)
        return self._writer.text(part).test

    def _value(self, part: Term | int) -> str:
        if not isinstance(part, Term):
            return repr(int(part))
        self.lines += self._writer.define(part)
        return self._writer.text(part).value
