"""The second solver; what needs it runs where it is installed."""

import sys
from types import ModuleType
from typing import Any

import pytest
import z3

from nomadspec.checkers.smt import second_solver
from nomadspec.checkers.smt.proving import prove
from nomadspec.checkers.smt.question import Answer, Asking
from nomadspec.checkers.smt.second_solver import CrossCheck, ask_second
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import ImpossibleError, UsageError

X = z3.Int("x")


class Command:
    def __init__(self, said: str) -> None:
        self.said = said

    def isNull(self) -> bool:  # noqa: N802 -- the package's name
        return not self.said

    def invoke(self, *_: object) -> str:
        return "" if self.said == "nothing" else f"{self.said}\n"


class Parser:
    def __init__(self, solver: Any) -> None:
        self.left = [*solver.says, ""]

    def setStringInput(self, _form: str, text: str, _name: str) -> None:  # noqa: N802 -- as above
        assert "(check-sat)" in text

    def getSymbolManager(self) -> None:  # noqa: N802 -- as above
        return None

    def nextCommand(self) -> Command:  # noqa: N802 -- as above
        return Command(self.left.pop(0))


class Solver:
    says: tuple[str, ...] = ("nothing", "unsat", "nothing")

    def __init__(self, _manager: object) -> None:
        self.options: dict[str, str] = {}

    def setOption(self, name: str, value: str) -> None:  # noqa: N802 -- as above
        self.options[name] = value


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> type[Solver]:
    """Stands in for the package: says what the test wants."""

    class Saying(Solver):
        """Says what the test wants."""

    module: Any = ModuleType(second_solver.PACKAGE)
    module.Solver, module.InputParser, module.TermManager = Saying, Parser, object
    module.InputLanguage = type("InputLanguage", (), {"SMT_LIB_2_6": "2.6"})
    monkeypatch.setitem(sys.modules, second_solver.PACKAGE, module)
    monkeypatch.setattr(second_solver, "is_there", lambda: True)
    return Saying


@pytest.mark.parametrize(
    ("said", "answer"), [("sat", Answer.BROKEN), ("unsat", Answer.KEPT), ("unknown", Answer.UNKNOWN)]
)
def test_what_it_says_is_an_answer(stand_in: type[Solver], said: str, answer: Answer) -> None:
    stand_in.says = (said,)

    assert answer is ask_second("(check-sat)")


@pytest.mark.usefixtures("stand_in")
def test_agreement_and_silence_are_counted() -> None:
    check = CrossCheck("m")
    check.note(("a",), [X > X + 1], Answer.KEPT)
    check.note(("b",), [X > X + 1], Answer.UNKNOWN)

    assert (1, 1) == (check.agreed, check.open)


@pytest.mark.usefixtures("stand_in")
def test_what_is_asked_again_counts_as_it_ends() -> None:
    check = CrossCheck("m")
    check.note(("a",), [X > X + 1], Answer.UNKNOWN)
    check.note(("a",), [X > X + 1], Answer.KEPT)

    assert (1, 0) == (check.agreed, check.open)


def test_what_it_leaves_open_is_asked_so_that_it_finds_worlds(stand_in: type[Solver]) -> None:
    asked: list[str] = []

    class Searching(stand_in):  # type: ignore[misc, valid-type]  # made by the fixture
        """Finds a world only where it is told to look for one."""

        def setOption(self, name: str, value: str) -> None:  # noqa: N802 -- the package's name
            super().setOption(name, value)
            if name == "fmf-bound":
                asked.append(value)
                self.says = ("sat",) if value == "true" else ("unknown",)

    sys.modules[second_solver.PACKAGE].Solver = Searching  # type: ignore[attr-defined]  # a stand-in

    assert Answer.BROKEN is ask_second("(check-sat)")
    assert ["false", "true"] == asked


@pytest.mark.usefixtures("stand_in")
def test_a_contradiction_is_an_error() -> None:
    with pytest.raises(ImpossibleError, match=r"contradict each other about m, a: z3 says broken"):
        CrossCheck("m").note(("a",), [X > 1], Answer.BROKEN)


def test_without_it_nothing_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_solver, "find_spec", lambda _name: None)

    with pytest.raises(UsageError, match=r"The second solver is not installed: `pip install cvc5`"):
        CrossCheck("m")


if second_solver.is_there():

    @pytest.mark.deep
    @pytest.mark.parametrize(("model", "scope"), [("core", "unchecked"), ("2pc", "hasty"), ("2pc", "small")])
    def test_both_solvers_say_the_same_of_every_question(model: str, scope: str) -> None:
        check = CrossCheck(model)
        prove(bind_as_usual(find_model(model), scope), bmc_steps=5, asking=Asking(ledgers=(check,)))

        assert check.agreed > 5 * check.open
