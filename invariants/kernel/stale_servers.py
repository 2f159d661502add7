"""What must be true of snapshots, whichever server gives them."""

from nomadspec.invariants.kernel.worker import gets_snapshot
from nomadspec.model.kernel.ids import JobId, WorkerId
from nomadspec.model.kernel.records import ClusterView
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.worker import view_job
from nomadspec.model.language.logic import Value, all_of, any_of, exists, for_all, implies
from nomadspec.model.language.property import step


@step("WORKER-05", "WORKER-06", "WORKER-08", why="a scheduler that sees half of a state plans for no cluster")
def snapshot_is_the_state_of_one_server(s: Kernel, n: Kernel) -> Value:
    """True where a snapshot shows the whole state as the leader has it, or as one server behind has it."""

    def is_whole(w: WorkerId) -> Value:
        behind = exists(ClusterView.of(n.seen[w]) == ClusterView.of(s.stale[f]) for f in s.stale_servers)
        return any_of(ClusterView.of(n.seen[w]) == ClusterView.of(s), behind)

    def is_job_whole(w: WorkerId, j: JobId) -> Value:
        behind = exists(n.seen[w].job == s.stale[f].jobs[j] for f in s.stale_servers)
        return any_of(n.seen[w].job == view_job(s, j), behind)

    return for_all(
        implies(all_of(gets_snapshot(s, n, w), s.job[w] == j), all_of(is_whole(w), is_job_whole(w, j)))
        for w in s.workers
        for j in s.jobs
    )
