"""Comparisons in a text whose answer is always the same, so that no engine could see what was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.model.language.bytecode_stack import COMPARING, find_compared, is_load

if TYPE_CHECKING:
    from collections.abc import Sequence
    from dis import Instruction

_WORLDS: Final = frozenset({"s", "n"})


def find_idle_comparison(steps: Sequence[Instruction]) -> tuple[Instruction, str] | None:
    """Find a comparison of what a text asks with a name in quotes."""
    for number, step in enumerate(steps):
        if step.opname not in COMPARING:
            continue
        sides = find_compared(steps, number)
        asked = [side for side in sides if _asks(side)]
        texts = [side[0].argval for side in sides if len(side) == 1 and _is_text(side[0])]
        if asked and texts:
            return step, (
                f"it compares with the text {texts[0]!r}, which nothing in a world is; "
                "write the number or the member that is meant, or let a rule choose an id by an argument"
            )
    return None


def _asks(side: Sequence[Instruction]) -> bool:
    """True if one side asks a world for a field, or the step for an argument."""
    if len(side) == 1 or not is_load(side[0]):
        return False
    is_field = side[1].opname == "LOAD_ATTR"
    return side[0].argval in _WORLDS if is_field else side[0].argval == "by"


def _is_text(step: Instruction) -> bool:
    return step.opname == "LOAD_CONST" and isinstance(step.argval, str)
