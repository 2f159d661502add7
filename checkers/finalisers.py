"""Exceptions in finalisers, in which Python can raise nothing: what asks for a stop is heard there as well.

Whatever comes while an object is taken down, or in a callback from C, is printed and forgotten. For a signal
that is wrong twice: the wish would be lost, and the result would be told among the lines of a traceback.

A signal may also come while an object is made. Its finaliser then looks for what was never set, as that of a
context of Z3 does: nobody needs to read of that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs


def answer_lost(
    kind: type[BaseException], answer: Callable[[], object], was_raised: Callable[[], bool]
) -> Callable[[], None]:
    """Call somebody whenever an exception of a kind is lost, instead of printing it; give what ends that.

    Once such an exception was raised, objects that it left half made are taken down without a word.
    """
    before = sys.unraisablehook

    def hear(lost: UnraisableHookArgs) -> None:
        if lost.exc_type is kind:
            answer()
        elif not (was_raised() and _is_of_half_made(lost)):
            before(lost)

    def end() -> None:
        if sys.unraisablehook is hear:
            sys.unraisablehook = before

    sys.unraisablehook = hear
    return end


def _is_of_half_made(lost: UnraisableHookArgs) -> bool:
    return lost.exc_type is AttributeError and getattr(lost.object, "__name__", "") == "__del__"
