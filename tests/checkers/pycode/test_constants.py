"""A constant that a rule writes is held against its domain as any other value is."""

import pytest

from nomadspec.checkers.pycode.program import Program
from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.stepper.layout import Layout
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.errors import DomainError
from nomadspec.model.language.domain import FLAG, upto
from nomadspec.model.language.logic import Value
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field


class Jug(World):
    """A jug beside a flag, whose bits lie next to each other."""

    level = field(upto(3), init=0, about="litres")
    is_full = field(FLAG, init=False, about="it is full")


@rule("Jug-1", much=upto(4))
def fill(s: Jug, t: Jug, much: Value) -> None:
    """The jug is filled with so much, which may be one litre more than it holds."""
    t.level = much


JUG = Model("jug", "a jug", Jug, (fill,))


def test_the_code_of_a_step_refuses_it() -> None:
    bounded = JUG.at()
    layout = Layout(bounded)
    program = Program(bounded, layout)
    (first,) = program.initial

    assert [0, 1, 2, 3, 4] == program.list_possible(first)
    assert (3, False) == layout.unpack(program.compute_after(first, 3))
    with pytest.raises(DomainError, match=r"level := 4 leaves its domain, 0 \.\. 3"):
        program.compute_after(first, 4)


def test_a_walk_finds_it() -> None:
    report = simulate(JUG.at(), seed=1, walks=5)

    assert Verdict.VIOLATED is report.verdict
    assert ["domains_are_kept"] == [finding.property for finding in report.findings]
