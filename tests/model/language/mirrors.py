"""One little model twice: workers who plan by what they have seen, with records, and column by column.

A store holds evaluations and the capacity that they take. Workers look at it, on the leader or on a server
that is behind, and finish what they saw. ``look_forgetting`` misses a column, as only a copy by hand can.
"""

from enum import IntEnum

from nomadspec.model.language.domain import FLAG, NONE, Id, counter, opt
from nomadspec.model.language.logic import Value, all_of, any_of, count, exists, for_all, implies, ite, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import By, always, sometimes, step
from nomadspec.model.language.record import Record, record
from nomadspec.model.language.rule import Rule, rule, weak
from nomadspec.model.language.world import World, field, ids, size, tally


class Status(IntEnum):
    PENDING = 0
    COMPLETE = 1


class Things(World):
    """What there is."""

    workers = ids("worker", 2, "workers")
    evals = ids("eval", 2, "evaluations")
    nodes = ids("node", 2, "nodes")
    rounds = size(2, "how often an evaluation is made pending again")


class Held(Record):
    """What evaluations hold."""

    place = field(
        Things.evals, opt(Things.nodes), init=NONE, about="node whose capacity the evaluation takes"
    )
    used = tally(place, "evaluations on a node")


class StoreView(Record):
    """What a planner reads."""

    status = field(Things.evals, Status, init=Status.PENDING, about="status of the evaluation")
    paused = field(FLAG, init=False, about="nothing is planned")
    held = record(Held)


class Recorded(Things):
    """The world with records."""

    store = record(StoreView)
    stale = record(StoreView, about="on a server that is behind")
    seen = record(StoreView, Things.workers, first={"paused": True}, about="in a worker's snapshot")
    looks = field(Things.workers, FLAG, init=False, about="the worker has a snapshot")
    made = field(counter(Things.rounds), init=0, about="evaluations made pending again", budget=True)


class Spelled(Things):
    """The world column by column."""

    status = field(Things.evals, Status, init=Status.PENDING, about="status of the evaluation")
    paused = field(FLAG, init=False, about="nothing is planned")
    place = field(Things.evals, opt(Things.nodes), init=NONE, about="node that the evaluation takes")
    stale_status = field(Things.evals, Status, init=Status.PENDING, about="status there")
    stale_paused = field(FLAG, init=False, about="nothing is planned there")
    stale_place = field(Things.evals, opt(Things.nodes), init=NONE, about="node there")
    seen_status = field(Things.workers, Things.evals, Status, init=Status.PENDING, about="status seen")
    seen_paused = field(Things.workers, FLAG, init=True, about="nothing is planned, as seen")
    seen_place = field(Things.workers, Things.evals, opt(Things.nodes), init=NONE, about="node seen")
    looks = field(Things.workers, FLAG, init=False, about="the worker has a snapshot")
    made = field(counter(Things.rounds), init=0, about="evaluations made pending again", budget=True)
    used = tally(place, "evaluations on a node")


# with records


@rule("X-1", worker=Recorded.workers)
def look(s: Recorded, t: Recorded, worker: Id) -> None:
    """A worker takes a snapshot of the store, unless nothing is planned."""
    t.require(not_(s.looks[worker]))
    t.looks[worker] = True
    t.seen[worker] = ite(s.store.paused, s.stale, s.store)


@rule("X-1", worker=Recorded.workers)
def look_behind(s: Recorded, t: Recorded, worker: Id) -> None:
    """A worker takes a snapshot of the server that is behind."""
    t.require(not_(s.looks[worker]))
    t.looks[worker] = True
    t.seen[worker] = s.stale


@rule("X-1", fair=weak())
def catch_up(s: Recorded, t: Recorded) -> None:
    """The server that is behind has applied everything."""
    t.require(s.stale != s.store)
    t.stale = s.store


@rule("X-1", fair=weak("worker"), worker=Recorded.workers, number=Recorded.evals, node=Recorded.nodes)
def finish(s: Recorded, t: Recorded, worker: Id, number: Id, node: Id) -> None:
    """A worker places what it has seen pending, and forgets what it has seen."""
    t.require(s.looks[worker], not_(s.seen[worker].paused))
    t.require(s.seen[worker].status[number] == Status.PENDING)
    taken = count(s.seen[worker].held.place[other] == node for other in s.evals)
    t.require(taken == 0)
    t.when(s.store.held.used[node] == 0).store.held.place[number] = node
    t.store.status[number] = Status.COMPLETE
    t.looks[worker] = False
    t.seen[worker].clear()


@rule("X-1", worker=Recorded.workers)
def drop(s: Recorded, t: Recorded, worker: Id) -> None:
    """A worker whose snapshot is the store's state lets it go, and all else is paused or goes on."""
    t.require(s.looks[worker], s.seen[worker] == s.store)
    t.looks[worker] = False
    t.seen[worker].clear()
    t.store.paused = not_(s.store.paused)


@rule("X-1", spends=Recorded.made, number=Recorded.evals)
def renew(s: Recorded, t: Recorded, number: Id) -> None:
    """An evaluation is made pending again."""
    t.require(s.store.status[number] == Status.COMPLETE)
    t.store.status[number] = Status.PENDING
    t.store.held.place[number] = NONE


@always("X-1", why="A node has room for one.")
def no_node_is_oversubscribed(s: Recorded) -> Value:
    """True while no node holds two evaluations."""
    return for_all(s.store.held.used[node] <= 1 for node in s.nodes)


@always("X-1", why="Who has no snapshot knows nothing.")
def idle_worker_has_no_snapshot(s: Recorded) -> Value:
    """True while the snapshot of an idle worker is what it was first."""
    return for_all(implies(not_(s.looks[worker]), s.seen[worker].is_clear()) for worker in s.workers)


@step("X-1", why="A snapshot is of one moment.")
def snapshot_is_a_whole(s: Recorded, n: Recorded, by: By) -> Value:
    """True where a new snapshot is the store or the server that is behind, whole."""
    news = (
        implies(
            all_of(n.looks[worker], not_(s.looks[worker])),
            any_of(n.seen[worker] == s.store, n.seen[worker] == s.stale),
        )
        for worker in s.workers
    )
    return for_all(news)


@sometimes("X-1", why="Servers can be behind.")
def server_is_behind(s: Recorded) -> Value:
    """True once a worker plans by what is no longer so."""
    return exists(all_of(s.looks[worker], s.seen[worker] != s.store) for worker in s.workers)


# column by column


@rule("X-1", worker=Spelled.workers)
def look_spelled(s: Spelled, t: Spelled, worker: Id) -> None:
    """A worker takes a snapshot of the store, unless nothing is planned."""
    t.require(not_(s.looks[worker]))
    t.looks[worker] = True
    t.seen_paused[worker] = ite(s.paused, s.stale_paused, s.paused)
    for e in s.evals:
        t.seen_status[worker, e] = ite(s.paused, s.stale_status[e], s.status[e])
        t.seen_place[worker, e] = ite(s.paused, s.stale_place[e], s.place[e])


@rule("X-1", worker=Spelled.workers)
def look_behind_spelled(s: Spelled, t: Spelled, worker: Id) -> None:
    """A worker takes a snapshot of the server that is behind."""
    t.require(not_(s.looks[worker]))
    t.looks[worker] = True
    t.seen_paused[worker] = s.stale_paused
    t.seen_status[worker] = s.stale_status
    t.seen_place[worker] = s.stale_place


@rule("X-1", worker=Spelled.workers)
def look_forgetting(s: Spelled, t: Spelled, worker: Id) -> None:
    """A worker takes a snapshot of the server that is behind, but for a column."""
    t.require(not_(s.looks[worker]))
    t.looks[worker] = True
    t.seen_paused[worker] = s.stale_paused
    t.seen_status[worker] = s.stale_status


@rule("X-1", fair=weak())
def catch_up_spelled(s: Spelled, t: Spelled) -> None:
    """The server that is behind has applied everything."""
    t.require(
        any_of(
            s.stale_paused != s.paused,
            exists(any_of(s.stale_status[e] != s.status[e], s.stale_place[e] != s.place[e]) for e in s.evals),
        )
    )
    t.stale_paused = s.paused
    t.stale_status = s.status
    t.stale_place = s.place


@rule("X-1", fair=weak("worker"), worker=Spelled.workers, number=Spelled.evals, node=Spelled.nodes)
def finish_spelled(s: Spelled, t: Spelled, worker: Id, number: Id, node: Id) -> None:
    """A worker places what it has seen pending, and forgets what it has seen."""
    t.require(s.looks[worker], not_(s.seen_paused[worker]))
    t.require(s.seen_status[worker, number] == Status.PENDING)
    t.require(count(s.seen_place[worker, other] == node for other in s.evals) == 0)
    t.when(s.used[node] == 0).place[number] = node
    t.status[number] = Status.COMPLETE
    t.looks[worker] = False
    _forget(t, worker)


@rule("X-1", worker=Spelled.workers)
def drop_spelled(s: Spelled, t: Spelled, worker: Id) -> None:
    """A worker whose snapshot is the store's state lets it go, and all else is paused or goes on."""
    t.require(s.looks[worker], s.seen_paused[worker] == s.paused)
    t.require(for_all(s.seen_status[worker, e] == s.status[e] for e in s.evals))
    t.require(for_all(s.seen_place[worker, e] == s.place[e] for e in s.evals))
    t.looks[worker] = False
    _forget(t, worker)
    t.paused = not_(s.paused)


def _forget(t: Spelled, worker: Id) -> None:
    t.seen_paused[worker] = True
    t.seen_status[worker] = Status.PENDING
    t.seen_place[worker] = NONE


@rule("X-1", spends=Spelled.made, number=Spelled.evals)
def renew_spelled(s: Spelled, t: Spelled, number: Id) -> None:
    """An evaluation is made pending again."""
    t.require(s.status[number] == Status.COMPLETE)
    t.status[number] = Status.PENDING
    t.place[number] = NONE


@always("X-1", why="A node has room for one.")
def no_node_is_oversubscribed_spelled(s: Spelled) -> Value:
    """True while no node holds two evaluations."""
    return for_all(s.used[node] <= 1 for node in s.nodes)


@step("X-1", why="A snapshot is of one moment.")
def snapshot_is_a_whole_spelled(s: Spelled, n: Spelled, by: By) -> Value:
    """True where a new snapshot shows places as they are on one of the servers."""
    return for_all(
        implies(
            all_of(n.looks[worker], not_(s.looks[worker])),
            any_of(
                for_all(n.seen_place[worker, e] == s.place[e] for e in s.evals),
                for_all(n.seen_place[worker, e] == s.stale_place[e] for e in s.evals),
            ),
        )
        for worker in s.workers
    )


def may_rest(s: World) -> Value:
    """Let nothing happen any more, as when all have looked at what is not to be planned."""
    return True


RECORDED = Model(
    "recorded",
    "with records",
    Recorded,
    (look, look_behind, catch_up, finish, drop, renew),
    (no_node_is_oversubscribed, idle_worker_has_no_snapshot, snapshot_is_a_whole, server_is_behind),
    is_at_rest=may_rest,
)


def spell(behind: Rule = look_behind_spelled) -> Model:
    """Give the model column by column."""
    return Model(
        "spelled",
        "column by column",
        Spelled,
        (look_spelled, behind, catch_up_spelled, finish_spelled, drop_spelled, renew_spelled),
        (no_node_is_oversubscribed_spelled, snapshot_is_a_whole_spelled),
        is_at_rest=may_rest,
    )
