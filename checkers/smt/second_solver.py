"""A second solver, cvc5, which is asked the same questions where it is installed.

It reads them in the words of the standard (``emit.py``), so that what is compared is what others would read.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.smt.emit import write_question
from nomadspec.checkers.smt.question import Answer
from nomadspec.model.errors import ImpossibleError, UsageError

if TYPE_CHECKING:
    from nomadspec.model.language.logic import Value

PACKAGE: Final = "cvc5"

_SECONDS: Final = 2.0
_ANSWERS: Final = {"unsat": Answer.KEPT, "sat": Answer.BROKEN}


def is_there() -> bool:
    """True if the second solver is installed."""
    return find_spec(PACKAGE) is not None


def ask_second(text: str, seconds: float = _SECONDS) -> Answer:
    """Ask the second solver a question that is written in the standard's words.

    What it leaves open it is asked again in a way that finds worlds, since all ranges end.
    """
    answers = (_ask(text, seconds, finds_worlds=finds_worlds) for finds_worlds in (False, True))
    return next((answer for answer in answers if answer is not Answer.UNKNOWN), Answer.UNKNOWN)


def _ask(text: str, seconds: float, *, finds_worlds: bool) -> Answer:
    cvc5 = import_module(PACKAGE)
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(round(seconds * 1000)))
    solver.setOption("fmf-bound", str(finds_worlds).lower())
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said = command.invoke(solver, parser.getSymbolManager()).strip() or said
    return _ANSWERS.get(said, Answer.UNKNOWN)


class CrossCheck:
    """A ledger that asks the second solver every question again, and stops where the two contradict."""

    def __init__(self, model: str) -> None:
        """Count nothing yet; without the second solver there is nothing to count."""
        if not is_there():
            raise UsageError("The second solver is not installed: `pip install cvc5` brings it.")
        self._model = model
        self._are_alike: dict[str, bool] = {}

    @property
    def agreed(self) -> int:
        """How many questions both answered alike."""
        return sum(self._are_alike.values())

    @property
    def open(self) -> int:
        """How many questions one of them did not answer."""
        return len(self._are_alike) - self.agreed

    def note(self, about: Sequence[str], terms: Sequence[Value], answer: Answer) -> None:
        """Ask again, and compare; what is asked once more later, in another way, counts as it ends."""
        title = ", ".join((self._model, *about))
        is_answered = answer is not Answer.UNKNOWN
        second = ask_second(write_question(title, terms, answer)) if is_answered else answer
        self._are_alike[title] = is_answered and second is answer
        if is_answered and second not in {answer, Answer.UNKNOWN}:
            raise ImpossibleError(
                f"Two solvers contradict each other about {title}: z3 says {answer.value}, "
                f"{PACKAGE} says {second.value}."
            )
