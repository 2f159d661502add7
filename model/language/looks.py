"""Who keeps notes of which texts of the package were looked at (texts.py); it is light to import."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


class Looks(Protocol):
    """Notes of what was looked at while the files of the package were as they are now."""

    def has(self, what: str) -> bool:
        """Tell whether something was looked at, and nothing was refused."""
        ...

    def add(self, what: str) -> None:
        """Note that something was looked at, and nothing was refused."""
        ...


_looks: Final[ContextVar[Looks | None]] = ContextVar("looks", default=None)


@contextmanager
def keeping_looks(looks: Looks | None) -> Iterator[None]:
    """Look again at no text of the package that was looked at; without notes, look at each."""
    token = _looks.set(looks)
    try:
        yield
    finally:
        _looks.reset(token)


def find_looks() -> Looks | None:
    """Find who keeps notes at the moment, if anybody."""
    return _looks.get()
