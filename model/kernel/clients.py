"""Clients: they report what became of their allocations."""

from nomadspec.model.kernel.blocked import wake, wake_all
from nomadspec.model.kernel.broker import is_system, make_pending
from nomadspec.model.kernel.capacity import free_capacity
from nomadspec.model.kernel.disconnects import cancel_follow_up, is_heartbeating
from nomadspec.model.kernel.ids import AllocNumber, JobId, NodeId
from nomadspec.model.kernel.log import note_entry
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import SERVER_TERMINAL_ALLOC, AllocPhase, Kind
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import all_of, not_, one_of
from nomadspec.model.language.rule import rule, weak


def write_end(s: Kernel, t: Kernel, job: JobId, alloc: AllocNumber, phase: AllocPhase) -> None:
    """Write that an allocation has ended by itself, which gives its capacity back."""
    free_capacity(t, job, alloc)
    t.alloc_phase[job, alloc] = phase
    t.is_reported[job, alloc] = True
    note_entry(s, t)


@rule(
    "ALLOC-09",
    "ALLOC-11",
    "ALLOC-12",
    "ALLOC-14",
    "FSM-22",
    "EVAL-10",
    "TRIG-13",
    spends=Kernel.reported,
    makes=Kernel.made,
    actor="client",
)
def fail_alloc(s: Kernel, t: Kernel, job: JobId, alloc: AllocNumber, node: NodeId) -> None:
    """A client reports that an allocation failed, which makes an evaluation, unless of a system job."""
    makes_eval = not_(is_system(s, job))
    t.require(s.leading, s.occupies[job, alloc] == node, is_heartbeating(s, node))
    write_end(s, t, job, alloc, AllocPhase.FAILED)
    cancel_follow_up(s, t.when(s.alloc_phase[job, alloc] == AllocPhase.UNKNOWN), job, alloc)
    make_pending(s, t.when(makes_eval), job)
    wake(s, t, node, lambda k: all_of(makes_eval, k == job))


@rule(
    "ALLOC-09", "ALLOC-12", "ALLOC-14", "FSM-22", part_of=Kernel.kinds, spends=Kernel.reported, actor="client"
)
def complete_alloc(s: Kernel, t: Kernel, job: JobId, alloc: AllocNumber, node: NodeId) -> None:
    """A client reports that an allocation of a batch job is done, which makes no evaluation."""
    t.require(s.leading, s.kind[job] == Kind.BATCH)
    t.require(s.alloc_phase[job, alloc] == AllocPhase.RUNNING, s.occupies[job, alloc] == node)
    t.require(is_heartbeating(s, node))
    write_end(s, t, job, alloc, AllocPhase.COMPLETE)
    wake(s, t, node)


@rule("ALLOC-09", "ALLOC-14", "FSM-22", "CLIENT-04", part_of=Kernel.endings, actor="client", fair=weak("job"))
def report_end(s: Kernel, t: Kernel, job: JobId, alloc: AllocNumber) -> None:
    """A client reports the end of an allocation that was to stop or is deleted; blocked evaluations wake."""
    t.require(s.leading, not_(s.is_reported[job, alloc]))
    t.require(one_of(s.alloc_phase[job, alloc], *SERVER_TERMINAL_ALLOC, AllocPhase.GONE))
    t.is_reported[job, alloc] = True
    t.stopping_on[job, alloc] = NONE
    note_entry(s, t)
    wake_all(s, t)
