"""Every change of a record, and of where an evaluation is, is an arrow of a lifecycle table."""

from collections.abc import Callable, Iterator

from nomadspec.invariants.kernel.phases import place_of, status_of
from nomadspec.invariants.kernel.requests import has_begun_a_deployment
from nomadspec.model.kernel.ids import EvalNumber, JobId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import ALLOC_STATUSES, AllocPhase, DeploymentPhase, EvalRecord
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Value, all_of, any_of, exists, for_all
from nomadspec.model.language.property import sometimes, step
from nomadspec.model.lifecycle.allocation import (
    ALLOCATION_CLIENT,
    ALLOCATION_DESIRED,
    AllocClient,
)
from nomadspec.model.lifecycle.deployment import DEPLOYMENT
from nomadspec.model.lifecycle.evaluation import EVALUATION
from nomadspec.model.lifecycle.evaluation_place import EVALUATION_PLACE
from nomadspec.model.lifecycle.table import ABSENT, Lifecycle, Status
from nomadspec.model.specification.quirk import Quirk

Pairs = tuple[tuple[int, int], ...]


def list_open_pairs(lifecycle: Lifecycle, has: Callable[[Quirk], bool]) -> set[tuple[Status, Status]]:
    """List the changes of an object that a profile admits, its making and deletion among them."""
    return {(arrow.find_source(), arrow.target) for arrow in lifecycle.arrows if arrow.is_open(has)}


def list_numbered_pairs(lifecycle: Lifecycle, has: Callable[[Quirk], bool]) -> Pairs:
    """List the changes as the numbers of the statuses; an object that does not exist has none."""
    numbers: dict[Status, int] = {ABSENT: NONE}
    numbers |= {status: number for number, status in enumerate(lifecycle.list_statuses())}
    pairs = list_open_pairs(lifecycle, has)
    return tuple(sorted((numbers[source], numbers[target]) for source, target in pairs))


def list_phase_pairs(has: Callable[[Quirk], bool]) -> Pairs:
    """List the changes of an allocation's phase for which both tables have an arrow, or nothing to say."""
    desired = list_open_pairs(ALLOCATION_DESIRED, has)
    client = list_open_pairs(ALLOCATION_CLIENT, has) | {(ABSENT, AllocClient.RUNNING)}
    legal = []
    for before, (wanted, said) in ALLOC_STATUSES.items():
        for after, (then_wanted, then_said) in ALLOC_STATUSES.items():
            is_wanted_so = wanted == then_wanted or (wanted, then_wanted) in desired
            is_said_so = said == then_said or (said, then_said) in client
            if is_wanted_so and is_said_so and before != AllocPhase.GONE:
                legal.append((int(before), int(after)))
    return tuple(legal)


def is_one_of(pairs: Pairs, before: Value, after: Value) -> Value:
    """True while nothing changed, or that the change is one of the pairs."""
    return exists(_list_reasons(pairs, before, after))


def _list_reasons(pairs: Pairs, before: Value, after: Value) -> Iterator[Value]:
    """List why a change may be, first that nothing changed: where that is known, the rest is not asked."""
    yield before == after
    was = {status: before == status for status, _ in pairs}
    now = {status: after == status for _, status in pairs}
    yield from (all_of(was[source], now[target]) for source, target in pairs)


@step("EVAL-01", "EVAL-02", why="diagrams and explanations of evaluations rely on the table")
def evaluation_follows_its_table(s: Kernel, n: Kernel) -> Value:
    """Every change of a record is an arrow of its lifecycle; a deleted one is another's concern."""
    pairs = list_numbered_pairs(EVALUATION, s.has)

    def is_deleted(j: JobId, e: EvalNumber) -> Value:
        return all_of(e < s.made[j], s.eval_record[j, e] == EvalRecord.ABSENT)

    return for_all(
        any_of(is_deleted(j, e), is_one_of(pairs, status_of(s, j, e), status_of(n, j, e)))
        for j in s.jobs
        for e in s.eval_numbers
    )


@step("BROKER-01", "BLOCKED-01", why="diagrams and explanations of the broker rely on the table")
def place_follows_its_table(s: Kernel, n: Kernel) -> Value:
    """Every change of an evaluation's place is an arrow of its lifecycle; a new one is anywhere."""
    pairs = list_numbered_pairs(EVALUATION_PLACE, s.has)
    return for_all(
        any_of(place_of(s, j, e) == NONE, is_one_of(pairs, place_of(s, j, e), place_of(n, j, e)))
        for j in s.jobs
        for e in s.eval_numbers
    )


@step("ALLOC-03", "ALLOC-10", "OBJ-212", "OBJ-213", why="the tables say who writes which allocation status")
def allocation_follows_its_tables(s: Kernel, n: Kernel) -> Value:
    """Every change of an allocation is an arrow of what servers want, and of what clients say."""
    pairs = list_phase_pairs(s.has)
    return for_all(
        is_one_of(pairs, s.alloc_phase[j, i], n.alloc_phase[j, i]) for j in s.jobs for i in s.allocs
    )


@step("DEP-08", "DEP-09", "DEP-10", "DEP-12", "DEP-20", why="its status decides which version may be placed")
def deployment_follows_its_table(s: Kernel, n: Kernel) -> Value:
    """Every change of a deployment's status is an arrow, or a new deployment takes its place."""
    pairs = list_numbered_pairs(DEPLOYMENT, s.has)
    return for_all(
        any_of(has_begun_a_deployment(s, n), is_one_of(pairs, s.deployment[j] - 1, n.deployment[j] - 1))
        for j in s.jobs
    )


@sometimes(
    "EVAL-45", why="tables matter only where records change", scopes=("external-triggers", "deployment")
)
def an_evaluation_is_canceled(s: Kernel) -> Value:
    """An evaluation is canceled in its record."""
    return exists(s.eval_record[j, e] == EvalRecord.CANCELED for j in s.jobs for e in s.eval_numbers)


@sometimes("DEP-12", why="a deployment's table only matters where one ends", scopes=("deployment", "purge"))
def a_deployment_fails(s: Kernel) -> Value:
    """A deployment has failed."""
    return exists(s.deployment[j] == DeploymentPhase.FAILED for j in s.jobs)
