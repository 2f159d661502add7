"""Why bugs of earlier releases are not cited, one by one: what repaired each, or what it needs."""

from collections.abc import Mapping
from typing import Final

from nomadspec.checkers.reference.uncited_kinds import HISTORY, Uncited

BUGS: Final[Mapping[str, Uncited]] = {
    "BUG-001": Uncited(HISTORY, "Repaired by the check of missed unblocks, BLOCKED-30; no quirk undoes it."),
    "BUG-003": Uncited(HISTORY, "Repaired by keeping the newer duplicate, BLOCKED-20; no quirk undoes it."),
    "BUG-004": Uncited(HISTORY, "Repaired in BLOCKED-44, which clears the job's mark; no quirk undoes it."),
    "BUG-005": Uncited(HISTORY, "Repaired by comparing indexes in BLOCKED-30; no quirk undoes it."),
    "BUG-006": Uncited(
        HISTORY, "Repaired by BROKER-07 and BLOCKED-20, whose key is namespace and job; no quirk drops one."
    ),
    "BUG-007": Uncited(HISTORY, "Repaired by pausing the nack timer, PLAN-13; no quirk undoes it."),
    "BUG-008": Uncited(HISTORY, "Repaired by BROKER-01 and FSM-01; no quirk lets a follower enqueue."),
    "BUG-009": Uncited(HISTORY, "Repaired by EVAL-15; no quirk leaves the blocked evaluation out."),
    "BUG-010": Uncited(HISTORY, "Needs CSI volumes as state, which are facts here."),
    "BUG-012": Uncited(
        HISTORY, "Repaired by EVAL-39, which has failed follow-ups in its table; no quirk takes them out."
    ),
    "BUG-014": Uncited(HISTORY, "Repaired by counting plans in flight, PLAN-31; no quirk undoes it."),
    "BUG-015": Uncited(HISTORY, "Repaired by WORKER-05; no quirk takes the evaluation's own index."),
    "BUG-016": Uncited(HISTORY, "Repaired by EVAL-34; no quirk leaves the index alone."),
    "BUG-017": Uncited(HISTORY, "Needs an applied index ahead of the visible state."),
    "BUG-018": Uncited(
        HISTORY, "Needs a snapshot that comes too late for the applier; here PLAN-31 has it at once."
    ),
    "BUG-020": Uncited(HISTORY, "Repaired by PLAN-43, which judges each node of a plan; no quirk drops one."),
    "BUG-021": Uncited(HISTORY, "PLAN-53 frees what is told to stop in every profile."),
    "BUG-023": Uncited(
        HISTORY,
        "Repaired by PLAN-40, which keeps the job of what is stopped; no quirk puts the plan's there.",
    ),
    "BUG-024": Uncited(
        HISTORY, "Repaired by GENERIC-09, which forgets the deployment; no quirk keeps it over attempts."
    ),
    "BUG-025": Uncited(
        HISTORY, "Repaired by REC-12, which stops group by group; no quirk keeps the last only."
    ),
    "BUG-026": Uncited(
        HISTORY, "Repaired by REC-69, which asks for a destructive update; no quirk does without."
    ),
    "BUG-027": Uncited(HISTORY, "Repaired by REC-42, which drops terminal ones only; no quirk undoes it."),
    "BUG-028": Uncited(HISTORY, "Repaired by GENERIC-27; no quirk places the canary's version."),
    "BUG-029": Uncited(
        HISTORY, "Repaired by GENERIC-29, which goes by version; no quirk takes another order."
    ),
    "BUG-032": Uncited(HISTORY, "Repaired by asking for task states; no quirk trusts the client status."),
    "BUG-034": Uncited(HISTORY, "Repaired by REC-84; no quirk withholds lost placements."),
    "BUG-035": Uncited(
        HISTORY, "Repaired by GENERIC-36, which gives another name for one in use twice; no quirk skips that."
    ),
    "BUG-036": Uncited(HISTORY, "Repaired by DEP-22; no quirk overwrites the counters."),
    "BUG-038": Uncited(HISTORY, "Repaired by DEP-60 and DEP-64; no quirk repeats a rollback."),
    "BUG-039": Uncited(HISTORY, "Repaired by DEP-44; no quirk counts replaced canaries."),
    "BUG-040": Uncited(
        HISTORY, "Repaired by DEP-44, which asks groups with canaries only; no quirk asks the others."
    ),
    "BUG-042": Uncited(HISTORY, "Repaired by DEP-42 and DEP-21; no quirk lets the deadline run."),
    "BUG-044": Uncited(HISTORY, "Repaired by DEP-33; no quirk takes a wrong latest index."),
    "BUG-045": Uncited(
        HISTORY,
        "Repaired by REC-87 and GC-96, which tell a job by when it was made; no quirk goes by version.",
    ),
    "BUG-046": Uncited(HISTORY, "Needs memory that a scheduler shares with its server."),
    "BUG-047": Uncited(HISTORY, "Needs the watcher's own timer channel."),
    "BUG-048": Uncited(HISTORY, "Repaired by GENERIC-38; no quirk loses blocked evals."),
    "BUG-049": Uncited(
        HISTORY, "Repaired by GENERIC-38, which keeps the failed one as an update; no quirk stops it instead."
    ),
    "BUG-050": Uncited(HISTORY, "Needs memory that a scheduler shares with its server."),
    "BUG-051": Uncited(HISTORY, "Repaired by one transaction for update and evaluation, ALLOC-09."),
    "BUG-052": Uncited(HISTORY, "Repaired by GENERIC-44; no quirk lets a delayed evaluation delay again."),
    "BUG-054": Uncited(
        HISTORY,
        "Repaired by PLAN-51, which lets stops through on a node that is disconnected; no quirk refuses.",
    ),
    "BUG-055": Uncited(HISTORY, "Repaired by asking for the last state, ALLOC-21; no quirk asks for any."),
    "BUG-056": Uncited(HISTORY, "Repaired by NODEST-09; no quirk makes the node ready at once."),
    "BUG-058": Uncited(HISTORY, "Repaired by PLAN-74, which keeps the link; no quirk erases it."),
    "BUG-060": Uncited(HISTORY, "Repaired by REC-50; no quirk narrows the search for replacements."),
    "BUG-061": Uncited(HISTORY, "Repaired by NODEST-08; no quirk keeps the node disconnected."),
    "BUG-062": Uncited(HISTORY, "Repaired by TRIG-29; no quirk covers a job by a skip."),
    "BUG-064": Uncited(HISTORY, "Repaired by TRIG-29, which skips sysbatch; no quirk includes it."),
    "BUG-065": Uncited(HISTORY, "Repaired by SYSDEP-20; no quirk completes an unpromoted group."),
    "BUG-067": Uncited(HISTORY, "Repaired by NODEST-06; no quirk ignores changed attributes."),
    "BUG-068": Uncited(
        HISTORY, "Repaired by TRIG-29, which goes by namespace and job; no quirk drops the namespace."
    ),
    "BUG-069": Uncited(HISTORY, "Repaired by SYSDEP-13; no quirk draws canaries anew."),
    "BUG-070": Uncited(HISTORY, "Repaired by checking volumes outside the class cache, FEAS-12."),
    "BUG-073": Uncited(HISTORY, "Repaired by a class table for each group, FEAS-20; no quirk shares it."),
    "BUG-074": Uncited(HISTORY, "Repaired by FEAS-60 and FEAS-70, which ask for all; no quirk stops early."),
    "BUG-075": Uncited(HISTORY, "Repaired by FEAS-26, which asks for all drivers; no quirk stops early."),
    "BUG-076": Uncited(HISTORY, "Repaired by clearing staged stops, FEAS-47; no quirk counts them."),
    "BUG-077": Uncited(
        HISTORY, "Needs tables that outlive the version they were made for, which RANK-61 forgets."
    ),
    "BUG-079": Uncited(HISTORY, "Repaired by folding values, RANK-59; no quirk counts them apart."),
    "BUG-080": Uncited(HISTORY, "Repaired by the floor of RANK-63; no quirk divides by zero."),
    "BUG-081": Uncited(
        HISTORY, "Repaired by asking for the desired status in batch; no quirk trusts complete."
    ),
    "BUG-082": Uncited(HISTORY, "Repaired by GENERIC-14, which covers evict; no quirk leaves it out."),
    "BUG-084": Uncited(
        HISTORY, "Needs a list that two placements share and one changes; here each is a value of its own."
    ),
    "BUG-085": Uncited(
        HISTORY,
        "Repaired by FEAS-02, which takes preempted ones off what is left; no quirk forgets the stops.",
    ),
    "BUG-086": Uncited(HISTORY, "Repaired by NET-13; no quirk offers a port twice."),
    "BUG-087": Uncited(HISTORY, "Repaired by GENERIC-55, which keeps cores; no quirk picks them anew."),
    "BUG-088": Uncited(HISTORY, "Repaired by NET-07; no quirk ignores the collision."),
    "BUG-090": Uncited(HISTORY, "Repaired by RANK-23; no quirk forgets cores of a phase."),
    "BUG-091": Uncited(HISTORY, "Repaired by RANK-24; no quirk subtracts twice."),
    "BUG-092": Uncited(HISTORY, "Needs objects that a query changes."),
    "BUG-093": Uncited(HISTORY, "Repaired by DRAIN-08; no quirk counts what migrates as healthy."),
    "BUG-095": Uncited(HISTORY, "Repaired by NODEST-07; timers live with the leader here."),
    "BUG-096": Uncited(
        HISTORY,
        "Repaired by DRAIN-10, one evaluation for a job and namespace; no quirk joins two.",
    ),
    "BUG-097": Uncited(HISTORY, "Needs credentials of the leader's own requests."),
    "BUG-098": Uncited(HISTORY, "Rolling evaluations are gone, EVAL-11; the release has no such limit."),
    "BUG-100": Uncited(HISTORY, "Repaired by NODEST-16; no quirk returns early."),
    "BUG-101": Uncited(HISTORY, "Repaired by one entry for job and evaluation, JOB-07."),
    "BUG-102": Uncited(HISTORY, "Look-ups by prefix are no part of the model."),
    "BUG-103": Uncited(HISTORY, "Needs stores that differ between servers."),
    "BUG-105": Uncited(HISTORY, "Repaired by a second check when applied, JOB-04; no quirk drops it."),
    "BUG-107": Uncited(HISTORY, "Needs the byte order of stored keys."),
    "BUG-108": Uncited(HISTORY, "Needs memory that a request handler shares with its server."),
    "BUG-109": Uncited(HISTORY, "Repaired by JOB-18, which clears the flag; no quirk keeps it."),
    "BUG-110": Uncited(HISTORY, "Repaired by one transaction for a batch, GC-95; no quirk splits it."),
    "BUG-111": Uncited(HISTORY, "Repaired by GC-25, row 2; no quirk collects what runs."),
    "BUG-113": Uncited(HISTORY, "Repaired by GC-21, which compares JobModifyIndex; no quirk undoes it."),
    "BUG-114": Uncited(HISTORY, "Repaired by DEP-20, which sets the time; no quirk leaves it 0."),
    "BUG-115": Uncited(HISTORY, "Repaired by GC-40; no quirk ignores live allocations."),
    "BUG-116": Uncited(HISTORY, "Restoring snapshots is no part of the model."),
    "BUG-117": Uncited(HISTORY, "A deadlock inside one server's start."),
    "BUG-118": Uncited(HISTORY, "Needs a leader whose start fails half-way."),
    "BUG-120": Uncited(HISTORY, "How many workers run is a bound of a scope, not a rule."),
}
