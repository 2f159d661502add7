"""The report of a search: verdict, findings with stories, and the bounds within which it holds."""

from __future__ import annotations

from copy import copy
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.explore.stories import Storyteller
from nomadspec.checkers.stepper.budgets import list_budget_cells, make_budgets
from nomadspec.checkers.verdict import Budget, ExploreReport, Finding, Scoped, Verdict, find_kind
from nomadspec.model.language.fingerprint import format_digest
from nomadspec.model.language.model_promises import PROMISES, TEXTS_HAVE_ANSWERS
from nomadspec.model.language.property import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomadspec.checkers.explore.checkpoint_schedule import Kept
    from nomadspec.checkers.explore.liveness import Endless
    from nomadspec.checkers.explore.search_state import Explored
    from nomadspec.checkers.explore.stories import Walk
    from nomadspec.checkers.explore.task import Task
    from nomadspec.model.language.story import Story

VIOLATION: Final = "violation"
"""Why a search that was to stop at the first violation is not complete."""


def make_report(
    task: Task,
    explored: Explored,
    endless: Endless,
    stopped_by: str | None,
    kept: Kept,
    walks: Mapping[str, Walk] = MappingProxyType({}),
) -> ExploreReport:
    """Report what was found, and how far the search went; ``walks`` are those that are told of violations."""
    about = task.bounded
    explored = _leave_out_unanswered(explored)
    reached = _tell_reached(task, explored)
    findings = [*_tell_findings(task, explored, walks), *endless.findings]
    if explored.is_complete:
        findings += [Finding(name, Kind.SOMETIMES, None) for name, story in reached.items() if story is None]
    if stopped_by is None and not explored.is_complete:
        stopped_by = VIOLATION
    return ExploreReport(
        about=Scoped(about.model.name, about.scope, about.sizes, about.profile.name),
        verdict=_judge(findings, is_whole=stopped_by is None and not endless.not_checked),
        reduction=task.reduction_name,
        distinct=len(explored.worlds),
        generated=explored.generated,
        depth=explored.depth + (len(explored.worlds) > explored.level_end),
        seconds=explored.seconds,
        digest=format_digest(explored.compute_digest(task.layout.byte_count)),
        stopped_by=stopped_by,
        is_exhaustive=explored.is_complete,
        findings=tuple(findings),
        reached=reached,
        checked=_list_checked(task, findings, endless),
        not_checked=endless.not_checked,
        fired=_count_by_rule(task, explored),
        budgets=find_budgets(task, explored),
        checkpoint=kept.path,
        checkpoint_problem=kept.problem,
        elsewhere=task.elsewhere,
        idle=task.idle,
    )


def _leave_out_unanswered(explored: Explored) -> Explored:
    """Say nothing of what was noticed where a text has no answer: another one may lean on it."""
    ends = [found.world for found in explored.found if found.property == TEXTS_HAVE_ANSWERS]
    if not ends:
        return explored
    end = ends[0]
    result = copy(explored)
    result.found = [one for one in explored.found if one.property == TEXTS_HAVE_ANSWERS or one.world < end]
    result.reached = {name: number for name, number in explored.reached.items() if number < end}
    return result


def _judge(findings: list[Finding], *, is_whole: bool) -> Verdict:
    """Say whether all that was asked holds; where some of it was not checked, nobody knows."""
    if findings:
        return Verdict.VIOLATED
    return Verdict.HOLDS if is_whole else Verdict.INCONCLUSIVE


def _tell_findings(task: Task, explored: Explored, walks: Mapping[str, Walk]) -> list[Finding]:
    teller = Storyteller(task, explored)
    found = []
    for discovery in sorted(explored.found, key=lambda found: not task.is_decisive(found.property)):
        name = discovery.property
        walk = walks.get(name)
        story = teller.tell_discovery(discovery) if walk is None else teller.tell(walk, name)
        shown = story.property or name
        found.append(Finding(shown, find_kind(task.bounded, shown), story))
    return found


def _list_checked(task: Task, findings: list[Finding], endless: Endless) -> tuple[str, ...]:
    """List what was checked; a promise of every model where it was asked for, and where it is broken."""
    asked = (name for name in task.asked if name not in endless.not_checked)
    broken = (finding.property for finding in findings if finding.property in PROMISES)
    return tuple(dict.fromkeys((*asked, *broken)))


def _tell_reached(task: Task, explored: Explored) -> Mapping[str, Story | None]:
    teller = Storyteller(task, explored)
    numbers = {prop.name: explored.reached.get(prop.name) for prop in task.list_properties(Kind.SOMETIMES)}
    return {
        name: None if number is None else teller.tell_reached(name, number)
        for name, number in numbers.items()
    }


def _count_by_rule(task: Task, explored: Explored) -> Mapping[str, int]:
    counted = {rule.name: 0 for rule in task.bounded.model.rules}
    for instance, times in zip(task.bounded.instances, explored.fired, strict=True):
        counted[instance.rule.name] += times
    return counted


def find_budgets(task: Task, explored: Explored) -> tuple[Budget, ...]:
    """Find how far each bound of the environment was used in the stored worlds."""
    cells = list_budget_cells(task.bounded)
    return make_budgets(task.bounded, explored.find_highest(task.layout, cells))
