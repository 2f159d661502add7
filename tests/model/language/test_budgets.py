"""A guard says nothing of what a scope bounds: no rule compares a budget with a size or a number."""

from collections.abc import Callable
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.errors import StyleError
from nomadspec.model.language.domain import FLAG, Id, counter, upto
from nomadspec.model.language.logic import Value, count, not_, one_of, total
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids, index, size
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
    with pytest.raises(StyleError, match=r"Breakdown .* a budget(, with a size or a number)?: .* spends="):
        compare_budget(guard, **bounded).at(sizes={"fails": 2, "most": 2})


class Roomy(World):
    """Jobs that fail as often as a scope says, and nodes of which something is used."""

    jobs = ids("job", 2, "jobs")
    fails = size(2, "how often something fails")
    stops = size(2, "how often something stops")
    most = size(2, "what a node has room for")
    failed = field(counter(fails), init=0, about="failures", budget=True)
    stopped = field(counter(stops), init=0, about="stops", budget=True)
    used = field(jobs, upto(most), init=0, about="what a job uses")
    kinds = field(upto(most + 1), init=0, about="kinds of jobs")


def compare(guard: Callable[[Any, Id], Value], **bounded: Any) -> Model:
    """Make a model with one rule, whose guard compares something."""

    @rule("X-1", job=Roomy.jobs, **bounded)
    def grow(s: Roomy, t: Roomy, job: Id) -> None:
        """A job uses more."""
        t.require(s.used[job] < s.most, guard(s, job))
        t.used[job] = s.used[job] + 1

    return Model("x", "x", Roomy, (grow,), is_at_rest=may_rest)


SMUGGLED: dict[str, Callable[[Any, Id], Value]] = {
    "a cell": lambda s, job: s.failed <= s.used[job],
    "a cell first": lambda s, job: s.used[job] > s.failed + 1,
    "equal to a cell": lambda s, job: s.used[job] == s.failed,
    "a count": lambda s, _: count(s.used[j] > 0 for j in s.jobs) > s.failed,
    "a total": lambda s, _: total(s.used[j] for j in s.jobs) != s.failed,
    "another budget": lambda s, _: s.failed < s.stopped,
    "one of several": lambda s, job: one_of(s.failed, s.used[job], s.kinds),
}
SIZES: dict[str, Callable[[Any, Id], Value]] = {
    "a number": lambda s, _: s.fails > 0,
    "a number first": lambda s, _: s.fails - 1 == 0,
    "a size": lambda s, _: s.most <= s.fails,
    "a cell": lambda s, job: s.used[job] < s.fails,
    "a count": lambda s, _: count(s.used[j] > 0 for j in s.jobs) < s.fails,
    "less than it": lambda s, job: s.used[job] + 1 != 2 * s.fails - 1,
    "what is left": lambda s, job: s.fails - s.used[job] > 0,
}


@pytest.mark.parametrize("guard", SMUGGLED.values(), ids=SMUGGLED.keys())
def test_a_guard_compares_no_budget_with_what_the_world_says(guard: Callable[[Any, Id], Value]) -> None:
    with pytest.raises(StyleError, match=r"it compares (failed|stopped), which is a budget, with"):
        compare(guard).at()


@pytest.mark.parametrize("guard", SIZES.values(), ids=SIZES.keys())
def test_a_guard_compares_no_size_that_only_bounds_a_budget(guard: Callable[[Any, Id], Value]) -> None:
    with pytest.raises(StyleError, match=r"calculates with fails, a size that bounds nothing but a budget: "):
        compare(guard, part_of=Roomy.stops, spends=Roomy.failed).at()


def test_a_size_that_bounds_something_else_is_compared() -> None:
    assert compare(lambda s, job: s.most > s.used[job], part_of=Roomy.fails).at().traced


def test_a_size_of_an_argument_is_compared() -> None:
    @rule("X-1", tries=upto(Roomy.fails), job=Roomy.jobs)
    def retry(s: Roomy, t: Roomy, tries: int, job: Id) -> None:
        """A job is tried again and again, but not as often as it can be."""
        t.require(tries < s.fails)
        t.used[job] = 0

    assert Model("x", "x", Roomy, (retry,), is_at_rest=may_rest).at().traced


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
