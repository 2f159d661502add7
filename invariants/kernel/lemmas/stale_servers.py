"""Lemmas about stale servers."""

from nomadspec.invariants.kernel.worker import shows_job
from nomadspec.model.kernel.ids import AllocNumber, JobId, ServerId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import AllocPhase, DisconnectPhase
from nomadspec.model.kernel.verdict import is_live
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, iff, implies, not_
from nomadspec.model.language.property import always


@always(
    "WORKER-05",
    "WORKER-06",
    why="a worker with an older state must not plan what was planned already",
    lemma=True,
    f=Kernel.stale_servers,
    j=Kernel.jobs,
)
def stale_servers_show_the_job(s: Kernel, f: ServerId, j: JobId) -> Flag:
    """Where no evaluation of a job was written since, a server behind shows the job as it is.

    That garbage collection has deleted the job meanwhile, it may not show.
    """
    return implies(s.stale_usable[f, j], shows_job(s, s.stale[f], s.stale[f].jobs[j], j))


@always(
    "WORKER-06",
    "ALLOC-12",
    why="a worker that plans by a server must learn from it what has run",
    lemma=True,
    f=Kernel.stale_servers,
    j=Kernel.jobs,
    i=Kernel.allocs,
)
def usable_stale_server_shows_past_allocs(s: Kernel, f: ServerId, j: JobId, i: AllocNumber) -> Flag:
    """A server that may be planned by shows what runs, and what is complete as complete or as running."""
    view = s.stale[f].jobs[j]
    is_current = view.alloc_version[i] == s.alloc_version[j, i]
    is_running = s.stale[f].occupies[j, i] != NONE
    is_complete = view.disconnect_phase[i] == DisconnectPhase.COMPLETE
    runs = is_live(s, j, i)
    is_done = s.alloc_phase[j, i] == AllocPhase.COMPLETE
    is_shown = all_of(
        implies(runs, all_of(is_current, is_running, not_(is_complete))),
        implies(is_done, all_of(is_current, iff(is_running, not_(is_complete)))),
    )
    return implies(s.stale_usable[f, j], is_shown)
