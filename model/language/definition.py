"""What a decorator makes of a function: a rule or a property, by what every one of them has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable


class Definition:
    """A rule or a property, as it is known to whoever only looks at its text."""

    __slots__: ClassVar[tuple[str, ...]] = ()

    name: str
    text: Callable[..., Any]
    file: str
    """Where the text is written."""
