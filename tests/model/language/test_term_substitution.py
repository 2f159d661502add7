import random
from collections.abc import Sequence

import pytest

from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.logic import Value, all_of, any_of, ite, not_
from nomadspec.model.language.property import Kind
from nomadspec.model.language.term import Term, TermTable, is_same
from nomadspec.model.language.term_substitution import Others, Recast, build_anew
from tests.model.language.evaluate import evaluate


def make_cells(table: TermTable) -> list[Term]:
    numbers = [table.cell(at, 0, 9, is_flag=False) for at in range(3)]
    return [*numbers, *(table.cell(at, 0, 1, is_flag=True) for at in (3, 4))]


def write(cells: Sequence[Value]) -> Value:
    """Write a text that uses every operator."""
    a, b, c, p, q = cells
    chosen = ite(p, a - b, 3 * c)
    return all_of(any_of(not_(q), chosen <= b), any_of(chosen == c, p == q), (a + ite(q, 1, 0)) < 12)


def test_a_text_over_other_cells_is_what_tracing_makes_of_it() -> None:
    ours = make_cells(TermTable())
    theirs = make_cells(TermTable())

    assert is_same(write(theirs), Recast(theirs).read(write(ours)))


@pytest.mark.parametrize("cell", range(5))
@pytest.mark.parametrize("value", [0, 1])
def test_a_text_with_a_value_for_a_cell_is_what_tracing_makes_of_it(cell: int, value: int) -> None:
    ours, theirs = make_cells(TermTable()), make_cells(TermTable())
    known: Value = bool(value) if cell > 2 else value
    other = [*theirs[:cell], known, *theirs[cell + 1 :]]

    assert is_same(write(other), Recast(theirs).read_where(write(ours), Others({cell: known})))


def test_cells_may_be_exchanged() -> None:
    ours, theirs = make_cells(TermTable()), make_cells(TermTable())
    a, b, *rest = theirs

    assert is_same(write([b, a, *rest]), Recast(theirs).read_where(write(ours), Others({0: b, 1: a})))


def test_what_reads_no_other_cell_is_built_once() -> None:
    ours, theirs = make_cells(TermTable()), make_cells(TermTable())
    recast = Recast(theirs)
    usual = recast.read(ours[0] + ours[1])

    assert usual is recast.read_where(ours[0] + ours[1], Others({2: 5}))
    assert True is recast.read_where(True, Others({2: 5}))


def test_deep_terms_are_no_problem() -> None:
    cells = make_cells(TermTable())
    flag: Value = cells[3]
    for number in range(5_000):
        flag = ite(cells[0] == number % 10, not_(flag), cells[4])

    assert flag is Recast(cells).read(flag)
    assert cells[4] is Recast(cells).read_where(flag, Others({0: 3}))


def test_an_unknown_operator_is_refused() -> None:
    with pytest.raises(ImpossibleError, match="no way to build xor"):
        build_anew("xor", [])


def test_what_is_built_has_the_same_value_in_each_world() -> None:
    bounded = find_model("core").at("small", profile="nomad-2.0")
    cells, choose = bounded.cell_terms, random.Random(5)
    world = bounded.world(cells)
    flags = [prop(world) for prop in bounded.model.list_properties(Kind.ALWAYS)]
    for _ in range(30):
        drawn = [
            (choose.randint(int(one.low), int(one.high)), one.is_flag) for one in bounded.frame.intervals
        ]
        plain = [bool(value) if is_flag else value for value, is_flag in drawn]
        others = Others({at: plain[at] for at in choose.sample(range(len(plain)), 6)})

        assert [evaluate(flag, plain) for flag in flags] == [
            evaluate(Recast(cells).read_where(flag, others), plain) for flag in flags
        ]
