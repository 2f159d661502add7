"""Servers whose state is behind that of the leader: workers may plan by it."""

from nomadspec.model.domain import Id
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.rule import rule


@rule("WORKER-06", "FSM-29", follower=Kernel.followers)
def catch_up(s: Kernel, t: Kernel, follower: Id) -> None:
    """A server that was behind has applied every entry, and falls behind again from here."""
    for job in s.jobs:
        t.old_phase[follower, job] = s.job_phase[job]
        t.old_version[follower, job] = s.job_version[job]
        t.old_bulk[follower, job] = s.job_bulk[job]
        for a in s.takeovers:
            t.old_base[follower, job, a] = s.job_base[job, a]
        for i in s.allocs:
            t.old_occupies[follower, job, i] = s.occupies[job, i]
            t.old_leaving[follower, job, i] = s.leaving[job, i]
            for x in s.extras:
                t.old_extra[follower, job, i, x] = s.extra_at[job, i, x]
            t.old_versions[follower, job, i] = s.alloc_version[job, i]
    for node in s.nodes:
        t.old_up[follower, node] = s.node_up[node]
        t.old_starting[follower, node] = s.starting[node]
        t.old_open[follower, node] = s.eligible[node]
    t.old_usable[follower] = True
    t.old_unseen[follower] = False
