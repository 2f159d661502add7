"""What is known to go wrong with jobs, nodes, allocations and deployments."""

from typing import Final

from nomadspec.invariants.findings import Face, Impact, KnownFinding, Lasting, Loss
from nomadspec.model.specification import quirks

ABOUT_OBJECTS: Final = (
    KnownFinding(
        id="F-14",
        model="kernel",
        violates="purge_leaves_nothing",
        scope="purge",
        title="A deployment outlives its job",
        happens="a plan that was made before a purge begins a deployment of the job that is gone",
        conditions=(
            "a plan with a new deployment is in flight",
            "the job is purged before it is committed",
        ),
        cure=quirks.ORPHANED_DEPLOYMENT,
        steps=3,
        impact=Impact(
            harm="a deployment of a job that is gone runs for ever",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits=(
                "an operator who purges a job while its first plan, or that of a new version, is under "
                "way: no job is left whose plan could cancel the deployment, and it cannot be failed, for "
                "that asks for the job; only a registration under the same name rescues it"
            ),
        ),
    ),
    KnownFinding(
        id="F-17",
        model="kernel",
        violates="live_alloc_is_deleted_only_by_a_purge",
        scope="gc",
        title="A collector deletes a running allocation",
        happens=(
            "a job is found dead, is registered again and placed, and is then purged by the collector "
            "with all that it has"
        ),
        conditions=("a job is registered again between the collector's decision and its entry",),
        cure=quirks.HASTY_REAP,
        steps=19,
        impact=Impact(
            harm="a job that was registered again is deleted with all that runs",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits=(
                "a job that is registered again within a collection of garbage: it is gone with all that "
                "runs, and no evaluation tells anybody; only a further registration rescues it"
            ),
        ),
        faces=(Face("wanted_job_is_deleted_only_by_a_purge", "gc", 13),),
    ),
    KnownFinding(
        id="F-19",
        model="kernel",
        violates="terminal_alloc_stays_terminal",
        scope="disconnect",
        title="A plan writes lost or unknown over what a client has reported",
        happens=(
            "a plan made while a node was disconnected writes lost or unknown over the report of an end "
            "that came in meanwhile"
        ),
        conditions=(
            "a disconnected node is heard again and reports an end",
            "a plan from before that is applied",
        ),
        cure=quirks.OVERWRITTEN_REPORT,
        steps=14,
        impact=Impact(
            harm="work that was done is done once more",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits=(
                "batch jobs on a node that was disconnected for a moment: work that was complete is called "
                "lost and done once more on another node; a service with a time for disconnects is counted "
                "as unknown where it has failed, and is replaced when its client reports once more; nobody "
                "can take back what was done twice"
            ),
        ),
    ),
    KnownFinding(
        id="F-21",
        model="kernel",
        violates="counters_agree_with_allocations",
        scope="deployment",
        title="A deployment counts an allocation as healthy and unhealthy",
        happens="an allocation that was unhealthy becomes healthy, and stays counted as unhealthy too",
        conditions=("an allocation of a deployment recovers",),
        cure=quirks.COUNTED_ONCE,
        steps=10,
        impact=Impact(
            harm="a deployment fails although all of it is healthy",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits=(
                "whoever rolls out a service or system job of which an allocation recovers: it goes on to "
                "count as unhealthy, and the deployment fails, and is reverted where that is asked for; "
                "only a further registration rescues it"
            ),
        ),
    ),
    KnownFinding(
        id="F-22",
        model="kernel",
        violates="no_live_alloc_on_down_node",
        scope="node-loss",
        title="The evaluations of a lost node are never written",
        happens=(
            "a node goes down, the leader is lost before the node's handler has written its evaluations, "
            "and the next leader does not know that they are owed"
        ),
        conditions=("the leader changes between a node event and the entry with its evaluations",),
        cure=quirks.FORGOTTEN_HANDLER,
        steps=18,
        impact=Impact(
            harm="what ran on a lost node is not replaced",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits=(
                "every job with an allocation on that node, until its next evaluation: its allocations "
                "there serve nobody"
            ),
        ),
        reduction="none",
        faces=(Face("owed_eval_is_written", "leader-change", 8),),
    ),
    KnownFinding(
        id="F-36",
        model="kernel",
        violates="no_live_alloc_on_down_node",
        scope="late-loss",
        title="An allocation is placed on a node that is down, and stays there",
        happens=(
            "a node goes down while an entry is in flight that places an allocation there; the handler of "
            "the node event does not see it yet, and nobody evaluates the job when it is committed"
        ),
        conditions=(
            "the node's entry is applied between the dispatch and the commit of a plan",
            "nothing of the job was on the node before",
        ),
        cure=quirks.UNSEEN_LOSS,
        steps=11,
        impact=Impact(
            harm="what was placed on a lost node is not replaced",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits=(
                "a service or batch job that is placed on a node in the moment in which it is lost, until "
                "its next evaluation"
            ),
        ),
        reduction="none",
    ),
    KnownFinding(
        id="F-37",
        model="kernel",
        violates="ended_deployments_stay_ended",
        scope="deployment",
        title="A deployment of a system job that was failed or paused goes on",
        happens=(
            "a deployment is failed or paused while a plan is made that saw it running, and the plan, "
            "which carries the whole deployment, writes what it saw"
        ),
        conditions=(
            "the job is a system job: plans of service jobs write a status only where they mean to",
            "its deployment is paused, failed or canceled between the snapshot and the commit of a plan",
        ),
        cure=quirks.STALE_DEPLOYMENT,
        steps=5,
        impact=Impact(
            harm="a deployment that was paused or failed goes on",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits=(
                "system jobs: an operator who pauses or fails a deployment sees it go on, with all that "
                "it replaces; to pause it once more rescues what is left"
            ),
        ),
        faces=(Face("paused_deployment_stays_paused", "deployment", 5),),
    ),
)
