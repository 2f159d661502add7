"""What users fear: work that nobody will look at again, and plans of one job at once.

An evaluation that is promised here is open, or owed by the handler of a node event. None is promised while
the last one of the job was deleted, perhaps by an operator in a pause, or had to fail:
``has_lost_its_last_eval``.
"""

from nomadspec.invariants.kernel.bounds import has_lost_its_last_eval, may_go_unevaluated
from nomadspec.invariants.kernel.clients import has_more_allocs_than_count, is_running
from nomadspec.invariants.kernel.jobs import is_outdated
from nomadspec.invariants.kernel.nodes import is_on_lost_node, is_to_migrate
from nomadspec.invariants.kernel.scheduler import count_needed
from nomadspec.model.kernel.broker import has_open_eval, is_system
from nomadspec.model.kernel.ids import AllocNumber, JobId, NodeId, WorkerId
from nomadspec.model.kernel.plan_queue import is_with_applier
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, JobPhase, Kind
from nomadspec.model.kernel.verdict import count_taken
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import (
    Flag,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    implies,
    ite,
    not_,
    one_of,
)
from nomadspec.model.language.property import always, eventually


def will_be_looked_at(s: Kernel, job: JobId) -> Flag:
    """True while an evaluation of the job is pending or blocked, or is owed after a node event."""
    return any_of(has_open_eval(s, job), s.owed[job])


def is_left_alone(s: Kernel, job: JobId) -> Flag:
    """True while nobody will look at the job again, though its last evaluation was not lost."""
    return not_(any_of(will_be_looked_at(s, job), has_lost_its_last_eval(s, job)))


@always("EVAL-13", "EVAL-14", "TRIG-13", "LEADER-22", why="without an open evaluation nobody places it")
def missing_alloc_has_open_eval(s: Kernel) -> Flag:
    """A wanted service or batch job with too few allocations has an evaluation that will look again."""

    def is_missing(j: JobId) -> Flag:
        there = count(
            any_of(s.occupies[j, i] != NONE, s.alloc_phase[j, i] == AllocPhase.COMPLETE) for i in s.allocs
        )
        return all_of(s.job_phase[j] == JobPhase.WANTED, not_(is_system(s, j)), there < s.count)

    return for_all(not_(all_of(is_missing(j), is_left_alone(s, j))) for j in s.jobs)


@always(
    "EVAL-15", "SYSTEM-29", "TRIG-29", why="without an open evaluation the node never gets its system job"
)
def system_job_lacking_an_alloc_has_open_eval(s: Kernel) -> Flag:
    """A system job that lacks an allocation on a usable node has an evaluation, unless one of it failed.

    A usable node is ready, eligible, feasible and has room. The failure of an allocation of a system job
    makes no evaluation (ALLOC-12), and one that was deleted may have failed.
    """

    def lacks(j: JobId, m: NodeId) -> Flag:
        is_usable = all_of(s.node_up[m], s.eligible[m], not_(s.infeasible[j, m]))
        has_room = count_taken(s, m) + count_needed(s, j) <= s.cap
        is_there = exists(s.occupies[j, i] == m for i in s.allocs)
        return all_of(is_usable, has_room, not_(is_there))

    def is_wanted(j: JobId) -> Flag:
        is_system_job = all_of(is_system(s, j), s.kind[j] == Kind.SYSTEM)
        has_failed = exists(one_of(s.alloc_phase[j, i], AllocPhase.FAILED, AllocPhase.GONE) for i in s.allocs)
        return all_of(s.job_phase[j] == JobPhase.WANTED, is_system_job, not_(has_failed))

    return for_all(
        not_(all_of(is_wanted(j), lacks(j, m), is_left_alone(s, j))) for j in s.jobs for m in s.nodes
    )


@always("BROKER-07", "PLAN-13", "BROKER-31", why="two plans of a job would place it twice")
def one_plan_of_a_job_is_with_the_applier(s: Kernel, w: WorkerId, o: WorkerId) -> Flag:
    """No two workers wait for the applier with plans of the same job."""
    return not_(all_of(w != o, is_with_applier(s, w), is_with_applier(s, o), s.job[w] == s.job[o]))


def has_surplus(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """True while more allocations of a job run than are wanted, beside an allocation of it."""
    is_twice = exists(
        all_of(o != alloc, is_running(s, job, o), s.occupies[job, o] == s.occupies[job, alloc])
        for o in s.allocs
    )
    return ite(is_system(s, job), is_twice, has_more_allocs_than_count(s, job))


def is_to_stop_or_change(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """True while an allocation is not as its job wants it.

    That is what a stopped job has, what is marked to migrate or of an older version, and what runs beside as
    many as are wanted: of a system job, beside another one on the same node.
    """
    is_live = s.occupies[job, alloc] != NONE
    return any_of(
        all_of(s.job_phase[job] == JobPhase.STOPPED, is_live),
        is_to_migrate(s, job, alloc),
        is_outdated(s, job, alloc),
        all_of(is_running(s, job, alloc), has_surplus(s, job, alloc)),
    )


@always(
    "JOB-12",
    "REC-12",
    "REC-37",
    "EVAL-13",
    "NODEST-12",
    "FSM-30",
    "ALLOC-16",
    why="what is to stop would run on, and what is lost would not be replaced",
)
def unwanted_alloc_has_open_eval(s: Kernel) -> Flag:
    """A job with an allocation that is to stop, to change or to be replaced has an evaluation for that."""

    def is_unwanted(j: JobId, i: AllocNumber) -> Flag:
        return any_of(is_to_stop_or_change(s, j, i), is_on_lost_node(s, j, i))

    return for_all(not_(all_of(is_unwanted(j, i), is_left_alone(s, j))) for j in s.jobs for i in s.allocs)


@eventually(
    "ALLOC-15",
    "ALLOC-16",
    "DISC-05",
    "DRAIN-10",
    "GENERIC-54",
    "JOB-07",
    "JOB-12",
    "PLAN-73",
    "REC-12",
    "REC-37",
    "REC-85",
    why="what was stopped, or is to move, would go on, and a new version would not run",
    given=is_to_stop_or_change,
)
def unwanted_allocs_are_stopped_or_updated(s: Kernel, job: JobId, alloc: AllocNumber) -> Flag:
    """What a job no longer wants is stopped, and what has an older version is updated or replaced."""
    return any_of(not_(is_to_stop_or_change(s, job, alloc)), may_go_unevaluated(s, job))


@always("PLAN-15", "GENERIC-53", "GENERIC-55", why="tasks would outgrow their room")
def alloc_of_current_version_has_the_room_it_needs(s: Kernel, j: JobId, i: AllocNumber) -> Flag:
    """An allocation of the current version has the room it needs, or its job has an evaluation."""
    is_current = all_of(s.occupies[j, i] != NONE, s.alloc_version[j, i] == s.job_version[j])
    has_its_room = count(s.extra_at[j, i, x] == s.occupies[j, i] for x in s.extras) >= s.job_ask[j]
    return implies(is_current, any_of(has_its_room, not_(is_left_alone(s, j))))
