"""The audit of a reduction: the same questions asked of every world and every step, and compared.

Both searches go on to their end. They must find the same properties broken, the same ``sometimes`` reached,
the same rules happening and the same budgets used; each world of the reduced search must stand for one of the
full search, and where only names are reduced, for all of them. What fails ends both, wherever they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.limits import Limits
from nomadspec.checkers.explore.partial_order.diamonds import check_diamonds
from nomadspec.checkers.explore.reduction import NONE, does_leave_steps
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.checkers.stepper.budgets import list_budget_cells, make_budgets
from nomadspec.checkers.verdict import Audited
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.model_promises import PROMISES
from nomadspec.model.language.property import PATH_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nomadspec.checkers.explore.partial_order.partial_order import PartialOrder
    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.property import Property

_STEPS_TRIED: Final = 4_000
"""A sample of worlds has all steps tried, and the independent ones in both orders: about so many."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """What a search noticed, whatever its reduction: names only."""

    broken: frozenset[str]
    reached: frozenset[str]
    happened: frozenset[str]
    budgets: Mapping[str, int]


def audit_reduction(task: Task, limits: Limits) -> Audited:
    """Repeat a reduced search without reduction and compare; a difference is an error that names it."""
    reduced, full = _twin(task, task.reduction_name), _twin(task, NONE)
    found = _run(reduced, limits), _run(full, limits)
    stopped_by = found[0][1] or found[1][1]
    ours, theirs = found[0][0], found[1][0]
    if stopped_by is None and not _have_failed(ours, theirs):
        _compare(_notice(reduced, ours), _notice(full, theirs))
        _compare_worlds(reduced, ours, theirs)
        if reduced.partial_order is not None:
            check_footprints(reduced.bounded, reduced.partial_order, full, theirs)
    return Audited(len(ours.worlds), ours.generated, len(theirs.worlds), theirs.generated, stopped_by)


def check_footprints(bounded: BoundedModel, order: PartialOrder, full: Task, explored: Explored) -> None:
    """Check what steps are said to read and write in a sample of all worlds, spread evenly."""
    count = len(explored.worlds)
    looked_at = 1 + _STEPS_TRIED // len(bounded.instances) if bounded.instances else count
    for number in range(0, count, max(1, count // looked_at)):
        check_diamonds(bounded, order, full.layout.unpack(explored.worlds[number]))


def _twin(task: Task, reduction: str) -> Task:
    asked: list[Property | str] = [prop for prop in task.properties if prop.kind not in PATH_KINDS]
    wanted: Iterable[Property | str] = [*asked, "deadlock"] if task.asks_deadlock else asked
    return make_task(task.bounded, wanted, reduction, stops_at_first=False)


def _run(task: Task, limits: Limits) -> tuple[Explored, str | None]:
    search = Search(task)
    while not search.is_over:
        explored = search.explored
        reason = limits.find_reason(len(explored.worlds), explored.measure_table())
        if reason is not None:
            return explored, reason
        search.expand_for_a_while(limits.most_states)
    return search.explored, None


def _notice(task: Task, explored: Explored) -> Noticed:
    instances = task.bounded.instances
    highest = explored.find_highest(task.layout, list_budget_cells(task.bounded))
    return Noticed(
        broken=frozenset(found.property for found in explored.found),
        reached=frozenset(explored.reached),
        happened=frozenset(
            one.rule.name for one, times in zip(instances, explored.fired, strict=True) if times
        ),
        budgets={budget.name: budget.used for budget in make_budgets(task.bounded, highest)},
    )


def _have_failed(ours: Explored, theirs: Explored) -> bool:
    """True if both searches ended at a step or text that fails: what each saw until then may differ."""
    failed, failed_too = (
        any(found.property in PROMISES for found in explored.found) for explored in (ours, theirs)
    )
    if failed is not failed_too:
        where = "only with the reduction" if failed else "only without the reduction"
        raise ImpossibleError(f"The audit found a difference: a promise of every model is broken {where}.")
    return failed


def _compare(ours: Noticed, theirs: Noticed) -> None:
    for what, mine, others in (
        ("is broken", ours.broken, theirs.broken),
        ("is reached", ours.reached, theirs.reached),
        ("happens", ours.happened, theirs.happened),
    ):
        for name in sorted(mine ^ others):
            where = "only with the reduction" if name in mine else "only without the reduction"
            raise ImpossibleError(f"The audit found a difference: {name} {what} {where}.")
    for name, used in theirs.budgets.items():
        if ours.budgets[name] != used:
            raise ImpossibleError(
                f"The audit found a difference: {name} is used up to {ours.budgets[name]} with the reduction "
                f"and up to {used} without."
            )


def _compare_worlds(task: Task, ours: Explored, theirs: Explored) -> None:
    standing = {task.reduction.canonical(packed) for packed in theirs.worlds}
    stored = set(ours.worlds)
    if not stored <= standing:
        raise ImpossibleError(
            "The audit found a difference: the reduction stores a world that is not reachable."
        )
    if not does_leave_steps(task.reduction_name) and stored != standing:
        raise ImpossibleError("The audit found a difference: a reachable world is stood for by none.")
