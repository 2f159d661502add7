"""Values that a text works out and drops: they look as if they were required, or claimed, and nobody asks."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from nomadspec.model.language import logic
from nomadspec.model.language.bytecode_stack import find_call, find_pushed, is_load
from nomadspec.model.language.iterators import find_called, makes_iterator
from nomadspec.model.language.questions import QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from dis import Instruction
    from types import CodeType

_ANSWERS: Final = frozenset(
    {"BINARY_OP", "BINARY_SUBSCR", "COMPARE_OP", "CONTAINS_OP", "LOAD_ATTR", "UNARY_NOT"}
)
_WORLDS: Final = frozenset({"s", "n"})
_BEFORE_A_JUMP: Final = frozenset({"COPY", "TO_BOOL"})
"""What Python does with a value before it jumps by it."""


def find_dropped(
    code: CodeType, steps: Sequence[Instruction], known: Mapping[str, Any]
) -> Instruction | None:
    """Find a step that drops the value of a comparison, or of a function that does nothing but give one."""
    for number, step in enumerate(steps):
        if step.opname == "POP_TOP" and number and _is_answer(code, steps[:number], known):
            return step
    return None


def find_branch_on_guard(steps: Sequence[Instruction]) -> Instruction | None:
    """Find a step that jumps by what ``t.require(...)`` gives, as ``and`` does between two of them."""
    for number, step in enumerate(steps):
        if "JUMP" not in step.opname or "_IF_" not in step.opname:
            continue
        end = number
        while end and steps[end - 1].opname in _BEFORE_A_JUMP:
            end -= 1
        made = [part for part in find_pushed(steps[:end]) if part.opname != "PUSH_NULL"]
        if len(made) > 1 and (made[0].argval, made[1].argval) == ("t", "require"):
            return step
    return None


def _is_answer(code: CodeType, steps: Sequence[Instruction], known: Mapping[str, Any]) -> bool:
    if steps[-1].opname in _ANSWERS or makes_iterator(steps, code, known):
        return True
    call = find_call(find_pushed(steps))
    if call is None or not call.called:
        return False
    begin, last = call.called[0], call.called[-1]
    if is_load(begin):
        is_asked = begin.argval in _WORLDS and last.argval in QUESTIONS
        return is_asked or (begin.argval, last.argval) == ("t", "when")
    called = find_called(call.called, code, known)
    return isinstance(called, FunctionType) and called.__module__ == logic.__name__
