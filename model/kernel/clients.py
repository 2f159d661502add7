"""Clients: they report what became of their allocations."""

from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel.blocked import wake_all
from nomadspec.model.kernel.broker import has_room, make_pending
from nomadspec.model.kernel.state import AllocPhase, Cause, Kernel
from nomadspec.model.rule import rule


@rule("FSM-22", "EVAL-10", job=Kernel.jobs, alloc=Kernel.allocs)
def fail_alloc(s: Kernel, t: Kernel, job: Id, alloc: Id) -> None:
    """A client reports that an allocation failed, which gives its capacity back."""
    t.require(s.reported < s.reports, has_room(s, job), s.occupies[job, alloc] != NONE)
    t.reported = s.reported + 1
    t.occupies[job, alloc] = NONE
    t.alloc_phase[job, alloc] = AllocPhase.FAILED
    wake_all(s, t)
    make_pending(s, t, job, Cause.EVENT)
