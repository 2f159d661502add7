"""What is called to be asked: while a model is loaded, it refuses all but a call.

A world, a queue, a record and a step give their methods as questions. So a text that forgets to call one, and
would compare or branch on what is always the same, is told so. What a text calls itself is found in its
compiled code (missing_calls.py).
"""

from __future__ import annotations

from inspect import getattr_static
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from nomadspec.model.errors import UncalledError
from nomadspec.model.language.part import Asked, Part

if TYPE_CHECKING:
    from collections.abc import Callable

    from nomadspec.model.language.logic import Value

QUESTIONS: Final = frozenset({"has", "head", "is_", "is_before", "is_clear", "is_empty"})
"""What is asked of worlds, queues, records and steps: it changes nothing."""


class Question(Part):
    """What a text may ask: it is a value only once it is called."""

    __slots__ = ("_answer", "name")

    def __init__(self, name: str, answer: Callable[..., Value]) -> None:
        """Keep who answers."""
        self.name = name
        self._answer = answer

    def __call__(self, *asked: Value, **named: Value) -> Value:
        """Answer."""
        return self._answer(*asked, **named)

    def _misuse(self, how: str) -> UncalledError:
        """Make the error of a text that forgets to call it."""
        return UncalledError(f"{self.name} is {how}, and not called: write {self.name}(...).")


class Guard(Question):
    """What a rule asks for: calling it gives no value either."""

    __slots__ = ()

    def __call__(self, *asked: Value, **named: Value) -> Value:
        """Ask, and give what a text can only leave alone."""
        super().__call__(*asked, **named)
        return Asked()


class Asking:
    """What gives its questions so that it is seen where a text forgets to call one."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """Give each method as a question."""
        super().__init_subclass__()
        for name in [name for name in dir(cls) if not name.startswith("_")]:
            found = getattr_static(cls, name)
            if isinstance(found, FunctionType | classmethod | staticmethod):
                setattr(cls, name, _Method(name, found))


class _Method:
    """A method that an object gives as a question."""

    def __init__(self, name: str, found: Any) -> None:  # noqa: ANN401 -- a function, or what wraps one
        """Keep the method."""
        self._name = name
        self._found = found

    def __get__(self, holder: object, owner: type) -> Any:  # noqa: ANN401 -- as the method itself
        """Give the method of the class, and the question of an object."""
        bound = self._found.__get__(holder, owner)
        if holder is None:
            return bound
        return Guard(self._name, bound) if self._name == "require" else Question(self._name, bound)


K = TypeVar("K", bound=type)
_ASKING: Final[dict[type, Any]] = {}


def make_asking(kind: K) -> K:
    """Make a class of the same name and parts, whose questions are seen where a text does not call them."""
    if kind not in _ASKING:
        _ASKING[kind] = type(kind.__name__, (Asking, kind), {"__slots__": ()})
    made: K = _ASKING[kind]
    return made


def find_asked(kind: type) -> type:
    """Find the class that a user wrote, of one that gives its questions."""
    return next(base for base in kind.__mro__ if not issubclass(base, Asking))
