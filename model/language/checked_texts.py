"""Who keeps notes of which texts of the package were checked (texts.py); it is light to import."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


class CheckedTexts(Protocol):
    """Notes of what was checked while the files of the package were as they are now."""

    def has(self, what: str) -> bool:
        """True if something was checked, and nothing was refused."""
        ...

    def add(self, what: str) -> None:
        """Note that something was checked, and nothing was refused."""
        ...


_checked: Final[ContextVar[CheckedTexts | None]] = ContextVar("checked_texts", default=None)


@contextmanager
def keeping_checked_texts(notes: CheckedTexts | None) -> Iterator[None]:
    """Check again no text of the package that was checked; without notes, check each."""
    token = _checked.set(notes)
    try:
        yield
    finally:
        _checked.reset(token)


def find_checked_texts() -> CheckedTexts | None:
    """Find who keeps notes at the moment, if anybody."""
    return _checked.get()
