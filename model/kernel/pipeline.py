"""The pipelined applier: plans are judged against a snapshot that already shows what is still under way."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.applier import (
    Planned,
    admits_drops,
    answer,
    answer_error,
    count_refusal,
    count_refusals,
    evict,
    is_marked,
    is_stored,
    make_alloc,
    owes_eval,
    stop_alloc,
    update_alloc,
)
from nomadspec.model.kernel.broker import has_room
from nomadspec.model.kernel.log import note_eval
from nomadspec.model.kernel.plan_queue import enqueue_plan, is_next, take_plan
from nomadspec.model.kernel.state import Flight, JobPhase, Kernel, Lead, Record, Stage
from nomadspec.model.kernel.verdict import Verdict, View, find_kept, judge, view_store
from nomadspec.model.logic import (
    Value,
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
from nomadspec.model.quirks import (
    ERROR_AFTER_DISPATCH,
    PHANTOM_EFFECTS,
    REVIVED_ALLOCATION,
    STALE_JUDGEMENT,
    UNREPORTED_FAILURE,
    UNSEEN_LOSS,
    VOID_EFFECTS,
)
from nomadspec.model.rule import rule, weak


def is_open_flight(s: Kernel, flight: Id) -> Value:
    """Say that the applier counts an entry as under way: it has not yet seen its end."""
    return one_of(s.flight[flight], Flight.FLYING, Flight.LANDED, Flight.CRASHED)


def is_under_way(s: Kernel, flight: Id) -> Value:
    """Say that an entry was handed to the log and has not come out of it."""
    return one_of(s.flight[flight], Flight.FLYING, Flight.STRAY)


def is_idle(s: Kernel) -> Value:
    """Say that the applier has no plan in hand."""
    return for_all(s.stage[w] != Stage.JUDGED for w in s.workers)


def is_calm(s: Kernel) -> Value:
    """Say that the applier knows of no entry under way."""
    return for_all(not_(is_open_flight(s, flight)) for flight in s.flights)


def minds_crashes(s: Kernel) -> bool:
    """Say that the applier takes back what its snapshot shows of an entry that failed."""
    return not s.has(PHANTOM_EFFECTS)


def is_minded_crash(s: Kernel, flight: Id) -> Value:
    """Say that an entry has failed, and that the applier goes on only once it has seen that."""
    return all_of(minds_crashes(s), s.flight[flight] == Flight.CRASHED)


def has_fallen(s: Kernel, flight: Id) -> Value:
    """Say that nothing is under way that a failed entry, which is minded, would make fail too."""
    is_quiet = for_all(not_(is_under_way(s, other)) for other in s.flights)
    return any_of(not_(is_minded_crash(s, flight)), is_quiet)


def has_minded_crash(s: Kernel) -> Value:
    """Say that the applier has to see that an entry has failed."""
    return exists(is_minded_crash(s, flight) for flight in s.flights)


def shows_all(s: Kernel) -> bool:
    """Say that the applier hands nothing to the log that its snapshot does not show."""
    return not s.has(ERROR_AFTER_DISPATCH)


def drop_snapshot(t: Kernel) -> None:
    """Forget the applier's snapshot."""
    t.has_snap = False
    t.is_outrun = False
    t.snap_phase = JobPhase.ABSENT
    t.snap_knows = False
    t.snap_lacks = False
    t.snap_occupies = NONE
    t.snap_extra = NONE
    t.snap_up = False
    t.snap_open = False
    t.snap_lead = Lead.BEHIND


def renew_snapshot(s: Kernel, t: Kernel) -> None:
    """Copy the store as it is."""
    t.has_snap = True
    t.is_outrun = False
    t.snap_phase = s.job_phase
    for job in s.jobs:
        for number in s.eval_numbers:
            t.snap_knows[job, number] = s.record[job, number] != Record.ABSENT
    t.snap_lacks = False
    t.snap_occupies = s.occupies
    t.snap_extra = s.extra_at
    t.snap_up = s.node_up
    t.snap_open = s.eligible
    t.snap_lead = Lead.EVEN
    t.is_newer = False


def count_shown(s: Kernel, node: Value) -> Value:
    """Count the units of a node that are taken in the applier's snapshot."""
    return s.snap_used[node] + s.snap_used_more[node]


def view_shown(s: Kernel) -> View:
    """View the applier's snapshot as it is."""
    return View(
        taken=lambda job, i: s.snap_occupies[job, i],
        more=lambda job, i, x: s.snap_extra[job, i, x],
        used=lambda n: count_shown(s, n),
        is_up=lambda n: s.snap_up[n],
        is_eligible=lambda n: s.snap_open[n],
    )


def view_snapshot(s: Kernel, renews: Value) -> View:
    """View the applier's snapshot, or the store where the snapshot is renewed first."""
    store, shown = view_store(s), view_shown(s)
    return View(
        taken=lambda job, i: ite(renews, store.taken(job, i), shown.taken(job, i)),
        more=lambda job, i, x: ite(renews, store.more(job, i, x), shown.more(job, i, x)),
        used=lambda n: ite(renews, store.used(n), shown.used(n)),
        is_up=lambda n: ite(renews, store.is_up(n), shown.is_up(n)),
        is_eligible=lambda n: ite(renews, store.is_eligible(n), shown.is_eligible(n)),
    )


def needs_news(s: Kernel, worker: Id, job: Id) -> Value:
    """Say that the applier would have a plan wait until it can renew its snapshot."""
    needs: Value = all_of(not_(is_calm(s)), s.is_newer[worker]) if not s.has(STALE_JUDGEMENT) else False
    is_shown = s.snap_knows[job, s.number[worker]]
    return any_of(needs, all_of(shows_all(s), s.has_snap, not_(is_shown)))


def lacks_alloc(s: Kernel, worker: Id, job: Id, renews: Value) -> Value:
    """Say that a plan stops or drives out an allocation that the applier cannot find: it fails as a whole."""

    def is_unknown(other: Value, i: Value) -> Value:
        return ite(renews, not_(is_stored(s, other, i)), s.snap_lacks[other, i])

    foe, victim = s.plan_foe[worker], s.plan_victim[worker]
    return any_of(
        exists(all_of(s.plan_stops[worker, i], is_unknown(job, i)) for i in s.allocs),
        all_of(s.preempting > 0, victim != NONE, is_unknown(foe, victim)),
    )


def lacks_eval(s: Kernel, worker: Id, job: Id, renews: Value) -> Value:
    """Say that the applier finds no record of what a plan is made for, and so could not show its entry."""
    is_gone = s.record[job, s.number[worker]] == Record.ABSENT
    return all_of(shows_all(s), renews, is_gone)


@rule("PLAN-31", "PLAN-37", actor="applier", fair=weak("flight"), flight=Kernel.flights)
def collect(s: Kernel, t: Kernel, flight: Id) -> None:
    """The applier, between two plans, sees how an entry ended; after the last one it drops its snapshot."""
    t.require(s.ended.head(flight), is_idle(s), has_fallen(s, flight))
    t.ended.pop(flight)
    t.flight[flight] = Flight.FREE
    is_last = for_all(implies(other != flight, not_(is_open_flight(s, other))) for other in s.flights)
    is_news = any_of(minds_crashes(s), s.has_news, s.flight[flight] == Flight.LANDED)
    t.has_news = all_of(is_news, not_(is_last))
    drop_snapshot(t.when(all_of(is_last, is_news)))


@rule(
    "PLAN-31",
    "PLAN-32",
    "PLAN-40",
    "PLAN-43",
    "PLAN-45",
    "PLAN-86",
    actor="applier",
    fair=weak(),
    worker=Kernel.workers,
    job=Kernel.jobs,
)
def evaluate(s: Kernel, t: Kernel, worker: Id, job: Id) -> None:
    """The applier judges the next plan by its snapshot, which it renews only when nothing is under way."""
    renews = renews_for(s, t, worker, job)
    verdict = judge(s, worker, job, view_snapshot(s, renews))
    t.require(any_of(s.gangs == 0, verdict.is_whole))
    sound = take_up(s, t, worker, job, renews)
    sound.stage[worker] = Stage.JUDGED
    count_refusals(s, sound, verdict)
    cut_plan(s, sound, worker, verdict)
    for n in s.nodes:
        sound.plan_marks[worker, n] = is_marked(s, verdict, n)
    sound.is_partial[worker] = any_of(s.is_partial[worker], not_(verdict.is_whole))
    is_idle_plan = not_(any_of(verdict.has_progress, exists(is_marked(s, verdict, n) for n in s.nodes)))
    is_whole = all_of(verdict.is_whole, not_(s.is_partial[worker]))
    answer(s, sound.when(is_idle_plan), worker, is_whole=is_whole, has_progress=False)
    is_ahead = all_of(not_(renews), s.snap_lead == Lead.AHEAD)
    sound.when(all_of(is_idle_plan, not_(is_whole))).awaits[worker] = is_ahead


def renews_for(s: Kernel, t: Kernel, worker: Id, job: Id) -> Value:
    """Require that the applier may judge this plan now; say whether it renews its snapshot for that."""
    t.require(s.depth > 0, is_idle(s), is_next(s, worker), s.job[worker] == job)
    must_wait = all_of(not_(is_calm(s)), needs_news(s, worker, job))
    t.require(not_(must_wait), not_(has_minded_crash(s)))
    is_old = any_of(s.is_newer[worker], s.is_outrun, needs_news(s, worker, job))
    return any_of(not_(s.has_snap), all_of(is_calm(s), is_old))


def take_up(s: Kernel, t: Kernel, worker: Id, job: Id, renews: Value) -> Kernel:
    """Take a plan from the queue; give the writer for where the applier finds all that the plan names."""
    renew_snapshot(s, t.when(renews))
    take_plan(s, t, worker)
    t.has_news = False
    is_wrong = any_of(lacks_alloc(s, worker, job, renews), lacks_eval(s, worker, job, renews))
    answer_error(t.when(is_wrong), worker)
    return t.when(not_(is_wrong))


def cut_plan(s: Kernel, t: Kernel, worker: Id, verdict: Verdict) -> None:
    """Leave of a plan what is to be committed."""
    for k in s.slots:
        t.plan_to[worker, k] = ite(verdict.commits(k), s.plan_to[worker, k], NONE)
    for i in s.allocs:
        t.plan_stops[worker, i] = verdict.stops(i)
        for a in s.takeovers:
            t.plan_keeps[worker, i, a] = ite(verdict.keeps(i), s.plan_keeps[worker, i, a], NONE)
    t.plan_foe[worker] = ite(verdict.evicts, s.plan_foe[worker], NONE)
    t.plan_victim[worker] = ite(verdict.evicts, s.plan_victim[worker], NONE)


@rule(
    "PLAN-45",
    "PLAN-47",
    "PLAN-86",
    "PLAN-87",
    actor="applier",
    fair=weak("worker"),
    worker=Kernel.workers,
    job=Kernel.jobs,
    node=Kernel.nodes,
)
def evaluate_gang(s: Kernel, t: Kernel, worker: Id, job: Id, node: Id) -> None:
    """The applier refuses all of a plan that is all or nothing, on account of the node that it met first."""
    t.require(s.gangs > 0)
    renews = renews_for(s, t, worker, job)
    verdict = judge(s, worker, job, view_snapshot(s, renews))
    t.require(verdict.refuses(node))
    sound = take_up(s, t, worker, job, renews)
    count_refusal(s, sound, node)
    cut_plan(s, sound, worker, verdict)
    sound.is_partial[worker] = True
    marking = is_marked(s, verdict, node)
    sound.stage[worker] = Stage.JUDGED
    sound.when(marking).plan_marks[worker, node] = True
    idle = sound.when(not_(marking))
    answer(s, idle, worker, is_whole=False, has_progress=False)
    idle.awaits[worker] = all_of(not_(renews), s.snap_lead == Lead.AHEAD)


@rule("PLAN-33", "WORKER-10", fair=weak("worker"), worker=Kernel.workers)
def miss_refresh(s: Kernel, t: Kernel, worker: Id) -> None:
    """The state that a worker is to plan on does not come, for the entry that it waits for has failed."""
    t.require(s.stage[worker] == Stage.REFUSED, s.awaits[worker])
    t.require(for_all(not_(is_under_way(s, flight)) for flight in s.flights))
    answer_error(t, worker)


@rule("PLAN-31", "PLAN-36", actor="applier", fair=weak("flight"), flight=Kernel.flights)
def await_completion(s: Kernel, t: Kernel, flight: Id) -> None:
    """The applier, with a judged plan in hand and no place for another entry, waits for an end."""
    t.require(s.ended.head(flight), not_(is_idle(s)))
    is_full = for_all(is_open_flight(s, other) for other in s.flights)
    t.require(any_of(is_full, has_minded_crash(s)))
    t.require(not_(is_minded_crash(s, flight)))
    t.ended.pop(flight)
    t.flight[flight] = Flight.FREE


@rule(
    "PLAN-31", "PLAN-34", actor="applier", fair=weak("flight"), flight=Kernel.flights, worker=Kernel.workers
)
def judge_again(s: Kernel, t: Kernel, flight: Id, worker: Id) -> None:
    """Where a failed entry is minded, the plan that was judged on top of it goes back to the queue."""
    t.require(s.ended.head(flight), s.stage[worker] == Stage.JUDGED)
    t.require(is_minded_crash(s, flight), has_fallen(s, flight))
    t.ended.pop(flight)
    t.flight[flight] = Flight.FREE
    drop_snapshot(t)
    t.stage[worker] = Stage.SUBMITTED
    enqueue_plan(s, t, worker)


def show_entry(s: Kernel, t: Kernel, worker: Id, job: Id) -> None:
    """Show in the applier's snapshot what an entry will do, as far as the snapshot takes it in."""
    takes_in = any_of(shows_all(s), s.snap_phase[job] == JobPhase.WANTED)
    for i in s.allocs:
        t.when(s.plan_stops[worker, i]).snap_occupies[job, i] = NONE
        t.when(s.plan_stops[worker, i]).snap_extra[job, i] = NONE
        show_update(s, t, worker, job, i)
    driving = t.when(s.preempting > 0)
    driving.snap_occupies[s.plan_foe[worker], s.plan_victim[worker]] = NONE
    driving.snap_extra[s.plan_foe[worker], s.plan_victim[worker]] = NONE
    for k in s.slots:
        placed = t.when(s.plan_to[worker, k] != NONE)
        number = number_placed(s, worker, job, k)
        placed.when(takes_in).snap_occupies[job, number] = s.plan_to[worker, k]
        for x in s.extras:
            more = ite(x < s.plan_bulk[worker], s.plan_to[worker, k], NONE)
            placed.when(takes_in).snap_extra[job, number, x] = more
        placed.when(not_(takes_in)).snap_lacks[job, number_placed(s, worker, job, k)] = True
    for n in s.nodes:
        t.when(all_of(s.strikes > 0, s.plan_marks[worker, n])).snap_open[n] = False
    t.snap_lead = Lead.AHEAD
    t.is_outrun = False
    t.is_newer = False


def show_update(s: Kernel, t: Kernel, worker: Id, job: Id, i: Id) -> None:
    """Show in the applier's snapshot an allocation that a judged plan updates in its place."""
    kept = find_kept(s, worker, i)
    is_shown = any_of(s.snap_occupies[job, i] != NONE, s.has(REVIVED_ALLOCATION))
    shown = t.when(all_of(kept != NONE, is_shown))
    shown.snap_occupies[job, i] = kept
    for x in s.extras:
        shown.snap_extra[job, i, x] = ite(x < s.plan_bulk[worker], kept, NONE)


def number_placed(s: Kernel, worker: Id, job: Id, k: Id) -> Value:
    """Give the allocation that a judged plan makes with one of its slots."""
    earlier = count(all_of(before < k, s.plan_to[worker, before] != NONE) for before in s.slots)
    return s.alloc_made[job] + earlier


@rule(
    "PLAN-31",
    "PLAN-33",
    "PLAN-60",
    "EVAL-34",
    actor="applier",
    fair=weak(),
    worker=Kernel.workers,
    job=Kernel.jobs,
    flight=Kernel.flights,
)
def dispatch(s: Kernel, t: Kernel, worker: Id, job: Id, flight: Id) -> None:
    """The applier hands the entry to the log; where its snapshot cannot take it in, it forgets about it."""
    t.require(s.stage[worker] == Stage.JUDGED, s.job[worker] == job, s.flight[flight] == Flight.FREE)
    t.require(not_(has_minded_crash(s)))
    placed = count(s.plan_to[worker, k] != NONE for k in s.slots)
    t.require(s.alloc_made[job] + placed <= s.spares)
    t.alloc_made[job] = s.alloc_made[job] + placed
    is_shown = s.snap_knows[job, s.number[worker]]
    t.flight[flight] = ite(is_shown, Flight.FLYING, Flight.STRAY)
    t.flight_job[flight] = job
    t.flight_worker[flight] = ite(is_shown, worker, NONE)
    t.flight_version[flight] = s.plan_version[worker]
    for i in s.allocs:
        t.flight_stops[flight, i] = s.plan_stops[worker, i]
        for a in s.takeovers:
            t.flight_keeps[flight, i, a] = s.plan_keeps[worker, i, a]
    t.flight_bulk[flight] = s.plan_bulk[worker]
    t.flight_foe[flight] = s.plan_foe[worker]
    t.flight_victim[flight] = s.plan_victim[worker]
    for n in s.nodes:
        t.flight_marks[flight, n] = all_of(s.strikes > 0, s.plan_marks[worker, n])
    for k in s.slots:
        number = ite(s.plan_to[worker, k] != NONE, number_placed(s, worker, job, k), NONE)
        t.flight_to[flight, k] = s.plan_to[worker, k]
        t.flight_alloc[flight, k] = number
        t.when(all_of(not_(is_shown), number != NONE)).snap_lacks[job, number] = True
    t.under_way.push(flight)
    t.stage[worker] = Stage.FLYING
    show_entry(s, t.when(is_shown), worker, job)
    answer_error(t.when(not_(is_shown)), worker)


def forget_entry(s: Kernel, t: Kernel, flight: Id, end: Value) -> None:
    """Forget what an entry says; the applier has still to see its end, if it counts it."""
    t.under_way.remove(flight)
    t.flight_job[flight] = NONE
    t.flight_worker[flight] = NONE
    t.flight_to[flight] = NONE
    t.flight_alloc[flight] = NONE
    t.flight_stops[flight] = False
    t.flight_keeps[flight] = NONE
    t.flight_bulk[flight] = 0
    t.flight_foe[flight] = NONE
    t.flight_victim[flight] = NONE
    t.flight_marks[flight] = False
    t.flight_version[flight] = 0
    is_counted = all_of(s.flight[flight] == Flight.FLYING, s.leading)
    t.flight[flight] = ite(is_counted, end, Flight.FREE)
    t.when(is_counted).ended.push(flight)


def is_void(s: Kernel, flight: Id, job: Id) -> Value:
    """Say that an entry names an allocation that the store has no more, so that nothing of it is written."""
    foe, victim = s.flight_foe[flight], s.flight_victim[flight]
    return any_of(
        exists(all_of(s.flight_stops[flight, i], not_(is_stored(s, job, i))) for i in s.allocs),
        all_of(s.preempting > 0, victim != NONE, not_(is_stored(s, foe, victim))),
    )


def find_kept_in(s: Kernel, flight: Id, i: Id) -> Value:
    """Give the node of an allocation that an entry updates in its place, NONE where it does not."""
    kept: Value = NONE
    for a in s.takeovers:
        kept = s.flight_keeps[flight, i, a]
    return kept


@rule(
    "PLAN-34",
    "PLAN-35",
    "PLAN-62",
    "PLAN-70",
    "PLAN-73",
    actor="log",
    fair=weak(),
    flight=Kernel.flights,
    job=Kernel.jobs,
)
def commit(s: Kernel, t: Kernel, flight: Id, job: Id) -> None:
    """The first entry under way is committed, and whoever waits for it is answered."""
    t.require(s.under_way.head(flight), s.flight_job[flight] == job, not_(has_minded_crash(s)))
    foe, victim = s.flight_foe[flight], s.flight_victim[flight]
    t.require(implies(owes_eval(s, foe, victim != NONE), has_room(s, foe)))
    is_written = not_(is_void(s, flight, job))
    valid = t.when(is_written)
    planned = Planned(s.flight_version[flight], s.flight_bulk[flight])
    for i in s.allocs:
        stop_alloc(valid.when(all_of(s.flight_stops[flight, i], s.occupies[job, i] != NONE)), job, i)
        kept = find_kept_in(s, flight, i)
        update_alloc(s, valid.when(kept != NONE), job, i, kept, planned)
    evict(s, valid, foe, victim, victim != NONE)
    for n in s.nodes:
        valid.when(all_of(s.strikes > 0, s.flight_marks[flight, n])).eligible[n] = False
    for k in s.slots:
        filled = valid.when(all_of(s.job_phase[job] == JobPhase.WANTED, s.flight_to[flight, k] != NONE))
        make_alloc(s, filled, job, s.flight_alloc[flight, k], s.flight_to[flight, k], planned)
        if not s.has(UNSEEN_LOSS):
            filled.when(not_(s.node_up[s.flight_to[flight, k]])).owed[job] = True
    note_eval(s, valid, job)
    is_passed = all_of(s.has_snap, s.flight[flight] == Flight.FLYING, s.snap_lead != Lead.AHEAD)
    t.when(is_passed).is_outrun = True
    answer_entry(s, t, flight, job, is_written=is_written)
    is_seen_as_done = True if s.has(VOID_EFFECTS) else is_written
    forget_entry(s, t, flight, ite(is_seen_as_done, Flight.LANDED, Flight.CRASHED))


def answer_entry(s: Kernel, t: Kernel, flight: Id, job: Id, *, is_written: Value) -> None:
    """Answer whoever waits for an entry that has been committed."""
    has_placed = exists(s.flight_to[flight, k] != NONE for k in s.slots)
    has_changed = exists(
        any_of(s.flight_stops[flight, i], find_kept_in(s, flight, i) != NONE) for i in s.allocs
    )
    has_progress = any_of(has_placed, has_changed)
    is_dropped = all_of(has_placed, s.job_phase[job] != JobPhase.WANTED)
    is_kept = any_of(not_(admits_drops(s)), not_(is_dropped))
    for worker in s.workers:
        waits = t.when(s.flight_worker[flight] == worker)
        is_whole = all_of(not_(s.is_partial[worker]), is_kept)
        answer(s, waits, worker, is_whole=is_whole, has_progress=has_progress)
        if not s.has(UNREPORTED_FAILURE):
            answer_error(waits.when(not_(is_written)), worker)


def fail_entry(s: Kernel, t: Kernel, flight: Id) -> None:
    """Let an entry come to nothing; whoever waits for it hears of an error."""
    for worker in s.workers:
        answer_error(t.when(s.flight_worker[flight] == worker), worker)
    forget_entry(s, t, flight, Flight.CRASHED)


@rule("PLAN-34", actor="log", flight=Kernel.flights)
def crash(s: Kernel, t: Kernel, flight: Id) -> None:
    """The first entry under way fails."""
    t.require(s.crashed < s.failed_entries, s.leading, s.under_way.head(flight))
    t.crashed = s.crashed + 1
    fail_entry(s, t, flight)


@rule("PLAN-34", actor="log", fair=weak("flight"), flight=Kernel.flights)
def fall(s: Kernel, t: Kernel, flight: Id) -> None:
    """Where a failed entry is minded, what was judged on top of it fails too."""
    t.require(s.leading, has_minded_crash(s), s.under_way.head(flight))
    fail_entry(s, t, flight)


@rule("PLAN-34", "PLAN-98", actor="log", flight=Kernel.flights)
def lose_entry(s: Kernel, t: Kernel, flight: Id) -> None:
    """The first entry under way is lost together with the leader that it was handed to."""
    t.require(not_(s.leading), s.under_way.head(flight))
    fail_entry(s, t, flight)


def abandon_entries(s: Kernel, t: Kernel) -> None:
    """Let nobody wait any longer for what is under way, as when leadership is lost."""
    drop_snapshot(t)
    t.has_news = False
    t.flight_worker = NONE
    for flight in s.flights:
        t.when(not_(is_under_way(s, flight))).flight[flight] = Flight.FREE
        t.ended.remove(flight)
