"""A model with mistakes that the type checker has to see: an unused ``type: ignore`` is an error to it.

No test imports it: what runs are the lines that are right (`test_typed.py`).
"""

from __future__ import annotations

from enum import IntEnum

from nomadspec.model.language.logic import Value, count, for_all, ite
from nomadspec.model.language.model import Model
from nomadspec.model.language.record import Record
from nomadspec.model.language.rule import rule
from nomadspec.model.language.typed import (
    FLAG,
    NONE,
    Id,
    Ids,
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


class Phase(IntEnum):
    WAITING = 0
    RUNNING = 1


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


class Seen(Record):
    """What a job sees."""

    place = field(Sets.allocs, opt(Sets.nodes), init=NONE, about="node of the allocation")
    is_up = field(Sets.nodes, FLAG, init=False, about="the node is up")


class Shop(Sets):
    """A world."""

    phase = field(Sets.jobs, Phase, init=Phase.WAITING, about="what the job does")
    tries = field(Sets.jobs, upto(9), init=0, about="how often it was tried")
    place = field(Sets.jobs, Sets.allocs, opt(Sets.nodes), init=NONE, about="node of the allocation")
    is_on = field(FLAG, init=True, about="it goes on")
    made = field(counter(9), init=0, about="how many were made", budget=True)
    store = record(Seen)
    seen = record(Seen, Sets.jobs)
    used = tally(place, "allocations on the node")


@rule("X-1", job=Shop.jobs, alloc=Shop.allocs, node=Shop.nodes)
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
    """True while the node holds two."""
    return s.used[node] == 2


MODEL = Model("shop", "a shop", Shop, (put, retry))
