"""Literals: numbers that a text says itself. An id that never is one is compared with it in vain.

The text would hold always or never, whatever happens. Numbers that a scope gives (sizes, arguments, places
of an index) may lie outside of a domain in one scope and inside in another, so they are told from literals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from nomadspec.model.errors import NamingError, StyleError
from nomadspec.model.language.domain import NONE, SKIP
from nomadspec.model.language.part import Part
from nomadspec.model.language.subterms import is_cell, list_leaves
from nomadspec.model.language.term import Term
from nomadspec.model.language.value_wording import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from nomadspec.model.language.domain import Domain, Interval
    from nomadspec.model.language.logic import Value
    from nomadspec.model.language.world import Schema

_SUMS: Final = frozenset({"add", "neg", "mul"})
_NOBODY: Final = {NONE: "NONE", SKIP: "SKIP"}


class Given(int):
    """A number that a scope gives, or that is computed from one."""

    def keep(self, found: Any) -> Any:  # noqa: ANN401 -- a number, or what Python says where it is none
        """Give what is computed from it."""
        return Given(found) if isinstance(found, int) else found

    def __add__(self, other: Any) -> Any:  # noqa: ANN401 -- a number or a term
        """Add; the sum is given, too."""
        return self.keep(int.__add__(self, other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:  # noqa: ANN401 -- a number or a term
        """Subtract; the difference is given, too."""
        return self.keep(int.__sub__(self, other))

    def __rsub__(self, other: Any) -> Any:  # noqa: ANN401 -- a number or a term
        """Subtract from a number; the difference is given, too."""
        return self.keep(int.__rsub__(self, other))

    def __mul__(self, other: Any) -> Any:  # noqa: ANN401 -- a number or a term
        """Multiply; the product is given, too."""
        return self.keep(int.__mul__(self, other))

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:  # noqa: ANN401 -- a number or a term
        """Divide; the quotient is given, too."""
        return self.keep(int.__floordiv__(self, other))

    def __mod__(self, other: Any) -> Any:  # noqa: ANN401 -- a number or a term
        """Give the rest, as it is used for rings; it is given, too."""
        return self.keep(int.__mod__(self, other))

    def __divmod__(self, other: Any) -> Any:  # noqa: ANN401 -- a number or a term
        """Divide and give the rest as well; both are given, too."""
        return self // other, self % other

    def __eq__(self, other: object) -> Any:  # noqa: ANN401 -- what Python says where it is a term
        """Compare with a number or a term."""
        return int.__eq__(self, _expect_number(other))

    def __ne__(self, other: object) -> Any:  # noqa: ANN401 -- what Python says where it is a term
        """Compare with a number or a term."""
        return int.__ne__(self, _expect_number(other))

    __hash__ = int.__hash__


class Bound(Given):
    """A size of a scope, or a number that is computed from one."""

    def keep(self, found: Any) -> Any:  # noqa: ANN401 -- as above
        """Give what is computed from it."""
        return Bound(found) if isinstance(found, int) else found


class BoundOfBudgets(Bound):
    """A size that does nothing but bound budgets, or what is computed from one: no rule compares it."""

    name: str

    def keep(self, found: Any) -> Any:  # noqa: ANN401 -- as above
        """Give what is computed from it and plain numbers."""
        return mark_bound(found, self.name) if isinstance(found, int) else self.refuse()

    def refuse(self, other: object = None) -> Any:  # noqa: ANN401 -- what Python says where it is a term
        """Refuse to be compared, unless with a term, which refuses by itself and may know a budget."""
        if isinstance(other, Term):
            return NotImplemented
        raise StyleError(
            f"it compares or calculates with {self.name}, a size that bounds nothing but a budget: what only "
            "a scope bounds is no part of a rule's text; say spends= or makes= of the budget, or part_of= of "
            "the size where there is no such rule without it."
        )

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = refuse
    __hash__ = int.__hash__


def mark_bound(number: int, name: str) -> BoundOfBudgets:
    """Mark a number as that of a size which bounds budgets alone."""
    marked = BoundOfBudgets(number)
    marked.name = name
    return marked


def list_bounds_of_budgets(schema: Schema) -> frozenset[str]:
    """List the sizes of a world that bound budgets, and nothing else."""
    budgets = {part.name for one in schema.fields if one.is_budget for part in one.domain.list_parts()}
    others = {part.name for one in schema.fields if not one.is_budget for part in one.domain.list_parts()}
    switches = {size.name for one in schema.fields for size in one.on}
    features = {size.name for size in schema.sizes if size.is_feature}
    return frozenset(budgets - others - switches - features - {ids.size.name for ids in schema.sets})


def _expect_number(other: object) -> Any:  # noqa: ANN401 -- whatever a text compares with
    """Give what a number is compared with; text, a tuple and None no number ever is, whatever happens."""
    if isinstance(other, int | float | Term | Part):
        return other
    raise NamingError(
        f"A number, an id or a status is compared with {say(other)}, which none of them ever is: "
        "write the number, the member or NONE that is meant."
    )


def expect_possible(one: Value, other: object, find_interval: Callable[[Term], Interval]) -> None:
    """Raise a NamingError where a value is compared with a literal that it can hold in no scope."""
    if type(other) is not int:
        return
    domains = []
    for leaf in list_leaves(one):
        if not is_cell(leaf):
            return
        domains.append(find_interval(leaf).domain)
    if domains and not any(_may_hold(domain, other) for domain in domains):
        what = _NOBODY.get(other, str(other)) if domains[0].members else other
        raise NamingError(
            f"A value, which is {domains[0].describe()}, is compared with {what}, which it never is: the "
            "answer is always the same; compare it with what it can be, or let its domain admit that."
        )


def refuse_bound(
    one: Term,
    other: object,
    find_budget: Callable[[Term], str | None],
    find_interval: Callable[[Term], Interval],
) -> None:
    """Raise a StyleError where a rule compares a budget, or the size of one, with what says no id."""
    for value, against in ((one, other), (other, one)):
        for budget in filter(None, map(find_budget, _list_all_summed(value))):
            if _says_no_id(against, find_interval):
                raise StyleError(
                    f"it compares {budget}, which is a budget, with a size or a number: what only a scope "
                    "bounds is no part of a rule's text; say spends= or makes= of it, or, where a rule "
                    "decides by how often something happened, declare it without budget=True."
                )
    if isinstance(other, BoundOfBudgets):
        other.refuse()


def _says_no_id(value: object, find_interval: Callable[[Term], Interval]) -> bool:
    """True if a value is a number of the text, of the scope or of the world, and not that of somebody."""
    if isinstance(value, Term):
        return all(find_interval(cell).domain.members is None for cell in _list_all_summed(value))
    return (type(value) is int and value not in _NOBODY) or isinstance(value, Bound)


def _list_all_summed(value: Value) -> Iterator[Term]:
    """List the cells of which what a value may be is made."""
    for leaf in list_leaves(value):
        yield from _list_summed(leaf)


def _list_summed(value: Value) -> Iterator[Term]:
    """List the cells of which a value is the sum, the difference or a multiple."""
    if not isinstance(value, Term):
        return
    if is_cell(value):
        yield value
    elif value.op in _SUMS:
        for part in value.args:
            yield from _list_summed(part)


def _may_hold(domain: Domain, number: int) -> bool:
    """True if a domain admits a number in some scope; verdicts tell what else folds away."""
    return domain.members is None or number >= domain.low
