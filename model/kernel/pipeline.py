"""The pipelined applier: plans are judged against a snapshot that already shows what is still under way."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.applier import answer, make_alloc, stop_alloc
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.state import Flight, JobPhase, Kernel, Lead, Stage
from nomadspec.model.kernel.verdict import View, judge
from nomadspec.model.kernel.worker import forget_plan
from nomadspec.model.logic import (
    Value,
    all_of,
    any_of,
    count,
    for_all,
    implies,
    ite,
    none_of,
    not_,
    one_of,
)
from nomadspec.model.quirks import PHANTOM_EFFECTS, STALE_JUDGEMENT
from nomadspec.model.rule import rule, weak


def is_open_flight(s: Kernel, flight: Id) -> Value:
    """Say that the applier has not yet seen the completion of an entry."""
    return s.flight[flight] != Flight.FREE


def is_idle(s: Kernel) -> Value:
    """Say that the applier has no plan in hand."""
    return for_all(s.stage[w] != Stage.JUDGED for w in s.workers)


def free_flight(t: Kernel, flight: Id) -> None:
    """Forget an entry whose completion was seen."""
    t.flight[flight] = Flight.FREE


def drop_snapshot(t: Kernel) -> None:
    """Forget the applier's snapshot."""
    t.has_snap = False
    t.snap_occupies = NONE
    t.snap_up = False
    t.snap_open = False
    t.snap_lead = Lead.BEHIND


def view_snapshot(s: Kernel, renews: Value) -> View:
    """View the applier's snapshot, or the store where the snapshot is renewed first."""

    def taken(job: Id, i: Id) -> Value:
        return ite(renews, s.occupies[job, i], s.snap_occupies[job, i])

    return View(
        taken=taken,
        used=lambda n: count(taken(job, i) == n for job in s.jobs for i in s.allocs),
        is_up=lambda n: ite(renews, s.node_up[n], s.snap_up[n]),
        is_eligible=lambda n: ite(renews, s.eligible[n], s.snap_open[n]),
    )


@rule("PLAN-31", "PLAN-37", fair=weak("flight"), flight=Kernel.flights)
def collect(s: Kernel, t: Kernel, flight: Id) -> None:
    """The applier, between two plans, sees a completion; after the last one it drops its snapshot."""
    t.require(one_of(s.flight[flight], Flight.LANDED, Flight.CRASHED), is_idle(s))
    is_last = for_all(implies(other != flight, not_(is_open_flight(s, other))) for other in s.flights)
    free_flight(t, flight)
    is_news = True if not s.has(PHANTOM_EFFECTS) else s.flight[flight] == Flight.LANDED
    drop_snapshot(t.when(all_of(is_last, is_news)))


@rule(
    "PLAN-31", "PLAN-32", "PLAN-40", "PLAN-43", "PLAN-45", fair=weak(), worker=Kernel.workers, job=Kernel.jobs
)
def evaluate(s: Kernel, t: Kernel, worker: Id, job: Id) -> None:
    """The applier judges the first plan against its snapshot, which it renews only when nothing is under way."""
    t.require(s.depth > 0, is_idle(s))
    t.require(s.plans.head(worker), s.job[worker] == job)
    is_calm = none_of(*[is_open_flight(s, f) for f in s.flights])
    if not s.has(STALE_JUDGEMENT):
        t.require(any_of(is_calm, not_(s.is_newer[worker])))
    if not s.has(PHANTOM_EFFECTS):
        t.require(for_all(s.flight[f] != Flight.CRASHED for f in s.flights))
    renews = any_of(not_(s.has_snap), all_of(is_calm, s.is_newer[worker]))

    verdict = judge(s, worker, job, view_snapshot(s, renews))
    fresh = t.when(renews)
    fresh.has_snap = True
    fresh.snap_occupies = s.occupies
    fresh.snap_up = s.node_up
    fresh.snap_open = s.eligible
    fresh.snap_lead = Lead.EVEN
    fresh.is_newer = False
    t.plans.pop(worker)
    for k in s.slots:
        t.plan_to[worker, k] = ite(verdict.commits(k), s.plan_to[worker, k], NONE)
    for i in s.allocs:
        t.plan_stops[worker, i] = verdict.stops(i)
    t.is_partial[worker] = any_of(s.is_partial[worker], not_(verdict.is_whole))
    t.stage[worker] = Stage.JUDGED
    answer(
        s,
        t.when(verdict.is_empty),
        worker,
        is_whole=all_of(verdict.is_whole, not_(s.is_partial[worker])),
        has_progress=False,
    )


@rule("PLAN-31", "PLAN-36", fair=weak("flight"), flight=Kernel.flights)
def await_completion(s: Kernel, t: Kernel, flight: Id) -> None:
    """The applier, with a judged plan in hand and no place for another entry, waits for a completion."""
    t.require(one_of(s.flight[flight], Flight.LANDED, Flight.CRASHED), not_(is_idle(s)))
    t.require(for_all(is_open_flight(s, other) for other in s.flights))
    free_flight(t, flight)
    if not s.has(PHANTOM_EFFECTS):
        crashed = s.flight[flight] == Flight.CRASHED
        drop_snapshot(t.when(crashed))
        for worker in s.workers:
            judged = t.when(all_of(crashed, s.stage[worker] == Stage.JUDGED))
            judged.stage[worker] = Stage.SUBMITTED
            judged.plans.push(worker)


@rule(
    "PLAN-31",
    "PLAN-33",
    "PLAN-60",
    fair=weak(),
    worker=Kernel.workers,
    job=Kernel.jobs,
    flight=Kernel.flights,
)
def dispatch(s: Kernel, t: Kernel, worker: Id, job: Id, flight: Id) -> None:
    """The applier hands the entry to the log, and shows its effect in its own snapshot at once."""
    t.require(s.stage[worker] == Stage.JUDGED, s.job[worker] == job, not_(is_open_flight(s, flight)))
    placed = count(s.plan_to[worker, k] != NONE for k in s.slots)
    t.require(s.alloc_made[job] + placed <= s.spares)
    t.alloc_made[job] = s.alloc_made[job] + placed
    t.flight[flight] = Flight.FLYING
    t.flight_job[flight] = job
    t.flight_worker[flight] = worker
    t.flight_version[flight] = s.plan_version[worker]
    for i in s.allocs:
        t.flight_stops[flight, i] = s.plan_stops[worker, i]
        t.when(s.plan_stops[worker, i]).snap_occupies[job, i] = NONE
    for k in s.slots:
        is_placed = s.plan_to[worker, k] != NONE
        number = s.alloc_made[job] + count(
            all_of(before < k, s.plan_to[worker, before] != NONE) for before in s.slots
        )
        t.flight_to[flight, k] = s.plan_to[worker, k]
        t.flight_alloc[flight, k] = ite(is_placed, number, NONE)
        t.when(is_placed).snap_occupies[job, number] = s.plan_to[worker, k]
    t.under_way.push(flight)
    t.snap_lead = Lead.AHEAD
    t.is_newer = False
    t.stage[worker] = Stage.FLYING


def forget_entry(t: Kernel, flight: Id) -> None:
    """Forget what an entry says; the applier has still to see its completion."""
    t.flight_job[flight] = NONE
    t.flight_worker[flight] = NONE
    t.flight_to[flight] = NONE
    t.flight_alloc[flight] = NONE
    t.flight_stops[flight] = False
    t.flight_version[flight] = 0


@rule("PLAN-34", "PLAN-35", "PLAN-70", "PLAN-73", fair=weak(), flight=Kernel.flights, job=Kernel.jobs)
def commit(s: Kernel, t: Kernel, flight: Id, job: Id) -> None:
    """The first entry under way is committed, and whoever waits for it is answered."""
    t.require(s.under_way.head(flight), s.flight_job[flight] == job)
    is_wanted = s.job_phase[job] == JobPhase.WANTED
    for i in s.allocs:
        stop_alloc(t.when(all_of(s.flight_stops[flight, i], s.occupies[job, i] != NONE)), job, i)
    for k in s.slots:
        filled = t.when(all_of(is_wanted, s.flight_to[flight, k] != NONE))
        make_alloc(filled, job, s.flight_alloc[flight, k], s.flight_to[flight, k], s.flight_version[flight])
    note_entry(s, t)
    t.under_way.pop(flight)
    t.flight[flight] = Flight.LANDED
    for worker in s.workers:
        waits = t.when(s.flight_worker[flight] == worker)
        answer(s, waits, worker, is_whole=not_(s.is_partial[worker]), has_progress=True)
    forget_entry(t, flight)


@rule("PLAN-34", flight=Kernel.flights)
def crash(s: Kernel, t: Kernel, flight: Id) -> None:
    """The first entry under way fails, and whoever waits for it hears of an error."""
    t.require(s.crashed < s.failed_entries, s.under_way.head(flight))
    t.crashed = s.crashed + 1
    t.under_way.pop(flight)
    t.flight[flight] = Flight.CRASHED
    for worker in s.workers:
        waits = t.when(s.flight_worker[flight] == worker)
        waits.stage[worker] = Stage.FAILING
        forget_plan(waits, worker)
    forget_entry(t, flight)
