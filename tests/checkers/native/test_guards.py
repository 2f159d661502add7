"""What neighbouring guards share is asked once."""

from typing import Any

from nomadspec.checkers.native.guards import share_guards
from nomadspec.model.language.term import Term
from tests.model.language.toys import load_rule_text

BOUNDED = load_rule_text("t.asked = 1")
S: Any = BOUNDED.world(BOUNDED.cell_terms)


def flag(value: Any) -> Term:
    """Take a flag of the shop as the term that it is."""
    assert isinstance(value, Term)
    return value


OPEN, FIRST, SECOND = flag(S.is_open), flag(S.busy[0]), flag(S.busy[1])


def share(*items: tuple[str, list[Term]]) -> list[tuple[int | None, str]]:
    """Name what is shared, by its identity, and by whom: equal terms are the same object."""
    return [
        (None if asked is None else id(asked), "".join(name for name, _ in group))
        for asked, group in share_guards(items)
    ]


def test_the_flag_that_most_neighbours_ask_is_shared() -> None:
    shared = share(("a", [FIRST, OPEN]), ("b", [OPEN]), ("c", [SECOND, OPEN]), ("d", [SECOND]), ("e", []))

    assert [(id(OPEN), "abc"), (id(SECOND), "d"), (None, "e")] == shared


def test_what_is_left_to_ask_is_without_the_shared_flag() -> None:
    ((_, group),) = share_guards([("a", [FIRST, OPEN]), ("b", [OPEN])])

    assert [("a", [id(FIRST)]), ("b", [])] == [(name, [id(one) for one in left]) for name, left in group]


def test_what_is_not_next_to_it_is_asked_again() -> None:
    assert [(id(OPEN), "a"), (id(FIRST), "b"), (id(OPEN), "c")] == share(
        ("a", [OPEN]), ("b", [FIRST]), ("c", [OPEN])
    )
