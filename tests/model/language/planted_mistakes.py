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
    total,
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
    Numbered,
    Size,
    StatusEnum,
    counter,
    field,
    ids,
    index,
    opt,
    queue,
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


class Eval(Numbered):
    """An evaluation of a job, in the order in which they were made."""


class Node(Id):
    """A node."""


class Sets(World):
    """What there is."""

    jobs: Ids[Job] = ids("job", 2, "jobs")
    nodes: Ids[Node] = ids("node", 2, "nodes")
    most = size(2, "how many allocations")
    allocs: Ids[Alloc] = index("alloc", most, "allocations")
    rounds = size(2, "how many evaluations")
    evals: Ids[Eval] = index("eval", rounds, "evaluations")
    kinds: Size[Kind] = size(1, "0: service jobs only; 1: batch jobs too; 2: system jobs too")
    drains = size(1, "how many nodes are drained")


class Seen(Record):
    """What a job sees."""

    place = field(Sets.allocs, opt(Sets.nodes), init=NONE, about="node of the allocation")
    is_up = field(Sets.nodes, FLAG, init=False, about="the node is up")


class JobColumns:
    """What there is of each job."""

    tried = field(Sets.jobs, upto(9), init=0, about="how often the job was tried")
    ran = field(Sets.jobs, Sets.allocs, opt(Sets.nodes), init=NONE, about="node where it ran")


class JobRow(JobColumns, Record, of_one=Sets.jobs):
    """What there is of one job."""


class Shown(Seen, JobRow):
    """What is shown of a job."""


class View(Record):
    """What is known of a job."""

    phase = field(Phase, init=Phase.WAITING, about="what the job does")
    version = field(counter(9), init=0, about="version of the job")
    old = field(Sets.allocs, counter(9), init=0, about="job version of the allocation")
    out = field(Sets.allocs, FLAG, init=False, about="the allocation is to leave")


class Plan(Record):
    """What becomes of a job."""

    to = field(Sets.evals, opt(Sets.nodes), init=NONE, about="node for what an evaluation places")
    stops = field(Sets.allocs, opt(Sets.nodes), init=NONE, about="node of a stopped allocation")


class Entry(Plan):
    """A plan that is written."""

    job = field(opt(Sets.jobs), init=NONE, about="job of the plan")
    alloc = field(Sets.evals, opt(Sets.allocs), init=NONE, about="allocation that is made")


class Shop(JobColumns, Sets):
    """A world."""

    phase = field(Sets.jobs, Phase, init=Phase.WAITING, about="what the job does")
    kind = field(Sets.jobs, upto(Sets.kinds, Kind), init=Kind.SERVICE, about="type of the job")
    draining = field(Sets.nodes, FLAG, init=False, about="allocations leave the node", on=Sets.drains)
    tries = field(Sets.jobs, upto(9), init=0, about="how often it was tried")
    place = field(Sets.jobs, Sets.allocs, opt(Sets.nodes), init=NONE, about="node of the allocation")
    is_on = field(FLAG, init=True, about="it goes on")
    made = field(counter(9), init=0, about="how many were made")
    store = record(Seen)
    seen = record(Seen, Sets.jobs)
    used = tally(place, "allocations on the node")
    versions = field(Sets.jobs, Sets.allocs, counter(9), init=0, about="job version of the allocation")
    leaves = field(Sets.jobs, Sets.allocs, FLAG, init=False, about="the allocation is to leave")
    evaluated = field(Sets.jobs, counter(Sets.evals), init=0, about="evaluations made for the job")
    delivered = field(Sets.jobs, Sets.evals, upto(3), init=0, about="how often it was delivered")
    last = field(Sets.jobs, opt(Sets.evals), init=NONE, about="the last evaluation of the job")
    line = queue(Sets.jobs, "jobs, in their order")
    view = record(View)
    plan = record(Plan, Sets.jobs)
    entry = record(Entry)
    shown = record(Shown, Sets.jobs)


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
    t.seen = s.store  # type: ignore[assignment]  # wrong: of which job
    t.require(s.seen[job] != s.store)
    t.require(s.seen[job] == s.plan[job])  # type: ignore[operator]  # wrong: a plan is no view
    t.require(s.plan[job] != s.store)  # type: ignore[operator]  # wrong: as above
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
    t.require(s.phase[job] < s.kind[job])  # type: ignore[arg-type]  # wrong: a kind is no phase
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


@rule("X-1")
def look(s: Shop, t: Shop, job: Job) -> None:
    """A job is looked at: a record is made of all its parts, each of its type."""
    t.view = View(
        phase=s.phase[job],
        version=s.tries[job],
        old=s.versions[job],
        out=lambda i: s.place[job, i] != NONE,
    )
    v, w = s.versions[job], s.leaves[job]
    t.view = View(phase=Phase.WAITING, version=1, old=lambda i: v[i], out=False)
    t.view = View(version=1, old=v, out=w)  # type: ignore[call-arg]  # wrong: it lacks the phase
    t.view = View(phase=s.tries[job], version=1, old=v, out=w)  # type: ignore[arg-type]  # wrong: a number
    t.view = View(phase=s.kind[job], version=1, old=v, out=w)  # type: ignore[arg-type]  # wrong: a kind
    t.view = View(phase=Kind.BATCH, version=1, old=v, out=w)  # type: ignore[arg-type]  # wrong: a kind
    t.view = View(phase=s.phase[job], version=1, old=w, out=w)  # type: ignore[arg-type]  # wrong: flags
    t.view = View(phase=s.phase[job], version=1, old=v, out=v)  # type: ignore[arg-type]  # wrong: numbers


@rule("X-1")
def write(s: Shop, t: Shop, job: Job, alloc: Alloc) -> None:
    """A plan is written: what the record has already is not given once more, and nothing else is missing."""
    plan, here = s.plan[job], s.place[job]
    t.plan[job] = Plan(to=plan.to, stops=lambda i: s.place[job, i])
    t.plan[job] = Plan.of(plan, to=NONE)
    t.plan[job] = Plan.of(plan, stops=lambda i: plan.to[i])  # type: ignore[index]  # wrong: no evaluation
    t.plan[job] = Plan.of(plan, to=lambda k: here[k])  # type: ignore[index]  # wrong: no allocation
    t.plan[job] = Plan.of(plan, stop=NONE)  # type: ignore[call-arg]  # wrong: it is called otherwise
    t.plan[job] = Plan.of(plan, to=s.is_on)  # type: ignore[arg-type]  # wrong: a flag is no node
    t.plan[job] = Plan.of(s, stops=here)  # type: ignore[call-arg]  # wrong: the shop has no such column
    t.entry = Entry.of(plan, job=job, alloc=lambda k: ite(plan.to[k] == NONE, NONE, alloc))
    t.entry = Entry.of(plan, alloc=NONE)  # type: ignore[call-arg]  # wrong: a plan has no job
    t.entry = Entry.of(plan)  # type: ignore[call-arg]  # wrong: a plan has neither
    t.entry = Entry.of(plan, job=alloc, alloc=NONE)  # type: ignore[arg-type]  # wrong: no job
    t.entry = Entry.of(plan, job=job, alloc=lambda k: k)  # type: ignore[arg-type,return-value]  # wrong: no id
    t.entry = Entry.of(plan, job=job, alloc=plan.to)  # type: ignore[arg-type]  # wrong: these are nodes


@rule("X-1")
def enqueue(s: Shop, t: Shop, job: Job, e: Eval) -> None:
    """A job queues up: numbers, statuses and counts are told apart, and queues know who stands in them."""
    t.require(e < s.evaluated[job], s.last[job] < e, s.kinds >= Kind.BATCH, not_(s.line.has(job)))
    t.evaluated[job] = s.evaluated[job] + 1
    t.tries[job] = count(other < e for other in s.evals) + total(s.delivered[job, other] for other in s.evals)
    t.line.push(job)
    t.line.push(e)  # type: ignore[arg-type]  # wrong: jobs queue up
    t.line.push(s.last[job])  # type: ignore[arg-type]  # wrong: jobs queue up
    t.require(s.line.is_before(job, e))  # type: ignore[arg-type]  # wrong: an evaluation is no job
    t.require(s.line.is_empty)  # type: ignore[arg-type]  # wrong: it is not called
    t.require(s.delivered[job, e] >= e)  # type: ignore[operator]  # wrong: it does not count evaluations
    t.require(e < s.delivered[job, e])  # type: ignore[operator]  # wrong: it does not count evaluations
    t.require(e < 2)  # type: ignore[operator]  # wrong: a number says which evaluation
    t.require(s.tries[job] < s.phase[job])  # type: ignore[arg-type]  # wrong: a phase is no number
    t.require(s.phase[job] < s.tries[job])  # type: ignore[arg-type]  # wrong: a phase is no number
    t.require(s.kind[job] >= 1)  # type: ignore[arg-type]  # wrong: a kind is no number
    t.tries[job] = s.tries[job] + s.phase[job]  # type: ignore[assignment]  # wrong: a phase is no number
    t.evaluated[job] = s.evaluated[job] + s.phase[job]  # type: ignore[assignment]  # wrong: as above
    t.require(s.evaluated[job] < s.phase[job])  # type: ignore[arg-type]  # wrong: as above
    t.tries[job] = s.phase[job] + 1  # type: ignore[assignment]  # wrong: a phase is no number
    t.tries[job] = count(s.delivered[job, other] for other in s.evals)  # type: ignore[misc]  # wrong: numbers
    t.tries[job] = count(s.phase[other] for other in s.jobs)  # type: ignore[misc]  # wrong: numbers


@rule("X-1")
def show(s: Shop, t: Shop, job: Job, alloc: Alloc, node: Node) -> None:
    """A job is shown: what is a table of all of them is, of one of them, its own."""
    row, seen = JobRow.of(s, job), s.seen[job]
    t.shown[job] = Shown.of(s, job, place=seen.place, is_up=False)
    t.shown[job] = Shown.of(seen, tried=row.tried, ran=lambda i: s.ran[job, i])
    t.tried[job] = s.shown[job].tried + 1
    t.ran[job, alloc] = ite(s.shown[job].is_up[node], row.ran[alloc], node)
    t.require(JobRow.of(s.shown[job]) == row)
    t.tried[job] = s.shown[job].tried[job]  # type: ignore[index]  # wrong: there is one number
    t.ran[job, alloc] = row.ran[job, alloc]  # type: ignore[index]  # wrong: it is of one job already
    t.ran[job, alloc] = s.shown[job].tried  # type: ignore[call-overload]  # wrong: a number is no node
    t.shown[job] = Shown.of(s, node, place=NONE, is_up=False)  # type: ignore[arg-type]  # wrong: of a job
    t.shown[job] = Shown.of(s, place=NONE, is_up=False)  # type: ignore[call-arg]  # wrong: of which job
    t.shown[job] = Shown.of(s.shown[job], job)  # type: ignore[call-arg,arg-type]  # wrong: it is of one already
    t.shown[job] = Shown.of(seen, tried=s.tried, ran=row.ran)  # type: ignore[arg-type]  # wrong: of all


MODEL = Model("shop", "a shop", Shop, (put, retry, move, look, write, enqueue, show))
