"""Parts of terms come before what is made of them, and each once."""

from nomadspec.model.language.logic import Value, all_of, any_of, not_
from nomadspec.model.language.subterms import find_position, list_parts
from nomadspec.model.language.term import Term, TermTable


def make_flags() -> tuple[Value, Value, Value]:
    table = TermTable()
    one, other, third = (table.cell(at, 0, 1, is_flag=True, is_name=False) for at in range(3))
    return one, other, third


def test_each_part_is_listed_once_and_before_what_it_is_part_of() -> None:
    one, other, third = make_flags()
    root: Value = any_of(all_of(one, other), all_of(not_(one), third), all_of(other, third))
    assert isinstance(root, Term)

    listed = list_parts(root)

    assert root is listed[-1]
    assert len(listed) == len({term.id for term in listed}) == 8
    seen: set[int] = set()
    for term in listed:
        assert all(part.id in seen for part in term.args if isinstance(part, Term))
        seen.add(term.id)


def test_what_is_known_is_left_out_with_its_parts() -> None:
    one, other, third = make_flags()
    known: Value = all_of(one, other)
    root: Value = any_of(known, third)
    assert isinstance(known, Term)
    assert isinstance(root, Term)

    assert [third.id, root.id] == [term.id for term in list_parts(root, {known.id})]
    assert [] == list(list_parts(root, {root.id}))
    assert [] == list(list_parts(5))


def test_the_position_of_a_cell_is_found() -> None:
    assert [0, 1, 2] == [find_position(cell) for cell in make_flags()]
