"""A model with mistakes that the type checker has to see: an unused ``type: ignore`` is an error to it.

No test imports it: what runs are the lines that are right (`test_typed.py`).
"""

from __future__ import annotations

from nomadspec.model.language.domain import Map
from nomadspec.model.language.logic import (
    Flag,
    Value,
    all_of,
    any_of,
    count,
    exists,
    for_all,
    implies,
    ite,
    maximum,
    not_,
    one_of,
    remember,
)
from nomadspec.model.language.model import Model
from nomadspec.model.language.record import Record
from nomadspec.model.language.rule import rule
from nomadspec.model.language.typed import (
    FLAG,
    NONE,
    Id,
    Ids,
    MapOf,
    StatusEnum,
    counter,
    field,
    ids,
    index,
    opt,
    record,
    size,
    tally,
    upto,
)
from nomadspec.model.language.world import World


class Phase(StatusEnum):
    WAITING = 0
    RUNNING = 1


class Kind(StatusEnum):
    SERVICE = 0
    BATCH = 1
    SYSTEM = 2


class Job(Id):
    """A job."""


class Alloc(Id):
    """An allocation."""


class Node(Id):
    """A node."""


class Sets(World):
    """What there is."""

    jobs: Ids[Job] = ids("job", 2, "jobs")
    nodes: Ids[Node] = ids("node", 2, "nodes")
    most = size(2, "how many allocations")
    allocs: Ids[Alloc] = index("alloc", most, "allocations")
    kinds = size(1, "0: service jobs only; 1: batch jobs too; 2: system jobs too")
    drains = size(1, "how many nodes are drained")


class Seen(Record):
    """What a job sees."""

    place = field(Sets.allocs, opt(Sets.nodes), init=NONE, about="node of the allocation")
    is_up = field(Sets.nodes, FLAG, init=False, about="the node is up")


class Shop(Sets):
    """A world."""

    phase = field(Sets.jobs, Phase, init=Phase.WAITING, about="what the job does")
    kind = field(Sets.jobs, upto(Sets.kinds, Kind), init=Kind.SERVICE, about="type of the job")
    draining = field(Sets.nodes, FLAG, init=False, about="allocations leave the node", on=Sets.drains)
    tries = field(Sets.jobs, upto(9), init=0, about="how often it was tried")
    place = field(Sets.jobs, Sets.allocs, opt(Sets.nodes), init=NONE, about="node of the allocation")
    is_on = field(FLAG, init=True, about="it goes on")
    made = field(counter(9), init=0, about="how many were made", budget=True)
    store = record(Seen)
    seen = record(Seen, Sets.jobs)
    used = tally(place, "allocations on the node")


@rule("X-1")
def put(s: Shop, t: Shop, job: Job, alloc: Alloc, node: Node) -> None:
    """A job is put on a node."""
    t.require(s.is_on, s.phase[job] == Phase.WAITING, s.place[job, alloc] == NONE, s.tries[job] < 9)
    t.require(for_all(s.place[job, other] != node for other in s.allocs if other < alloc))
    t.require(count(s.seen[other].place[alloc] == node for other in s.jobs) < 2)
    t.place[job, alloc] = node
    t.place[job, alloc] = alloc  # type: ignore[call-overload]  # wrong: the table holds nodes
    t.place[alloc, job] = node  # type: ignore[index]  # wrong: jobs first
    t.place[job, node] = node  # type: ignore[index]  # wrong: a node is no allocation
    t.place[job, alloc] = 1  # type: ignore[call-overload]  # wrong: a number is no id
    t.phase[job] = ite(s.is_on, Phase.RUNNING, Phase.WAITING)
    t.phase[job] = Phase.RUNNING
    t.phase[job] = s.tries[job]  # type: ignore[assignment]  # wrong: a number is no phase
    t.tries[job] = s.tries[job] + 1
    t.tries[job] = s.tries[job] + job  # type: ignore[operator]  # wrong: an id is no number
    t.tries[job] = job  # type: ignore[assignment]  # wrong: an id is no number
    t.tries[node] = 1  # type: ignore[index]  # wrong: a table of jobs
    t.seen[job].place[alloc] = node
    t.seen[job] = s.store
    t.seen[node] = s.store  # type: ignore[index]  # wrong: a record for each job
    t.seen[job].place[node] = node  # type: ignore[index]  # wrong: a node is no allocation
    t.seen[job] = s.is_on  # type: ignore[assignment]  # wrong: a flag is no record
    t.seen[job].plcae[alloc] = node  # type: ignore[attr-defined]  # wrong: there is no such field
    t.require(s.place[job, alloc] == job)  # type: ignore[comparison-overlap]  # wrong: a job is no node
    t.require(s.made < node)  # type: ignore[operator]  # wrong: an id is no number


@rule("X-1", job=Shop.jobs, alloc=Shop.allocs)
def retry(s: Shop, t: Shop, job: Job, alloc: Alloc) -> None:
    """A job is tried again."""
    t.require(s.made < s.most, s.tries[job] < s.most)
    t.made = s.made + 1
    t.made = job  # type: ignore[assignment]  # wrong: an id is no number
    t.tries[job] = s.tries[job] + 1
    t.tries[alloc] = 0  # type: ignore[index]  # wrong: it is a table of jobs
    t.place[job, alloc] = NONE
    t.place[job, alloc] = alloc  # type: ignore[call-overload]  # wrong: it holds nodes
    t.seen[job].clear()


def is_full(s: Shop, node: Node) -> Value:
    """True while the node holds two, as who wants no types may write it."""
    return s.used[node] == 2


def count_live(s: Shop, job: Job) -> int:
    """Count the allocations of a job that are somewhere."""
    return count(s.place[job, alloc] != NONE for alloc in s.allocs)


def is_live(s: Shop, job: Job) -> Flag:
    """True while the job has an allocation somewhere."""
    return exists(s.place[job, alloc] != NONE for alloc in s.allocs)


def find_node(s: Shop, job: Job, alloc: Alloc) -> Node:
    """Give the node of an allocation, NONE where its job does not run."""
    node: Node = ite(s.phase[job] == Phase.RUNNING, s.place[job, alloc], NONE)
    return node


@rule("X-1", job=Shop.jobs, alloc=Shop.allocs, node=Shop.nodes, to=Map(Shop.allocs, opt(Shop.nodes)))
def move(s: Shop, t: Shop, job: Job, alloc: Alloc, node: Node, to: MapOf[Alloc, Node]) -> None:
    """A job moves, told by what is combined."""

    @remember
    def goes(i: Alloc) -> Flag:
        return s.place[job, i] == node

    t.require(any_of(not_(is_live(s, job)), s.draining[node]), one_of(s.phase[job], *Phase))
    t.require(implies(s.kind[job] >= Kind.BATCH, count_live(s, job) < s.most), not_(is_full(s, node)))
    t.phase[job] = ite(goes(alloc), Phase.WAITING, s.phase[job])
    t.tries[job] = maximum(s.tries[job], count_live(s, job))
    t.place[job, alloc] = ite(goes(alloc), to[alloc], find_node(s, job, alloc))
    t.kind[job] = ite(s.is_on, Kind.SERVICE, s.kind[job])
    t.require(s.phase[job] == Kind.BATCH)  # type: ignore[comparison-overlap]  # wrong: a kind is no phase
    t.require(s.phase[job] < s.kind[job])  # type: ignore[operator]  # wrong: a kind is no phase
    t.require(one_of(s.phase[job], Kind.BATCH))  # type: ignore[misc]  # wrong: a kind is no phase
    t.require(one_of(s.place[job, alloc], job))  # type: ignore[misc]  # wrong: a job is no node
    t.require(one_of(s.tries[job], job))  # type: ignore[misc]  # wrong: a job is no number
    t.phase[job] = ite(s.is_on, Phase.WAITING, Kind.BATCH)  # type: ignore[assignment]  # wrong: as above
    t.place[job, alloc] = ite(s.is_on, node, job)  # type: ignore[call-overload]  # wrong: a job is no node
    t.tries[job] = ite(s.is_on, 1, node)  # type: ignore[assignment]  # wrong: a node is no number
    t.kind[job] = s.phase[job]  # type: ignore[assignment]  # wrong: a phase is no kind
    t.kind[job] = 1  # type: ignore[assignment]  # wrong: a number is no kind
    t.draining[node] = 1  # type: ignore[assignment]  # wrong: a number is no flag
    t.require(s.tries[job])  # type: ignore[arg-type]  # wrong: a number is no flag
    t.require(count_live(s, job))  # type: ignore[arg-type]  # wrong: a number is no flag
    t.when(s.made).is_on = False  # type: ignore[arg-type]  # wrong: a number is no flag
    t.require(all_of(s.is_on, s.kind[job]))  # type: ignore[arg-type]  # wrong: a kind is no flag
    t.require(not_(node))  # type: ignore[arg-type]  # wrong: a node is no flag
    t.require(ite(s.tries[job], s.is_on, goes(alloc)))  # type: ignore[arg-type]  # wrong: no flag
    t.require(for_all(s.tries[other] for other in s.jobs))  # type: ignore[misc]  # wrong: numbers are no flags
    t.place[job, alloc] = count_live(s, job)  # type: ignore[call-overload]  # wrong: a number is no node
    t.tries[job] = find_node(s, job, alloc)  # type: ignore[assignment]  # wrong: a node is no number
    t.tries[job] = maximum(s.tries[job], node)  # type: ignore[arg-type]  # wrong: a node is no number
    t.tries[job] = count(other for other in s.jobs)  # type: ignore[misc]  # wrong: a job counts nothing
    t.require(goes(node))  # type: ignore[arg-type]  # wrong: it asks about allocations
    t.place[job, alloc] = to[node]  # type: ignore[index]  # wrong: a node for each allocation


MODEL = Model("shop", "a shop", Shop, (put, retry, move))
