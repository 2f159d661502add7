"""What must be true of plans from their submission to the answer, whichever applier judges them."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.applier import apply_plan, refuse_gang
from nomadspec.model.kernel.pipeline import commit, evaluate, evaluate_gang
from nomadspec.model.kernel.plan_queue import is_queued, is_urgent
from nomadspec.model.kernel.state import AllocPhase, JobPhase, Kernel, Kind, Stage
from nomadspec.model.kernel.verdict import count_taken, find_kept
from nomadspec.model.kernel.worker import submit
from nomadspec.model.logic import (
    Value,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    iff,
    implies,
    ite,
    not_,
    one_of,
)
from nomadspec.model.property import By, always, eventually, sometimes, step


def is_with_applier(s: Kernel, worker: Id) -> Value:
    """Say that a worker waits for the answer to its plan."""
    return one_of(s.stage[worker], Stage.SUBMITTED, Stage.JUDGED, Stage.FLYING)


def is_new(s: Kernel, n: Kernel, job: Id, i: Id) -> Value:
    """Say that a step makes an allocation."""
    return all_of(s.alloc_phase[job, i] == AllocPhase.ABSENT, n.alloc_phase[job, i] == AllocPhase.LIVE)


def is_evicted(s: Kernel, n: Kernel, job: Id, i: Id) -> Value:
    """Say that a step takes the capacity of an allocation back."""
    return all_of(s.occupies[job, i] != NONE, n.occupies[job, i] == NONE)


def list_placed_in(s: Kernel, by: By, k: Id) -> Value:
    """Give the node of a placement that a step commits, as the plan or the entry has it."""
    return s.plan_to[by["worker"], k] if by.is_(apply_plan) else s.flight_to[by["flight"], k]


@always("PLAN-43", "PLAN-53", "PLAN-54", why="instances that do not fit starve those that were there first")
def no_node_is_overfull(s: Kernel) -> Value:
    """Say that no node holds more instances than it has room for, where one entry is under way at a time.

    With two of them a lost leader could take the first along and not the one that was judged on top of it.
    """
    return any_of(s.depth > 1, for_all(count_taken(s, m) <= s.cap for m in s.nodes))


@always(
    "PLAN-43",
    "PLAN-53",
    "PLAN-54",
    why="who judges by the store itself must not be wrong about it",
    lemma=True,
)
def no_node_is_overfull_without_a_pipeline(s: Kernel) -> Value:
    """Say that where plans are judged and committed in one step, no node holds more than it has room for."""
    return any_of(s.depth > 0, for_all(count_taken(s, m) <= s.cap for m in s.nodes))


@step(
    "PLAN-13", "PLAN-14", "BROKER-31", why="a worker that is too late must not plan for what another does now"
)
def only_valid_deliveries_submit(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan is queued only under a valid token."""
    if not by.is_(submit):
        return True
    return implies(is_queued(n, by["worker"]), s.holds[by["worker"]])


@always("PLAN-21", "PLAN-22", why="a plan that nobody has is never answered", lemma=True)
def queued_plans_are_submitted(s: Kernel) -> Value:
    """Say that the queue holds the plans of the workers that have submitted one, and no others."""
    return for_all(iff(is_queued(s, w), s.stage[w] == Stage.SUBMITTED) for w in s.workers)


@always("PLAN-20", why="a plan that is queued twice would be applied twice", lemma=True)
def no_plan_is_queued_twice(s: Kernel) -> Value:
    """Say that a plan is in one of the two lines of the queue."""
    return for_all(not_(all_of(s.plans.has(w), s.urgent_plans.has(w))) for w in s.workers)


@step("PLAN-20", why="a priority says whose plan comes first where there is not enough for all")
def urgent_plans_go_first(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that the applier takes no plan while one of a higher priority waits."""
    if not by.is_(apply_plan, refuse_gang, evaluate, evaluate_gang):
        return True
    worker = by["worker"]
    waits = exists(all_of(is_queued(n, other), is_urgent(s, other)) for other in s.workers)
    return implies(waits, is_urgent(s, worker))


@step("PLAN-73", "PLAN-31", why="nobody would stop what runs for a job that is stopped or gone")
def nothing_is_placed_for_stopped_jobs(s: Kernel, n: Kernel) -> Value:
    """Say that an allocation is made only for a job that was wanted just before."""
    return for_all(
        implies(is_new(s, n, j, i), s.job_phase[j] == JobPhase.WANTED) for j in s.jobs for i in s.allocs
    )


@step("PLAN-15", "PLAN-71", why="an allocation runs the version that it carries")
def allocations_carry_the_version_of_their_plan(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a new allocation carries the version that its plan names; deletion starts them anew."""
    if not by.is_(apply_plan, commit):
        return True
    is_anew = any_of(s.purged > 0, s.collected > 0)
    version = s.plan_version[by["worker"]] if by.is_(apply_plan) else s.flight_version[by["flight"]]
    job = by["job"]
    return for_all(
        implies(
            is_new(s, n, job, i),
            all_of(n.alloc_version[job, i] == version, any_of(is_anew, version <= s.job_version[job])),
        )
        for i in s.allocs
    )


@step("PLAN-13", "PLAN-15", why="a node that suits one version of a job need not suit the next")
def plans_keep_the_version_that_they_were_made_for(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that submission leaves a plan for the version of the job that the scheduler has seen."""
    if not by.is_(submit):
        return True
    worker = by["worker"]
    return implies(is_queued(n, worker), n.plan_version[worker] == s.plan_version[worker])


@step(
    "PLAN-34",
    "PLAN-73",
    "PLAN-92",
    why="a scheduler that is told so takes it for placed and looks no further",
)
def answers_of_success_are_true(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that whoever hears that all was committed finds each of its placements in the store."""
    if not by.is_(apply_plan, commit):
        return True
    job = by["job"]
    promised = count(list_placed_in(s, by, k) != NONE for k in s.slots)
    made = count(is_new(s, n, job, i) for i in s.allocs)
    is_told = exists(all_of(is_with_applier(s, w), n.stage[w] == Stage.DECIDED) for w in s.workers)
    return implies(is_told, made == promised)


@step("PLAN-05", "PLAN-57", "PLAN-80", why="planning again what was committed would place it twice")
def only_partial_plans_are_made_again(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that a plan is sent back for another attempt only when something that it adds was not made."""
    if not by.is_(apply_plan):
        return True
    worker, job = by["worker"], by["job"]
    is_again = one_of(n.stage[worker], Stage.REFUSED, Stage.EXHAUSTED)
    promised = count(s.plan_to[worker, k] != NONE for k in s.slots)
    made = count(is_new(s, n, job, i) for i in s.allocs)
    is_left = exists(
        all_of(find_kept(s, worker, i) != NONE, n.alloc_version[job, i] != s.plan_version[worker])
        for i in s.allocs
    )
    return implies(is_again, any_of(made < promised, is_left))


@always("PLAN-90", "PLAN-91", "EVAL-40", why="attempts that lead to nothing must end, and not before")
def attempts_are_bounded(s: Kernel) -> Value:
    """Say that a worker plans again while it has an attempt left, of which work in batches has fewer."""

    def is_bounded(w: Id, j: Id) -> Value:
        limit = ite(one_of(s.kind[j], Kind.BATCH, Kind.SYSBATCH), s.batch_attempts, s.attempts)
        goes_on = implies(s.stage[w] == Stage.REFUSED, s.tries[w] < limit)
        gives_up = implies(s.stage[w] == Stage.EXHAUSTED, s.tries[w] >= limit)
        return implies(s.job[w] == j, all_of(goes_on, gives_up))

    return for_all(is_bounded(w, j) for w in s.workers for j in s.jobs)


@step("PLAN-90", "PLAN-91", why="an attempt that leads to nothing must count as one")
def refused_attempts_count(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an answer raises the number of attempts, unless something of the plan was committed.

    To stop what has ended meanwhile counts as something.
    """
    if not by.is_(evaluate, evaluate_gang, apply_plan, refuse_gang):
        return True
    worker, job = by["worker"], by["job"]
    is_again = one_of(n.stage[worker], Stage.REFUSED, Stage.EXHAUSTED)

    def is_touched(i: Id) -> Value:
        is_over = all_of(s.plan_stops[worker, i], s.occupies[job, i] == NONE)
        is_moved = n.occupies[job, i] != s.occupies[job, i]
        return any_of(is_over, is_moved, n.alloc_version[job, i] != s.alloc_version[job, i])

    is_nothing = not_(exists(is_touched(i) for i in s.allocs))
    return implies(all_of(is_again, is_nothing), n.tries[worker] == s.tries[worker] + 1)


@step("PLAN-46", "PLAN-47", why="half of a gang is worth nothing and takes room")
def gangs_are_placed_together(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that of a plan that is all or nothing, all placements are committed or none."""
    if not by.is_(apply_plan, commit):
        return True
    job = by["job"]
    made = count(is_new(s, n, job, i) for i in s.allocs)
    wanted = count(list_placed_in(s, by, k) != NONE for k in s.slots)
    return implies(s.gangs > 0, one_of(made, 0, wanted))


@step("PLAN-44", "PLAN-62", why="a job that loses an allocation must be told, and told once")
def evictions_are_followed_by_one_evaluation(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an entry makes one evaluation for each other job that it takes something from."""
    if not by.is_(apply_plan, commit):
        return True
    job = by["job"]

    def is_hit(j: Id) -> Value:
        return exists(is_evicted(s, n, j, i) for i in s.allocs)

    return for_all(implies(all_of(j != job, is_hit(j)), n.made[j] == s.made[j] + 1) for j in s.jobs)


@step("PLAN-44", why="who is driven out must make way for something more urgent")
def only_lower_priorities_are_driven_out(s: Kernel, n: Kernel, by: By) -> Value:
    """Say that an entry takes nothing from another job, unless that has a lower priority."""
    if not by.is_(apply_plan, commit):
        return True
    job = by["job"]
    return for_all(
        implies(all_of(j != job, is_evicted(s, n, j, i)), s.urgent[j] < s.urgent[job])
        for j in s.jobs
        for i in s.allocs
    )


@always("PLAN-03", "PLAN-44", why="a job that drives out its own would count the room twice", lemma=True)
def victims_are_of_other_jobs(s: Kernel) -> Value:
    """Say that only a plan that has been made drives something out, and nothing of its own job."""

    def is_made(w: Id) -> Value:
        return one_of(s.stage[w], Stage.PLANNED, Stage.SUBMITTED, Stage.JUDGED, Stage.FLYING, Stage.FAILING)

    return for_all(
        implies(s.plan_victim[w] != NONE, all_of(is_made(w), s.plan_foe[w] != s.job[w])) for w in s.workers
    )


@eventually(
    "PLAN-13",
    "PLAN-22",
    "PLAN-34",
    why="a worker waits for its answer without a limit",
    given=is_with_applier,
    worker=Kernel.workers,
)
def plans_are_answered(s: Kernel, worker: Id) -> Value:
    """Say that a worker does not wait for ever, unless the scope has no number left for what it plans."""
    is_full = exists(any_of(s.alloc_made[j] + s.count > s.spares, s.made[j] >= s.evals) for j in s.jobs)
    return any_of(is_full, not_(is_with_applier(s, worker)))


@sometimes("PLAN-53", why="capacity matters only where a node is full")
def a_node_is_full(s: Kernel) -> Value:
    """Say that a node holds all that it has room for."""
    return exists(count_taken(s, m) == s.cap for m in s.nodes)


@sometimes(
    "PLAN-51",
    "PLAN-74",
    why="who looks at capacity matters only where something grows",
    scopes=("in-place", "in-place-entry", "revival"),
)
def a_plan_updates_something_in_place(s: Kernel) -> Value:
    """Say that a queued plan takes an allocation over to another version in its place."""
    return exists(all_of(is_queued(s, w), find_kept(s, w, i) != NONE) for w in s.workers for i in s.allocs)


@sometimes(
    "PLAN-45", "PLAN-80", why="attempts matter only where a plan is refused", scopes=("strikes", "pipeline")
)
def a_plan_is_refused(s: Kernel) -> Value:
    """Say that a worker is to plan again."""
    return exists(s.stage[w] == Stage.REFUSED for w in s.workers)


@sometimes(
    "PLAN-13",
    why="the check of tokens matters only where a plan comes too late",
    scopes=("delivery-limit", "two-tokens"),
)
def a_plan_is_late(s: Kernel) -> Value:
    """Say that a worker is about to submit a plan for a delivery that it has lost."""
    return exists(all_of(s.stage[w] == Stage.PLANNED, not_(s.holds[w])) for w in s.workers)


@sometimes(
    "PLAN-20", why="an order matters only where more than one plan waits", scopes=("strikes", "pipeline")
)
def plans_queue_up(s: Kernel) -> Value:
    """Say that two plans wait in the queue."""
    return count(is_queued(s, w) for w in s.workers) > 1


@sometimes(
    "PLAN-20", why="priorities matter only where plans of different ones wait together", scopes=("urgency",)
)
def an_urgent_plan_overtakes(s: Kernel) -> Value:
    """Say that plans of both priorities wait in the queue."""
    return all_of(not_(s.plans.is_empty()), not_(s.urgent_plans.is_empty()))


@sometimes(
    "PLAN-73",
    why="what becomes of a stopped job's plan matters only where there is one",
    scopes=("update", "collection", "refusals"),
)
def a_plan_of_a_stopped_job_is_queued(s: Kernel) -> Value:
    """Say that a plan with a placement waits whose job is no longer wanted."""
    return exists(
        all_of(is_queued(s, w), s.job[w] == j, s.job_phase[j] != JobPhase.WANTED, s.plan_to[w, k] != NONE)
        for w in s.workers
        for j in s.jobs
        for k in s.slots
    )


@sometimes(
    "PLAN-15",
    why="versions matter only where a job changes while it is planned",
    scopes=("rollout", "update", "in-place"),
)
def a_plan_is_for_an_old_version(s: Kernel) -> Value:
    """Say that a plan is about to be submitted whose job has been updated since."""
    return exists(
        all_of(s.stage[w] == Stage.PLANNED, s.job[w] == j, s.plan_version[w] < s.job_version[j])
        for w in s.workers
        for j in s.jobs
    )


@sometimes("PLAN-47", why="all or nothing matters only where a plan has two placements", scopes=("partial",))
def a_plan_has_two_placements(s: Kernel) -> Value:
    """Say that a queued plan places two instances."""
    return exists(
        all_of(is_queued(s, w), count(s.plan_to[w, k] != NONE for k in s.slots) > 1) for w in s.workers
    )


@sometimes(
    "PLAN-44",
    "PLAN-62",
    why="evictions matter only where a plan drives something out",
    scopes=("urgency", "choice-of-victims"),
)
def a_plan_drives_something_out(s: Kernel) -> Value:
    """Say that a queued plan takes the place of another job's allocation."""
    return exists(all_of(is_queued(s, w), s.plan_victim[w] != NONE) for w in s.workers)
