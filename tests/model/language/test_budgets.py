"""A guard says nothing of what a scope bounds: no rule compares a budget with a size or a number."""

from collections.abc import Callable
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.errors import StyleError
from nomadspec.model.language.domain import FLAG, Id, counter
from nomadspec.model.language.logic import Value, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, index, size
from tests.model.language.test_features import Switched, may_rest, prepare


def compare_budget(guard: Callable[[Any], Value], **bounded: Any) -> Model:
    """Make a model with one rule, whose guard compares something."""

    @rule("X-1", job=Switched.jobs, **bounded)
    def breakdown(s: Switched, t: Switched, job: Id) -> None:
        """A job fails."""
        t.require(s.ready[job], guard(s))
        t.ready[job] = False

    return Model("x", "x", Switched, (prepare, breakdown), is_at_rest=may_rest)


GUARDS: dict[str, Callable[[Any], Value]] = {
    "some are left": lambda s: s.failed < s.fails,
    "turned round": lambda s: s.fails - 1 >= s.failed,
    "one more": lambda s: s.failed + 1 <= 2,
    "what is left": lambda s: s.fails - s.failed > 0,
    "several at once": lambda s: s.fails - 2 * s.failed - 1 >= 0,
    "none yet": lambda s: s.made == 0,
    "negated": lambda s: not_(s.made == s.most),
}


@pytest.mark.parametrize("guard", GUARDS.values(), ids=GUARDS.keys())
@pytest.mark.parametrize("bounded", [{}, {"spends": Switched.failed}], ids=["guard alone", "spends"])
def test_a_guard_compares_no_budget_with_what_a_scope_says(
    guard: Callable[[Any], Value], bounded: dict[str, Any]
) -> None:
    with pytest.raises(StyleError, match=r"Breakdown .* a budget, with a size or a number: .* spends="):
        compare_budget(guard, **bounded).at(sizes={"fails": 2, "most": 2})


class Numbers(World):
    """Things that are numbered as they are made."""

    most = size(2, "things")
    things = index("thing", most, "things")
    made = field(counter(things), init=0, about="things made", budget=True)
    is_done = field(things, FLAG, init=False, about="the thing is done")


@rule("X-1", makes=Numbers.made)
def produce(s: Numbers, t: Numbers) -> None:
    """A thing is made."""
    t.made = s.made + 1


@rule("X-1", thing=Numbers.things)
def finish(s: Numbers, t: Numbers, thing: Id) -> None:
    """A thing that was made is done, of which the number is compared with how many there are."""
    t.require(thing < s.made, not_(s.is_done[thing]))
    t.is_done[thing] = True


@always("X-1", why="A property may ask how much of a budget is used.")
def at_most_two_are_made(s: Numbers) -> Value:
    return s.made <= s.most


def test_a_guard_compares_ids_with_how_many_were_made() -> None:
    report = explore(
        Model("x", "x", Numbers, (produce, finish), (at_most_two_are_made,), is_at_rest=may_rest).at()
    )

    assert (Verdict.HOLDS, 7) == (report.verdict, report.distinct)
