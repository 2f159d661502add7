"""Exceptions in finalisers, in which Python can raise nothing: what asks for a stop is heard there as well.

Whatever comes while an object is taken down, or in a callback from C, is printed and forgotten. For a signal
that is wrong twice: the wish would be lost, and the result would be told among the lines of a traceback.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs


def answer_lost(kind: type[BaseException], answer: Callable[[], object]) -> Callable[[], None]:
    """Call somebody whenever an exception of a kind is lost, instead of printing it; give what ends that."""
    before = sys.unraisablehook

    def hear(lost: UnraisableHookArgs) -> None:
        if lost.exc_type is kind:
            answer()
        else:
            before(lost)

    def end() -> None:
        if sys.unraisablehook is hear:
            sys.unraisablehook = before

    sys.unraisablehook = hear
    return end
