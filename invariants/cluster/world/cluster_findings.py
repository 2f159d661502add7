"""The findings that neither kernel nor schedulers show, only whole clusters."""

from __future__ import annotations

from typing import Final

from nomadspec.invariants.cluster.world.canary_findings import CANARY_FINDINGS
from nomadspec.invariants.cluster.world.finding import ClusterFinding
from nomadspec.invariants.known_finding import Impact, Lasting, Loss
from nomadspec.model.specification.quirks import (
    AWAITED_REPORT,
    CANCELLED_IS_JOINED,
    COUNTED_ANEW,
    ENDLESS_ATTEMPTS,
    ERASED_REQUEST,
    LINGERING_UNKNOWN,
    OLD_APPOINTMENT,
    OUTDATED_JUDGEMENT,
    REPLACED_AGAIN,
    REVIVED_VERSION,
    REWRITTEN_FAILURE,
    STRAY_DEPLOYMENT,
    SUCCESS_OF_NOTHING,
    SURPLUS_RESCHEDULE,
    UNASKED_REVERT,
    UNATTENDED_DEPLOYMENT,
    UNHEARD_CHILD,
    UNMARKED_END,
    UNNOTICED_END,
    UNPLACED_UNKNOWN,
    UNTOLD_SYSBATCH,
    UPDATED_WHILE_DISCONNECTED,
)

_OTHERS: Final = (
    ClusterFinding(
        id="C-01",
        title="Marking an old job version stable makes it the current version",
        happens="The deployment of a version becomes successful after the next version was registered. "
        "Marking the older version as stable makes it the current job again.",
        conditions=(
            "the job has an update block",
            "a new version is registered, or the job is stopped, and its evaluation waits",
            "the deployment of the version before ends successfully meanwhile",
        ),
        violates="version_of_job_never_decreases",
        cure=REVIVED_VERSION,
        impact=Impact(
            harm="an old or stopped job runs",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="a job with an update block that is registered or stopped in the moment in which its "
            "deployment ends; one more registration rescues it",
        ),
    ),
    ClusterFinding(
        id="C-02",
        title="A deployment counts allocations as healthy whose health an update has cleared",
        happens="An update in place clears the health of an allocation of a system job, and its deployment "
        "goes on counting it as healthy. So it is when the allocation comes back from a disconnected node "
        "during its deployment. With its next report its client says again that it is healthy, and the "
        "deployment counts it twice. It is successful with one allocation less than it desires. A deployment "
        "that has failed counts too many as well: it stays the current one, and a version that updates in "
        "place takes the running allocations into it.",
        conditions=(
            "an update in place keeps a healthy allocation of a system job in its deployment",
            "for a success: the node of a job with lost_after is disconnected during its deployment",
            "the allocation there is reported again before the last one is healthy, as by a restart of tasks",
        ),
        violates="counts_of_deployment_equal_allocs",
        cure=COUNTED_ANEW,
        impact=Impact(
            harm="a deployment succeeds without being healthy",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="a system job with lost_after that is deployed while a node is disconnected: its version "
            "is marked stable although it has not started on a node, and the next bad version is reverted to "
            "it; of a failed deployment only its readers are misled",
        ),
    ),
    ClusterFinding(
        id="C-03",
        title="The watcher asks once for the evaluation that ends a deployment",
        happens="All allocations of a deployment are healthy, and the watcher creates the evaluation that "
        "would end it. The entry with that evaluation fails, and the watcher does not try again.",
        conditions=(
            "the log entry with the watcher's evaluation fails",
            "no other evaluation of the job is created",
        ),
        violates="deployment_ends_or_waits_for_operator",
        cure=UNATTENDED_DEPLOYMENT,
        impact=Impact(
            harm="a healthy deployment never ends",
            loss=Loss.CONTROL,
            lasts=Lasting.UNTIL_CHANGED,
            hits="an operator or a pipeline that waits for the deployment; another leader, or any "
            "evaluation of the job, rescues it",
        ),
    ),
    ClusterFinding(
        id="C-04",
        title="An unknown system allocation stays on a node that is lost",
        happens="An allocation of a system or sysbatch job is unknown when its node is purged, or when its "
        "node is back for a moment and then down. The system scheduler leaves the allocation alone even "
        "then, and makes no evaluation for the end of lost_after.",
        conditions=(
            "an allocation of a system job is unknown, or of a sysbatch job that is evaluated meanwhile",
            "the node is purged, or misses heartbeats again while it is initializing",
        ),
        violates="no_live_alloc_on_down_node",
        cure=LINGERING_UNKNOWN,
        impact=Impact(
            harm="a periodic job is never launched again",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="a periodic sysbatch job with prohibit_overlap and lost_after: each launch is skipped until "
            "somebody stops the one that never ends; of a system job only the count of allocations is wrong",
        ),
    ),
    ClusterFinding(
        id="C-05",
        title="Draining its last node makes a system job's deployment successful",
        happens="A task group of a system job that has no node counts as complete, although its deployment "
        "desires allocations of it.",
        conditions=("the job is a system job with a running deployment", "its last node is drained"),
        violates="successful_deployment_is_healthy",
        cure=SUCCESS_OF_NOTHING,
        impact=Impact(
            harm="a deployment succeeds without healthy allocations",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="a system job that is deployed while its nodes are drained: the version is marked "
            "stable, and the next bad version is reverted to it",
        ),
    ),
    ClusterFinding(
        id="C-06",
        title="An in-place update on a disconnected node is rejected for ever",
        happens="A node is disconnected, and a job there is updated in place before its evaluation has run. "
        "The plan marks the allocation as unknown and updates it in place as running. The applier takes only "
        "unknown allocations on a disconnected node and rejects the plan, each time. The allocation stays "
        "running in the store. Each attempt creates another max-disconnect-timeout evaluation, and the "
        "leader retries the blocked evaluation every minute.",
        conditions=(
            "the job has lost_after",
            "it is updated in place after its node was lost, before the evaluation for the node has run",
        ),
        violates="live_alloc_on_disconnected_node_becomes_unknown",
        cure=UPDATED_WHILE_DISCONNECTED,
        impact=Impact(
            harm="a lost allocation is never replaced",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a service or batch job with lost_after, updated in place while its node is lost; with "
            "replace it has a replacement, but its evaluations fail and multiply all the same; the node's "
            "return, a destructive update or a stop ends it",
        ),
    ),
    ClusterFinding(
        id="C-08",
        title="A node that reconnects before its evaluation runs stays initializing",
        happens="A node with lost_after allocations misses heartbeats and is disconnected. Its heartbeats "
        "resume before a plan marks its allocations as unknown, and it becomes initializing. Only a report "
        "on an allocation makes it ready, but its client reports again only allocations that it sees as "
        "unknown.",
        conditions=(
            "an allocation on the node has lost_after",
            "the heartbeats resume before the evaluation of the disconnected node has run",
        ),
        violates="reachable_node_is_ready",
        cure=AWAITED_REPORT,
        impact=Impact(
            harm="a healthy node gets no allocations",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a node with lost_after allocations that is disconnected for a moment while workers are "
            "busy, until the status of an allocation on it changes",
        ),
    ),
    ClusterFinding(
        id="C-09",
        title="A worker plans for a system job without end",
        happens="The plan of a system job is rejected as a whole, and so is every retry. The plan carries "
        "the job's deployment, so the answer counts as progress, and the worker begins again with all "
        "attempts left.",
        conditions=(
            "the job is a system job with an update block",
            "each of its plans is rejected in the same way",
        ),
        violates="rejected_plans_end_a_delivery",
        cure=ENDLESS_ATTEMPTS,
        impact=Impact(
            harm="a job is never evaluated again",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a system job with an update block whose plan is rejected each time, as by D-02: it gets no "
            "further evaluation, a worker does nothing else, and each plan is an entry of the log",
        ),
    ),
    ClusterFinding(
        id="C-10",
        title="A plan places allocations on a node drained after it was judged",
        happens="The applier judges a plan while the entry of an earlier one commits, and holds it back. "
        "Meanwhile its node is drained, made ineligible, or lost. The plan is dispatched without another "
        "look at the node, and its allocation is committed there. The same happens while plans follow each "
        "other without a pause: the applier keeps its snapshot, which does not show later changes of nodes.",
        conditions=(
            "the applier is pipelined",
            "the node is drained, made ineligible or lost between the verdict on a plan and its dispatch",
        ),
        violates="drained_node_is_empty",
        cure=OUTDATED_JUDGEMENT,
        impact=Impact(
            harm="a drained node gets a new allocation",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="an operator who takes a node away after its drain, and the job that was placed there: "
            "nothing moves the allocation; on a node that is down, batch work never starts, and a service is "
            "missing until its progress deadline",
        ),
    ),
    ClusterFinding(
        id="C-11",
        title="A drain goes on although the node's last allocation has ended",
        happens="The drainer follows the jobs that had something to run on the node when the drain began and "
        "still exist, but no sysbatch jobs. It ends a drain only when it sees an allocation of such a job "
        "end. A job is not followed if its allocations there had been stopped or preempted before the drain. "
        "When their tasks end, the node is empty, and nothing ends the drain.",
        conditions=(
            "an allocation was stopped or preempted before the drain began",
            "it is the last one on the node to end",
        ),
        violates="drain_of_empty_node_ends",
        cure=UNNOTICED_END,
        impact=Impact(
            harm="a drain never ends",
            loss=Loss.CONTROL,
            lasts=Lasting.UNTIL_CHANGED,
            hits="an operator who drains a node while the last tasks there are being stopped: the drain ends "
            "at its deadline, or never if it has none; another leader, or a changed drain, rescues it",
        ),
    ),
    ClusterFinding(
        id="C-12",
        title="A lost node makes no evaluation for its sysbatch jobs",
        happens="A node is lost while a sysbatch job runs there. Events of nodes make evaluations for "
        "service, batch and system jobs, and for no sysbatch job. Nothing marks the allocation as lost, so "
        "its job stays running. A periodic job that must not overlap skips each later launch because of it, "
        "and the node is never collected.",
        conditions=(
            "a sysbatch job runs on a node that is lost",
            "for the launches that are skipped: the job is periodic, with prohibit_overlap",
        ),
        violates="no_live_alloc_on_down_node",
        cure=UNTOLD_SYSBATCH,
        impact=Impact(
            harm="a periodic job is never launched again",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a periodic sysbatch job with prohibit_overlap; any other sysbatch job stays running for "
            "those who wait for its end; the node's return, a stop of the launch or its evaluation by hand "
            "rescues it",
        ),
    ),
    ClusterFinding(
        id="C-13",
        title="The drainer does not try again when its log entry fails",
        happens="The drainer marks allocations on a draining node to migrate, with an evaluation for each "
        "job. The entry of the marks fails. Before the deadline the drainer looks at the job again only when "
        "an allocation changes, so the drain stops there. At the deadline the drain is completed regardless "
        "of errors: nothing is marked, no evaluation was written, and the node counts as drained.",
        conditions=(
            "the log entry with the drainer's marks fails",
            "no allocation of the job changes before the deadline",
        ),
        violates="drained_node_is_empty",
        cure=UNMARKED_END,
        impact=Impact(
            harm="a drained node still runs allocations",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="an operator who takes a node away after its drain, and the work that still runs there: "
            "it is lost with the node; only another drain rescues it; without a deadline the operator waits "
            "for another leader",
        ),
    ),
    ClusterFinding(
        id="C-15",
        title="A child job of a purged parent is registered but never evaluated",
        happens="A launch of a periodic job, or a dispatched job, outlives the purge of its parent. When the "
        "child is registered again, as by a revert, the store writes the job, finds no parent, and "
        "leaves the evaluation out.",
        conditions=(
            "a periodic launch or a dispatched job outlives its purged parent",
            "it is registered again, as by a revert",
        ),
        violates="no_more_allocs_than_count",
        cure=UNHEARD_CHILD,
        impact=Impact(
            harm="a registered version is never evaluated",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a launched or dispatched job whose parent was purged: what is registered, reverted or "
            "launched in that moment is stored and not placed; an evaluation by hand rescues it",
        ),
    ),
    ClusterFinding(
        id="C-16",
        title="A drain waits for allocations that joined an old deployment",
        happens="A service that was deployed has a version without an update block, and its new allocations "
        "belong to no deployment. A further version updates them in place. The plan writes the ID of the "
        "last deployment into them, though that is of an older version and has ended, and clears their "
        "health. Their clients find no update block to judge health by, and report none. The drainer counts "
        "them as not yet healthy, and marks none of them to leave. The same happens to the allocations of a "
        "version without an update block whose plan cancels a running deployment.",
        conditions=(
            "a service is registered without an update block, or with max_parallel 0",
            "it is updated in place while its last deployment is still stored, or that one was running",
            "a node of it is drained",
        ),
        violates="alloc_joins_deployment_of_its_version",
        cure=CANCELLED_IS_JOINED,
        impact=Impact(
            harm="a drain without a deadline never ends",
            loss=Loss.CONTROL,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a service whose update block was taken out, or set to max_parallel 0: its allocations "
            "leave a draining node at the deadline alone, until it is registered with other tasks, or they "
            "are placed anew",
        ),
    ),
    ClusterFinding(
        id="C-17",
        title="A stopped job is reverted by its failing deployment, and runs again",
        happens="A new version is deployed with auto_revert, and an operator stops the job. Before the "
        "evaluation of the stop has cancelled the deployment, the watcher fails it: its progress deadline is "
        "over, or an allocation is unhealthy. The watcher registers the stable version again without a look "
        "at the job as it is now, so the job is no longer stopped and runs in its old version. A version "
        "that was registered meanwhile is replaced in the same way.",
        conditions=(
            "the job has auto_revert and a stable version",
            "it is stopped or registered again while the deployment of its new version runs",
            "the deployment fails before the evaluation of that change has run",
        ),
        violates="stopped_job_stays_stopped",
        cure=UNASKED_REVERT,
        impact=Impact(
            harm="a stopped job runs again",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="a service or system job with auto_revert that is stopped, or registered again, while its "
            "new version fails and workers are busy; one more stop or registration rescues it",
        ),
    ),
    ClusterFinding(
        id="C-19",
        title="An unknown allocation is taken for the new version and never updated",
        happens="A node is disconnected, and a new version of its job is registered. The reschedule of the "
        "unknown allocation finds no room on other nodes. The plan that notes this on the allocation writes "
        "the new version into it. When the node returns, the schedulers take the allocation for one of the "
        "new version, and nothing replaces it. Its tasks are those of the old version. The deployment of the "
        "new version has placed nothing and stays running.",
        conditions=(
            "the job has lost_after",
            "a new version with other tasks is registered before the unknown allocation is to be rescheduled",
            "no other node has room for it",
            "the node returns before lost_after is over",
        ),
        violates="alloc_joins_deployment_of_its_version",
        cure=REWRITTEN_FAILURE,
        impact=Impact(
            harm="an old version runs as the new one",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="a service or batch job with lost_after that is registered anew while its node is "
            "disconnected; its allocations are listed as running the new version; a further version with "
            "other tasks, or a stop of the allocation, rescues it",
        ),
    ),
    ClusterFinding(
        id="C-20",
        title="A replacement of the new version joins the old version's deployment",
        happens="One group of a job waits for the promotion of its canary. Another group has no canaries and "
        "runs the new version already. A node is lost with the old allocation of the first group and the new "
        "one of the second, and one plan replaces both. The first replacement runs the old version again, "
        "and carries the deployment of that version. The scheduler marks everything that it places after it "
        "with the same deployment. So the deployment of the new version never counts the second "
        "replacement. All of that version runs and is healthy, its promotion is accepted, and its deployment "
        "fails at the progress deadline.",
        conditions=(
            "the job has two groups, of which only one waits for a promotion",
            "a node with an old allocation of that group is lost before a new one of the other is healthy",
            "the scheduler replaces the old allocation first; the order of groups is arbitrary",
        ),
        violates="alloc_joins_deployment_of_its_version",
        cure=STRAY_DEPLOYMENT,
        impact=Impact(
            harm="a good version's deployment fails",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="a service with canaries in one of its groups that loses a node during a deployment: its "
            "new version is reverted where auto_revert is set, and only another registration brings a "
            "version that is deployed",
        ),
    ),
    ClusterFinding(
        id="C-21",
        title="An unknown allocation that was replaced is taken for one that runs",
        happens="A node is disconnected, and its unknown allocation has a replacement. A new version of the "
        "service is registered. The scheduler updates or replaces the unknown allocation beside its "
        "replacement, so the new deployment desires one allocation more than the count. The surplus is "
        "stopped as not needed, often before it is healthy, and the deployment waits for it until its "
        "progress deadline. Where the count is lowered, an unknown allocation is stopped in place of one "
        "that runs, with the same end. If the replacement is lost, the unknown allocation counts as if it "
        "ran, and nothing is placed until lost_after is over.",
        conditions=(
            "the job has lost_after, and its unknown allocation was replaced, or its count is lowered",
            "a new version is registered before the node is back, or the replacement is lost with its node",
        ),
        violates="deployment_desires_no_more_than_count",
        cure=REPLACED_AGAIN,
        impact=Impact(
            harm="a good version's deployment fails",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="a service with lost_after that is registered anew while one of its nodes is disconnected: "
            "its new version is reverted where auto_revert is set, and a registration after the node's "
            "return rescues it; one whose replacement is lost too runs nowhere until lost_after is over",
        ),
    ),
    ClusterFinding(
        id="C-22",
        title="A service that is scaled down waits for a failed allocation",
        happens="An allocation of a service has failed, and its reschedule finds no room or is due within a "
        "second. The service is scaled down to what runs. The scheduler wants to place the "
        "failed one again although none is missing, and the new deployment desires one more than the count. "
        "Without room for it the deployment fails at its progress deadline, and the job stays blocked; with "
        "auto_revert a registration of the lower count is reverted, too. With room it is placed, and the "
        "next evaluation stops one, which may be one that ran.",
        conditions=(
            "an allocation of a service has failed, and its reschedule is due",
            "the count is lowered to what runs without it, before it is placed again",
        ),
        violates="deployment_desires_no_more_than_count",
        cure=SURPLUS_RESCHEDULE,
        impact=Impact(
            harm="a lower count is taken back",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_GOOD,
            hits="whoever lowers the count of a service because a failed allocation finds no room: the "
            "deployment fails, with auto_revert a registration is reverted to the old count, and the job is "
            "blocked until there is room for an allocation that it does not need; then one is stopped, "
            "maybe the one that ran all the time",
        ),
    ),
    ClusterFinding(
        id="C-23",
        title="An unknown allocation with another lost_after is looked at too early only",
        happens="A service is unknown on a disconnected node, and an evaluation is to look at it when "
        "lost_after is over. A version with a longer lost_after is registered, and the unknown allocation is "
        "updated in place. The evaluation comes as planned, finds that it is too early, and makes none for "
        "later. The node does not go down either while another allocation there has lost_after, even a "
        "batch job that has completed.",
        conditions=(
            "a version with a longer lost_after is registered while an allocation is unknown",
            "the allocation has no replacement, as with replace = false",
            "another allocation with lost_after, ended or not, keeps the node disconnected",
        ),
        violates="no_alloc_stays_unknown_past_lost_after",
        cure=OLD_APPOINTMENT,
        impact=Impact(
            harm="a lost allocation is never replaced",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a service or batch job whose operator gives a disconnected node more time: it runs "
            "nowhere, though other nodes have room; the node's return, its purge or any evaluation of the "
            "job after the new lost_after rescues it",
        ),
    ),
    ClusterFinding(
        id="C-26",
        title="An in-place update takes back what was asked of an allocation",
        happens="A plan updates an allocation in place and waits for the applier. Meanwhile the allocation "
        "fails, and the watcher of its deployment, or an operator who forces it, lets it be rescheduled; or "
        "a drain, or an operator who stops it, asks it to migrate. The plan is committed, and writes the "
        "whole allocation as its scheduler had seen it, without that request. The evaluation of the request "
        "finds nothing to do. A drain that was complete in the meantime does not ask again, nor does an "
        "operator. "
        "The watcher of the new deployment does where the client judges the allocation anew, which with "
        "manual health it does not.",
        conditions=(
            "a plan updates an allocation in place, or notes something on it",
            "between that plan's snapshot and its commit it is asked to migrate, or may be rescheduled",
            "nobody asks again: a drain is complete by then, an operator asked, or operators set the health",
        ),
        violates="alloc_keeps_its_desired_transition",
        cure=ERASED_REQUEST,
        impact=Impact(
            harm="a failed service runs nowhere",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="a service that fails while it is updated in place, if operators set its health or force "
            "its reschedule: it runs nowhere until it is registered anew, or is forced again; and "
            "an operator who drains a node at once, or stops an allocation, while its job is registered: the "
            "request was accepted and nothing comes of it; another one rescues it",
        ),
    ),
    ClusterFinding(
        id="C-27",
        title="An unknown allocation that found no room is not replaced later",
        happens="A node is disconnected, and no other node has room when the follow-up evaluation is to "
        "replace the unknown allocation. A blocked evaluation waits for room. Room comes, and the blocked "
        "evaluation runs. The scheduler replaces an unknown allocation only in the evaluation whose ID is "
        "noted on it, and that was the follow-up. So nothing is placed, the evaluation is complete, and the "
        "service runs nowhere until lost_after is over.",
        conditions=(
            "the job has lost_after, and its node is disconnected",
            "no other node has room at the moment in which the follow-up evaluation runs",
        ),
        violates="unplaced_unknown_alloc_has_an_eval",
        cure=UNPLACED_UNKNOWN,
        impact=Impact(
            harm="a lost allocation is replaced hours late",
            loss=Loss.WORK,
            lasts=Lasting.FOR_A_WHILE,
            hits="a service with lost_after whose node is disconnected while the cluster is full for a "
            "moment: however much room comes, it is placed when lost_after is over, or with the next version",
        ),
    ),
)
"""All that are not about canaries."""

CLUSTER_FINDINGS: Final = tuple(sorted((*_OTHERS, *CANARY_FINDINGS), key=lambda finding: finding.id))
"""What whole clusters alone show, by ID."""
