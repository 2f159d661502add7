"""What must be true of snapshots, whichever server gives them."""

from nomadspec.invariants.kernel.worker import gets_snapshot
from nomadspec.model.kernel.ids import JobId, WorkerId
from nomadspec.model.kernel.records import ClusterView
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.logic import Flag, all_of, any_of, exists, for_all, implies
from nomadspec.model.language.property import step


@step(
    "WORKER-05",
    "WORKER-06",
    "WORKER-08",
    why="a scheduler that sees half of a state plans for no cluster",
    w=Kernel.workers,
    j=Kernel.jobs,
)
def snapshot_is_the_state_of_one_server(s: Kernel, n: Kernel, w: WorkerId, j: JobId) -> Flag:
    """A snapshot shows the whole state as the leader has it, or as one server behind has it."""
    shown, whole = n.seen[w].job, ClusterView.of(n.seen[w])
    is_job = all_of(
        shown.phase == s.job_phase[j],
        shown.version == s.job_version[j],
        shown.base == s.job_base[j],
        shown.ask == s.job_ask[j],
    )
    are_allocs = for_all(
        all_of(shown.alloc_version[i] == s.alloc_version[j, i], shown.migrate[i] == s.migrate[j, i])
        for i in s.allocs
    )
    is_behind = exists(
        all_of(whole == ClusterView.of(s.stale[f]), shown == s.stale[f].jobs[j]) for f in s.stale_servers
    )
    is_newest = all_of(whole == ClusterView.of(s), is_job, are_allocs)
    return implies(all_of(gets_snapshot(s, n, w), s.job[w] == j), any_of(is_newest, is_behind))
