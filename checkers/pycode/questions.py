"""Several flags of a packed world, asked by one function that computes what they share once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from nomadspec.checkers.pycode.program import define
from nomadspec.checkers.pycode.writer import Writer, indent
from nomadspec.model.term import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from nomadspec.checkers.stepper.layout import Layout
    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.term import Argument

Key = TypeVar("Key", bound="Hashable")


class Question(Generic[Key]):
    """A flag, and the answer that is worth telling."""

    __slots__ = ("flag", "is_news", "key", "reads")

    def __init__(self, key: Key, flag: Argument, *, is_news: bool) -> None:
        """Keep whose flag it is, and which cells it reads."""
        self.key = key
        self.flag = flag
        self.is_news = is_news
        self.reads: frozenset[int] = flag.reads if isinstance(flag, Term) else frozenset()


def write_questions(
    questions: Sequence[Question[Key]], bounded: BoundedModel, layout: Layout
) -> Callable[[int], list[Key]]:
    """Give the function that lists whose flags of a packed world have the answer worth telling."""
    writer = Writer(bounded, layout, (question.flag for question in questions))
    body = ["found = []"]
    for number, question in enumerate(questions):
        body += writer.define(question.flag)
        test = writer.text(question.flag).test
        body.append(f"if {test if question.is_news else f'not {test}'}: found.append(keys[{number}])")
    body.append("return found")
    keys = [question.key for question in questions]
    function: Callable[[int], list[Key]] = define("ask", ["def ask(w):", *indent(body)], keys=keys)
    return function
