"""What must be true of snapshots, whichever server gives them."""

from nomadspec.invariants.kernel.worker import gets_snapshot, shows_completed, shows_job
from nomadspec.model.kernel.ids import AllocNumber, JobId, ServerId, WorkerId
from nomadspec.model.kernel.records import ClusterView, Snapshot, StoredJob
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import DisconnectPhase
from nomadspec.model.kernel.verdict import is_live
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, implies, not_
from nomadspec.model.language.property import lemma, step


@step("WORKER-05", "WORKER-06", "WORKER-08", why="a scheduler that sees half of a state plans for no cluster")
def snapshot_is_the_state_of_one_server(s: Kernel, n: Kernel, w: WorkerId, j: JobId) -> Flag:
    """A snapshot shows the whole state as the leader has it, or as one server behind has it.

    How it shows what is disconnected or complete, `workers_see_disconnected_allocs` and
    `snapshot_shows_work_of_earlier_evals` say.
    """
    is_behind = exists(n.seen[w] == Snapshot.of(s.stale[f], j) for f in s.stale_servers)
    is_job = StoredJob.of(n.seen[w]) == StoredJob.of(s, j)
    is_newest = all_of(ClusterView.of(n.seen[w]) == ClusterView.of(s), is_job)
    return implies(all_of(gets_snapshot(s, n, w), s.job[w] == j), any_of(is_newest, is_behind))


# lemmas


@lemma("WORKER-05", "WORKER-06", why="a worker with an older state must not plan what was planned already")
def stale_servers_show_the_job(s: Kernel, f: ServerId, j: JobId) -> Flag:
    """Where no evaluation of a job was written since, a server behind shows the job as it is.

    That garbage collection has deleted the job meanwhile, it may not show.
    """
    return implies(s.stale_usable[f, j], shows_job(s, Snapshot.of(s.stale[f], j), j))


@lemma("WORKER-06", "ALLOC-12", why="a worker that plans by a server must learn from it what has run")
def usable_stale_server_shows_past_allocs(s: Kernel, f: ServerId, j: JobId, i: AllocNumber) -> Flag:
    """A server that may be planned by shows what runs, and what is complete as complete or as running."""
    view = s.stale[f]
    is_current = view.alloc_version[j, i] == s.alloc_version[j, i]
    is_running = view.occupies[j, i] != NONE
    is_complete = view.disconnect_phase[j, i] == DisconnectPhase.COMPLETE
    is_live_there = implies(is_live(s, j, i), all_of(is_current, is_running, not_(is_complete)))
    is_shown = all_of(is_live_there, shows_completed(s, Snapshot.of(view, j), j, i))
    return implies(s.stale_usable[f, j], is_shown)
