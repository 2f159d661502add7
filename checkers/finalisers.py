"""Exceptions in finalisers, in which Python can raise nothing: what asks for a stop is heard there as well.

Whatever comes while an object is taken down, or in a callback from C, is printed and forgotten. For a signal
that is wrong twice: the wish would be lost, and the result would be told among the lines of a traceback.

A signal may also come while an object is made. Its finaliser then looks for what was never set, as that of a
context of Z3 does: nobody needs to read of that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs
    from types import FrameType


@dataclass(frozen=True, slots=True, eq=False)
class _Listener:
    """Stands in the place of what prints lost exceptions, and leaves the others to it."""

    kind: type[BaseException]
    answer: Callable[[], object]
    was_raised: Callable[[], bool]
    before: Callable[[UnraisableHookArgs], object]

    def __call__(self, lost: UnraisableHookArgs) -> None:
        if lost.exc_type is self.kind:
            self.answer()
        elif not (self.was_raised() and _is_of_half_made(lost)):
            self.before(lost)


def answer_lost(
    kind: type[BaseException], answer: Callable[[], object], was_raised: Callable[[], bool]
) -> Callable[[], None]:
    """Call somebody whenever an exception of a kind is lost, instead of printing it; give what ends that.

    Once such an exception was raised, objects that it left half made are taken down without a word.
    """
    listener = _Listener(kind, answer, was_raised, sys.unraisablehook)

    def end() -> None:
        if sys.unraisablehook is listener:
            sys.unraisablehook = listener.before

    sys.unraisablehook = listener
    return end


def is_answering(frame: FrameType | None) -> bool:
    """True if a lost exception is just being answered, where nothing can be raised either."""
    while frame is not None and frame.f_code is not _Listener.__call__.__code__:
        frame = frame.f_back
    return frame is not None


def _is_of_half_made(lost: UnraisableHookArgs) -> bool:
    return lost.exc_type is AttributeError and getattr(lost.object, "__name__", "") == "__del__"
