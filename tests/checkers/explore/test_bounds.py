"""Searches with a constraint and a depth: the worlds of a plain walk, and verdicts that name the bound."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.explore.bounds import CUT, Constraint
from nomadspec.checkers.verdict import Bound, ExploreReport, Verdict
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import ModelError, UsageError
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.domain import FLAG, upto
from nomadspec.model.language.logic import Value, all_of, count, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import DOMAINS_ARE_KEPT
from nomadspec.model.language.property import always
from nomadspec.model.language.rule import rule
from nomadspec.model.language.scope import Scope
from nomadspec.model.language.world import World, field, index
from tests.checkers.failing import GROWING, PROMISED

SIZES = pytest.mark.parametrize("rms", [4, pytest.param(5, marks=pytest.mark.deep)])
"""How many managers there are: five have six times as many worlds."""


def few_are_prepared(s: Any) -> Value:
    return count(s.prepared_sent[rm] for rm in s.rms) <= 1


def rings_twice(s: Any) -> Value:
    return s.number < 2


def has_rung(s: Any) -> Value:
    return s.number > 0


def is_closed(s: Any) -> Value:
    return not_(s.is_open)


def everything(s: Any) -> Value:
    return count(s.prepared_sent[rm] for rm in s.rms) <= 9


def walk(bounded: BoundedModel, goes_on: Callable[[Cells], object], depth: int = 1000) -> list[set[Cells]]:
    """List the worlds of each level that are found by steps from those that may be gone on from."""
    levels, known = [set(bounded.initial)], set(bounded.initial)
    while levels[-1] and len(levels) <= depth:
        found = {
            after for cells in levels[-1] if goes_on(cells) for _, after in bounded.successors(cells)
        } - known
        known |= found
        levels.append(found)
    return levels


@cache
def bind(rms: int) -> BoundedModel:
    return find_model("2pc").at("small", sizes={"rms": rms}, profile="nomad-2.0")


@cache
def find_all(rms: int) -> ExploreReport:
    return explore(bind(rms))


@cache
def find_few(rms: int, engine: str, workers: int = 1) -> ExploreReport:
    few = Constraint("few_are_prepared", few_are_prepared)
    return explore(bind(rms), constraint=few, engine=engine, workers=workers)


@cache
def count_few(rms: int) -> int:
    bounded = bind(rms)
    return sum(map(len, walk(bounded, lambda cells: few_are_prepared(bounded.world(cells)))))


WAYS = [
    pytest.param({"engine": "interpreted"}, id="interpreted"),
    pytest.param({"engine": "compiled"}, id="compiled"),
    pytest.param({"engine": "interpreted", "workers": 2}, id="shared", marks=pytest.mark.deep),
    pytest.param({"engine": "compiled", "workers": 2}, id="compiled and shared"),
]


@SIZES
@pytest.mark.parametrize("way", WAYS)
def test_a_constraint_leaves_out_what_lies_behind_other_worlds(way: dict[str, Any], rms: int) -> None:
    report = find_few(rms, **way)

    assert count_few(rms) == report.distinct < find_all(rms).distinct
    assert (Verdict.INCONCLUSIVE, "constraint", False) == (
        report.verdict,
        report.stopped_by,
        report.is_exhaustive,
    )
    assert (Bound("constraint", "few_are_prepared", is_reached=True),) == report.bounds
    assert CUT not in report.checked
    assert CUT not in report.reached
    assert CUT not in report.not_checked


@SIZES
@pytest.mark.parametrize("reduction", ["symmetry", "partial-order", "symmetry+partial-order"])
def test_a_constraint_is_kept_under_reductions(reduction: str, rms: int) -> None:
    report = explore(bind(rms), constraint=Constraint("few", few_are_prepared), reduction=reduction)

    assert (Verdict.INCONCLUSIVE, "constraint") == (report.verdict, report.stopped_by)


def test_a_sometimes_that_lies_outside_is_not_called_violated() -> None:
    nothing_happens = Constraint("nowhere", has_rung)
    report = explore(GROWING.at(), constraint=nothing_happens)

    assert (Verdict.INCONCLUSIVE, (), {"is_opened": None}) == (
        report.verdict,
        report.findings,
        report.reached,
    )
    assert 1 == report.distinct


@SIZES
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_a_depth_ends_the_search_at_a_level(way: dict[str, Any], depth: int, rms: int) -> None:
    report = explore(bind(rms), max_depth=depth, **way)
    levels = walk(bind(rms), lambda _: True, depth)

    assert [sum(map(len, levels)), depth + 1] == [report.distinct, report.depth]
    assert (Verdict.INCONCLUSIVE, "depth") == (report.verdict, report.stopped_by)
    assert (Bound("depth", str(depth), is_reached=True),) == report.bounds


@SIZES
def test_bounds_that_leave_nothing_out_say_so(rms: int) -> None:
    whole = find_all(rms)
    report = explore(bind(rms), max_depth=1000, constraint=Constraint("all", everything))

    assert (whole.verdict, whole.distinct, whole.digest) == (report.verdict, report.distinct, report.digest)
    assert [False, False] == [bound.is_reached for bound in report.bounds]


def test_what_is_wrong_within_a_bound_is_violated() -> None:
    report = explore(GROWING.at(), max_depth=5)
    within = explore(GROWING.at(), max_depth=4)

    assert (Verdict.VIOLATED, DOMAINS_ARE_KEPT) == (report.verdict, report.findings[0].property)
    assert (Verdict.INCONCLUSIVE, ()) == (within.verdict, within.findings)


def test_a_failing_step_outside_of_the_constraint_is_not_taken() -> None:
    report = explore(GROWING.at(), constraint=Constraint("twice", rings_twice))

    assert (Verdict.INCONCLUSIVE, ()) == (report.verdict, report.findings)


@pytest.mark.parametrize("bound", [{"max_depth": 2}, {"constraint": Constraint("closed", is_closed)}])
def test_promises_for_endless_paths_are_not_judged_where_worlds_were_left_out(
    bound: dict[str, Any],
) -> None:
    model = PROMISED if "max_depth" in bound else GROWING
    report = explore(model.at(), **bound)

    assert Verdict.INCONCLUSIVE is report.verdict
    assert model is GROWING or "is_shared_at_last" in report.not_checked


@pytest.mark.parametrize(
    ("constraint", "problem"),
    [
        (lambda s: s.number, "a flag was expected"),
        (lambda s: s.none, "AttributeError"),
        (lambda _: 1 // 0, "ZeroDivisionError"),
        (lambda s: s.number is not None, r"The constraint 'it' \(.*test_bounds.py:\d+\): it asks whether"),
        (lambda s: type(s.number) is int, r"The constraint 'it' \(.*test_bounds.py:\d+\): it"),
        (partial(max), "The constraint 'it' is no function"),
    ],
)
def test_a_constraint_that_is_none_is_refused(constraint: Callable[[Any], Value], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        explore(GROWING.at(), constraint=Constraint("it", constraint))


class Steps(World):
    """Stairs, of which each step that was climbed is known."""

    steps = index("step", 3, "one above the other")
    climbed = field(steps, FLAG, init=False, about="somebody was there")
    height = field(upto(3), init=0, about="how many were climbed")


@rule("S-1")
def climb(s: Any, t: Any) -> None:
    """Somebody climbs a step."""
    t.require(s.height < 3)
    t.height = s.height + 1


@always("S-2", why="nobody notes it")
def nothing_is_known(s: Any) -> Value:
    """No step is known to be climbed."""
    return not_(s.climbed[0])


def is_new(s: Any) -> Value:
    return not_(s.climbed[s.height])


def is_low_and_new(s: Any) -> Value:
    return all_of(s.height < 2, is_new(s))


def test_a_constraint_without_an_answer_in_a_world_that_is_reached_is_refused() -> None:
    stairs = Model("stairs", "stairs", Steps, (climb,), (nothing_is_known,)).at()

    with pytest.raises(UsageError, match=r"no answer in a world that is reached: it reads climbed at step4"):
        explore(stairs, constraint=Constraint("unknown", is_new))
    assert 3 == explore(stairs, constraint=Constraint("low", is_low_and_new)).distinct


def first_is_unprepared(s: Any) -> Value:
    return not_(s.prepared_sent[0])


def test_a_constraint_that_names_an_id_is_blamed_itself() -> None:
    with pytest.raises(UsageError, match=r"The constraint 'first' .*is named by the number 0"):
        explore(bind(4), constraint=Constraint("first", first_is_unprepared))


def test_a_depth_that_counts_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="leaves steps out"):
        explore(bind(4), max_depth=3, reduction="partial-order")
    with pytest.raises(UsageError, match="leaves no step"):
        explore(bind(4), max_depth=0)
    with pytest.raises(UsageError, match="audit"):
        explore(bind(4), max_depth=3, reduction="symmetry", audit=True)


@cache
def bind_few(rms: int) -> BoundedModel:
    few = Scope("few", "few are prepared", {"rms": rms}, constraint=few_are_prepared)
    return replace(find_model("2pc"), scopes=(few,)).at(profile="nomad-2.0")


@SIZES
@pytest.mark.parametrize("way", WAYS)
def test_a_scope_brings_its_own_constraint(way: dict[str, Any], rms: int) -> None:
    asked = find_few(rms, **way)
    report = explore(bind_few(rms), **way)

    assert (Bound("constraint", "few_are_prepared", is_reached=True),) == report.bounds
    assert (Verdict.INCONCLUSIVE, asked.distinct, asked.digest) == (
        report.verdict,
        report.distinct,
        report.digest,
    )


@SIZES
def test_what_is_asked_for_bounds_it_further(rms: int) -> None:
    def nobody_is_prepared(s: Any) -> Value:
        return count(s.prepared_sent[rm] for rm in s.rms) < 1

    report = explore(bind_few(rms), constraint=Constraint("nobody", nobody_is_prepared))

    assert ("few_are_prepared and nobody",) == tuple(bound.text for bound in report.bounds)
    assert report.distinct < count_few(rms)


def test_a_constraint_that_is_no_function_is_refused() -> None:
    with pytest.raises(ModelError, match=r"constraint of the scope odd of 2pc is no function: define one"):
        replace(find_model("2pc"), scopes=(Scope("odd", "x", constraint=True),))  # type: ignore[arg-type]  # the mistake


def test_a_constraint_without_a_name_is_called_by_its_scope() -> None:
    few = replace(find_model("2pc"), scopes=(Scope("few", "x", constraint=lambda s: few_are_prepared(s)),))  # noqa: PLW0108 -- a lambda is what is tried

    assert ("lambda of scope few",) == tuple(
        bound.text for bound in explore(few.at("few", profile="nomad-2.0")).bounds
    )
