"""What is known to go wrong with jobs, nodes, allocations and deployments."""

from typing import Final

from nomadspec.invariants.kernel.findings.sizes import ONE_TRY
from nomadspec.invariants.known_finding import Face, Impact, KnownFinding, Lasting, Loss
from nomadspec.model.specification import quirks

ABOUT_OBJECTS: Final = (
    KnownFinding(
        id="F-14",
        title="The deployment of a purged job is created and runs for ever",
        happens="a job is purged while a plan of it is in flight. The commit of the plan creates a "
        "deployment of the job that is gone",
        conditions=(
            "a plan with a new deployment is in flight",
            "the job is purged before the plan is committed",
        ),
        impact=Impact(
            harm="a purged job's deployment never ends",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="an operator who purges a job while a plan that begins a deployment is in flight: no plan "
            "can cancel the deployment, and failing it needs the job; a registration under the same name, or "
            "a restore of a snapshot, rescues it",
        ),
        cure=quirks.ORPHANED_DEPLOYMENT,
        shown=Face("purge_leaves_nothing", "purge", 6),
        sizes={"evals": 2, "allocations": 0, **ONE_TRY, "errors": 0, "endings": 0, "returns": 0},
    ),
    KnownFinding(
        id="F-17",
        title="Garbage collection purges a job that was registered again",
        happens="garbage collection finds a job dead. The job is registered again and placed. The entry of "
        "garbage collection then purges it with all its allocations",
        conditions=("a job is registered again between the decision of garbage collection and its entry",),
        impact=Impact(
            harm="a registered, running job is deleted",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="a job that is registered again during a collection: it is gone with all that runs, and no "
            "evaluation says so; only a further registration rescues it",
        ),
        cure=quirks.HASTY_REAP,
        shown=Face("needed_alloc_is_deleted_only_by_a_purge", "gc", 19),
        sizes={"evals": 3, "allocations": 1, **ONE_TRY, "endings": 0, "gc_deletions": 1},
        faces=(Face("wanted_job_is_deleted_only_by_a_purge", "gc", 13),),
    ),
    KnownFinding(
        id="F-19",
        title="A plan overwrites a client's report of completion with lost or unknown",
        happens="a plan is made while a node is disconnected. The client reconnects and reports that the "
        "allocation has ended. The commit of the plan writes lost or unknown over that report",
        conditions=(
            "a disconnected node reconnects and reports an end",
            "a plan from before that is committed after it",
        ),
        impact=Impact(
            harm="finished batch work is run again",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="batch jobs on a node that was disconnected for a moment: completed work is called lost and "
            "repeated on another node; a failed service allocation counts as unknown until its client "
            "reports again; work done twice cannot be taken back",
        ),
        cure=quirks.OVERWRITTEN_REPORT,
        shown=Face("terminal_alloc_stays_terminal", "disconnect", 14),
        sizes={"allocations": 1, **ONE_TRY, "endings": 0, "nodes": 1},
    ),
    KnownFinding(
        id="F-47",
        title="A delayed evaluation creates no follow-ups, and an allocation waits for one",
        happens="an evaluation with WaitUntil creates no follow-up evaluations. An allocation fails, or its "
        "node is disconnected, while a delayed evaluation of the same job is due. That evaluation plans a "
        "reschedule for later, or marks the allocation as unknown, and writes the ID of a follow-up into it, "
        "which names nothing. Until the delay is over, every later evaluation leaves a failed allocation to "
        "that follow-up, and nothing looks at an unknown one when its lost_after is over",
        conditions=(
            "an allocation fails, or its node is disconnected, while a delayed evaluation of its job is due",
            "that evaluation runs before any other, and before the failed allocation's own delay is over",
        ),
        impact=Impact(
            harm="a failed allocation is never rescheduled",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a service or batch job with a reschedule delay, as services have by default, of which two "
            "allocations fail one after the other; any evaluation after the delay replaces the allocation, "
            "but none is due. A service with lost_after of which two nodes are disconnected at a time: the "
            "second allocation is stopped late, when its node goes down",
        ),
        cure=quirks.UNMADE_FOLLOW_UP,
        shown=Face("unknown_alloc_has_a_follow_up", "unknown-plan", 22),
        sizes={"evals": 3, "plan_statuses": 0, "in_place_updates": 0},
    ),
    KnownFinding(
        id="F-21",
        title="A deployment never counts an allocation that an operator sets healthy again",
        happens="an operator sets an unhealthy allocation of a deployment healthy before it is replaced. The "
        "deployment goes on counting it as unhealthy, never as healthy, and so cannot be complete",
        conditions=(
            "an unhealthy allocation does not fail its deployment at once: it may be rescheduled",
            "it is set healthy before it is replaced: a client does not take back what it said",
        ),
        impact=Impact(
            harm="a deployment of healthy allocations never succeeds",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="an operator who sets an allocation of a deployment healthy again: the deployment goes on "
            "until its progress deadline (DEP-42, which the kernel does not have), fails then, and is "
            "reverted where auto_revert is set; only a further registration rescues it",
        ),
        cure=quirks.COUNTED_ONCE,
        shown=Face("deployments_end", "deployment", 15),
        sizes={"evals": 3, "allocations": 2, **ONE_TRY, "updates": 0, "reports": 0, "endings": 0},
        faces=(Face("counters_agree_with_allocations", "deployment", 7),),
    ),
    KnownFinding(
        id="F-22",
        title="The evaluations for a lost node are lost with the leader",
        happens="a node goes down, and the leader is lost before it has written the node's evaluations. The "
        "next leader does not write them",
        conditions=("the leader changes between a node's status entry and the entry with its evaluations",),
        impact=Impact(
            harm="a lost node's allocations stay unreplaced",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="every job with an allocation on that node, until its next evaluation",
        ),
        cure=quirks.FORGOTTEN_HANDLER,
        shown=Face("no_live_alloc_on_down_node", "leader-change", 11, reduction="none"),
        sizes={"evals": 2, **ONE_TRY, "node_changes": 1, "endings": 0},
        decisive=10,
        faces=(Face("unwanted_alloc_has_open_eval", "leader-change", 9),),
    ),
    KnownFinding(
        id="F-36",
        title="An allocation committed to a down node is never replaced",
        happens="a node goes down while the entry that places an allocation there is in flight. The "
        "evaluations for the node are created before the allocation is stored, and none is created after",
        conditions=(
            "the node's status entry is applied between the dispatch and the commit of a plan",
            "the job had no allocation on the node before",
        ),
        impact=Impact(
            harm="a lost allocation is never replaced",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a service or batch job that is placed on a node in the moment in which it is lost, until "
            "its next evaluation",
        ),
        cure=quirks.UNSEEN_LOSS,
        shown=Face("no_live_alloc_on_down_node", "late-loss", 11, reduction="none"),
        sizes={"evals": 2, "allocations": 2, **ONE_TRY, "endings": 0, "nodes": 1},
        faces=(Face("unwanted_alloc_has_open_eval", "late-loss", 9),),
    ),
    KnownFinding(
        id="F-37",
        title="A system job's plan lets its paused or failed deployment run again",
        happens="a plan of a system job reads its deployment as running. Before the commit the deployment is "
        "failed or paused. The plan carries the whole deployment and writes it back as running. In the same "
        "way a plan that has read a paused deployment undoes that it is resumed",
        conditions=(
            "the job is a system job: each of its plans carries its deployment, even if nothing changes",
            "its deployment is paused, resumed or failed between the snapshot and the commit of a plan",
        ),
        impact=Impact(
            harm="a paused or failed deployment runs again",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="an operator who pauses or fails the deployment of a system job: it is running again, and "
            "ends as successful once all of its allocations are healthy",
        ),
        cure=quirks.STALE_DEPLOYMENT,
        shown=Face("ended_deployments_stay_ended", "deployment-system", 14),
        sizes={"evals": 3, "allocations": 1, "purges": 0},
        faces=(Face("paused_deployment_stays_paused", "deployment-system", 14),),
    ),
)
