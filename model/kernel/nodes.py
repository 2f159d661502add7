"""Nodes: they go down and come back, and their handler writes an evaluation a moment later."""

from nomadspec.model.domain import Id
from nomadspec.model.kernel.blocked import wake_all
from nomadspec.model.kernel.broker import has_room, make_pending
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.state import Cause, Kernel
from nomadspec.model.logic import exists, not_
from nomadspec.model.rule import rule, weak


@rule("NODEST-08", "FSM-30", node=Kernel.nodes)
def lose_node(s: Kernel, t: Kernel, node: Id) -> None:
    """A node goes down; its handler owes each job with an allocation there an evaluation."""
    t.require(s.node_changed < s.node_changes, s.node_up[node])
    t.node_changed = s.node_changed + 1
    t.node_up[node] = False
    note_entry(s, t)
    for job in s.jobs:
        t.when(exists(s.occupies[job, i] == node for i in s.allocs)).owed[job] = True


@rule("NODEST-09", "FSM-03", "BLOCKED-40", node=Kernel.nodes)
def recover_node(s: Kernel, t: Kernel, node: Id) -> None:
    """A node is ready again, which wakes what is blocked."""
    t.require(s.node_changed < s.node_changes, not_(s.node_up[node]))
    t.node_changed = s.node_changed + 1
    t.node_up[node] = True
    note_entry(s, t)
    for job in s.jobs:
        t.when(exists(s.occupies[job, i] == node for i in s.allocs)).owed[job] = True
    wake_all(s, t)


@rule("EVAL-10", "FSM-30", fair=weak("job"), job=Kernel.jobs)
def write_node_eval(s: Kernel, t: Kernel, job: Id) -> None:
    """The handler of a node event writes the evaluation that it owes."""
    t.require(s.owed[job], has_room(s, job))
    t.owed[job] = False
    make_pending(s, t, job, Cause.EVENT)
