"""Terms with what is known put in."""

from hypothesis import given, settings
from hypothesis import strategies as st

from nomadspec.checkers.explore.partial_order.facts import find_facts
from nomadspec.checkers.explore.partial_order.ranges import EITHER, Ranges
from nomadspec.checkers.explore.partial_order.simplify import Simplifier
from nomadspec.checkers.stepper.evaluate import evaluate
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.logic import Value, all_of, any_of, ite, not_
from nomadspec.model.language.term import Term, TermTable

TABLE = TermTable()
NUMBER: Value = TABLE.cell(0, 0, 9, is_flag=False)
OTHER: Value = TABLE.cell(1, 0, 9, is_flag=False)
FLAG: Value = TABLE.cell(2, 0, 1, is_flag=True)
SIMPLIFIER = Simplifier(Ranges([frozenset({1, 2}), frozenset({4}), EITHER]))


def test_what_has_one_value_is_a_constant() -> None:
    assert SIMPLIFIER.simplify(NUMBER <= OTHER) is True
    assert 7 == SIMPLIFIER.simplify(OTHER + 3)
    assert SIMPLIFIER.simplify(False) is False


def test_parts_that_decide_nothing_fall_away() -> None:
    assert SIMPLIFIER.simplify(all_of(FLAG, NUMBER <= OTHER)) is FLAG
    assert SIMPLIFIER.simplify(any_of(NUMBER == 9, not_(FLAG))) is not_(FLAG)
    assert SIMPLIFIER.simplify(ite(OTHER == 4, NUMBER, 0)) is NUMBER


def test_flags_as_numbers_are_built_anew() -> None:
    value = SIMPLIFIER.simplify(all_of(FLAG, NUMBER <= OTHER) + NUMBER)

    assert isinstance(value, Term)
    assert [4, 1] == [evaluate(value, (3, 4, True)), evaluate(value, (1, 4, False))]


CORE = find_model("core").at("small", profile="nomad-2.0")
FACTS = find_facts(CORE)


@settings(max_examples=40)
@given(st.integers(0, 100_000), st.lists(st.integers(0, 53), max_size=12))
def test_on_worlds_that_are_reached_simple_terms_say_the_same(start: int, turns: list[int]) -> None:
    cells = CORE.initial[start % len(CORE.initial)]
    for turn in turns:
        steps = list(CORE.successors(cells))
        if not steps:
            break
        for instance, after in steps:
            plain, simple = CORE.traced[instance.number], FACTS.traced[instance.number]
            assert all(evaluate(flag, cells) for flag in simple.guard)
            values = dict(enumerate(cells)) | {
                cell: evaluate(one, cells) for cell, one in simple.writes.items()
            }
            assert after == tuple(values[cell] for cell in range(len(cells)))
            assert simple.writes.keys() <= plain.writes.keys()
        cells = steps[turn % len(steps)][1]
