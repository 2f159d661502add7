"""Bounds of a search: a constraint on the worlds from which it goes on, and how many steps it takes at most.

A world outside of the constraint is stored and checked, but no step is taken from it: each rule requires the
constraint as well, so that all engines and reductions search the same worlds. Whether there was such a world
is asked as one more ``sometimes``. What a bound cut off is never part of what holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from inspect import isfunction
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.reduction import does_leave_steps
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.checkers.requested_properties import list_names
from nomadspec.checkers.verdict import Bound, Verdict
from nomadspec.model.errors import ModelError, UsageError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.comparison_checks import checking
from nomadspec.model.language.logic import Value, all_of, any_of, not_
from nomadspec.model.language.model_promises import TEXTS_HAVE_ANSWERS
from nomadspec.model.language.names import NameCheck
from nomadspec.model.language.pairs import expect_flag
from nomadspec.model.language.property import Kind, Property, make_question
from nomadspec.model.language.reading import remember_state
from nomadspec.model.language.story import replay
from nomadspec.model.language.world import World

if TYPE_CHECKING:
    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.checkers.verdict import ExploreReport
    from nomadspec.model.language.rule import Rule
    from nomadspec.model.language.scope import Rest

CUT: Final = "the constraint leaves worlds out"
"""The name of the question whether anything was left out, which no property of a model can bear."""

DEPTH: Final = "depth"
CONSTRAINT: Final = "constraint"


@dataclass(frozen=True, slots=True)
class Constraint:
    """From which worlds a search goes on, and how that is written."""

    text: str
    holds: Callable[[World], Value]


def constrain(bounded: BoundedModel, constraint: Constraint) -> BoundedModel:
    """Give the same bounded model in which nothing happens outside of a constraint, where it is at rest."""
    _check(bounded, constraint)
    model, holds = bounded.declared, constraint.holds
    rest = model.is_at_rest
    constrained = replace(
        model,
        rules=tuple(_constrain_rule(rule, holds) for rule in model.rules),
        properties=(*model.properties, _make_question(constraint)),
        is_at_rest=_constrain_rest(rest, holds),
    )
    return BoundedModel(constrained, bounded.scope, bounded.sizes, bounded.profile)


def join_constraint(bounded: BoundedModel, asked: Constraint | None) -> Constraint | None:
    """Join what was asked for with the constraint of the scope, where it has one: both have to hold."""
    holds = bounded.model.find_scope(bounded.scope).constraint
    if holds is None:
        return asked
    name = holds.__name__ if holds.__name__.isidentifier() else f"lambda of scope {bounded.scope}"
    of_scope = Constraint(name, holds)
    if asked is None:
        return of_scope

    def hold(s: World) -> Value:
        return all_of(of_scope.holds(s), asked.holds(s))

    return Constraint(f"{of_scope.text} and {asked.text}", hold)


def check_depth(max_depth: int | None, reduction: str, *, audit: bool) -> None:
    """Refuse a depth that leaves nothing to do, or that counts steps of which some are left out."""
    if max_depth is None:
        return
    if max_depth < 1:
        raise UsageError(f"max_depth={max_depth} leaves no step to take: give 1 or more, or None.")
    if audit:
        raise UsageError("An audit compares whole searches: leave the depth or the audit out.")
    if does_leave_steps(reduction):
        raise UsageError(
            f"The reduction {reduction} leaves steps out, so that a depth counts nothing: choose one of them."
        )


def make_bounded_task(
    bounded: BoundedModel,
    properties: Iterable[Property | str] | None,
    reduction: str,
    stops_at_first: bool,  # noqa: FBT001 -- handed on
    max_depth: int | None,
    constraint: Constraint | None,
) -> Task:
    """Make the task of a search with bounds."""
    if constraint is not None:
        bounded = constrain(bounded, constraint)
        properties = None if properties is None else (*list_names(properties), CUT)
    task = make_task(bounded, properties, reduction, stops_at_first=stops_at_first)
    return replace(task, max_depth=max_depth)


def has_cut(explored: Explored) -> bool:
    """True if a world outside of the constraint was stored."""
    return CUT in explored.reached


def bound_report(
    bounded: BoundedModel, report: ExploreReport, constraint: Constraint | None, max_depth: int | None
) -> ExploreReport:
    """Say of a report by what it is bounded; what was cut off is not part of what holds."""
    if constraint is None and max_depth is None:
        return report
    if constraint is not None:
        _expect_answers(bounded, constraint, report)
    has_cut_worlds = report.reached.get(CUT) is not None
    bounds = []
    if constraint is not None:
        bounds.append(Bound(CONSTRAINT, constraint.text, is_reached=has_cut_worlds))
    if max_depth is not None:
        bounds.append(Bound(DEPTH, str(max_depth), is_reached=report.stopped_by == DEPTH))
    findings = tuple(
        one for one in report.findings if one.property != CUT and not (has_cut_worlds and one.story is None)
    )
    report = replace(
        report,
        bounds=tuple(bounds),
        findings=findings,
        reached={name: story for name, story in report.reached.items() if name != CUT},
        checked=tuple(name for name in report.checked if name != CUT),
        is_exhaustive=report.is_exhaustive and not has_cut_worlds,
    )
    stopped_by = report.stopped_by or (CONSTRAINT if has_cut_worlds else None)
    report = replace(report, stopped_by=stopped_by)
    if findings:
        return report
    is_whole = stopped_by is None and not report.not_checked
    return replace(report, verdict=Verdict.HOLDS if is_whole else Verdict.INCONCLUSIVE)


def _check(bounded: BoundedModel, constraint: Constraint) -> None:
    """Refuse what cannot be read as a property is: what its code does, what it gives, which ids it names."""
    who, holds = f"The constraint {constraint.text!r}", constraint.holds
    if not isfunction(holds):
        raise UsageError(f"{who} is no function: define one that takes (s).")
    try:
        with checking(remember_state({who: holds}).functions):
            expect_flag(holds(bounded.world(bounded.cell_terms)))
            NameCheck(bounded.model.world, bounded.frame).expect_rest(who, holds)
    except (
        Exception
    ) as error:  # the user's own text may raise anything; it is told in a sentence, with its cause
        said = str(error) if isinstance(error, ModelError) else f"{type(error).__name__}: {error}."
        told = said if said.startswith(who) else f"{who} cannot be read as a property is: {said}"
        raise UsageError(told) from error


def _expect_answers(bounded: BoundedModel, constraint: Constraint, report: ExploreReport) -> None:
    """Refuse a constraint that asks a table for what it has not, in a world that was reached."""
    stories = [one.story for one in report.findings if one.property == TEXTS_HAVE_ANSWERS]
    if not any(stories):
        return
    duties = bounded.find_duties("it", constraint.holds)
    for story in filter(None, stories):
        broken = duties.find_broken(replay(story, constrain(bounded, constraint)).last)
        if broken is not None:
            raise UsageError(
                f"The constraint {constraint.text!r} has no answer in a world that is reached: {broken} "
                "Name one that has an answer in each."
            )


def _constrain_rule(rule: Rule, holds: Callable[[World], Value]) -> Rule:
    def text(s: World, t: World, *arguments: Value) -> object:
        t.require(holds(s))
        return rule.text(s, t, *arguments)

    text.__module__ = rule.text.__module__
    return replace(rule, text=text)


def _constrain_rest(rest: Rest | None, holds: Callable[[World], Value]) -> Rest:
    def is_at_rest(s: World) -> Value:
        return any_of(False if rest is None else rest(s), not_(holds(s)))

    return is_at_rest


def _make_question(constraint: Constraint) -> Property:
    def is_outside(s: World) -> Value:
        return not_(constraint.holds(s))

    return make_question(Kind.SOMETIMES, CUT, is_outside, "what a bound leaves out is not part of what holds")
