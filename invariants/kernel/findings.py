"""What is known to go wrong in the described release, found by exploring the kernel."""

from typing import Final

from nomadspec.invariants.findings import KnownFinding
from nomadspec.model import quirks

FINDINGS: Final = (
    KnownFinding(
        id="F-01",
        model="kernel",
        violates="no_node_is_overfull",
        scope="stale-snapshot",
        title="A plan is committed although its worker was told of an error, and then once more",
        happens=(
            "the applier hands a plan to the log, cannot take it into its own snapshot, and answers with an "
            "error; the worker plans the same again, the new plan is judged by a snapshot without the first, "
            "and both are committed to a node with room for one"
        ),
        conditions=(
            "the applier is pipelined, and its snapshot is older than the plan that it judges",
            "the entry that it could not take in is still under way when the next plan is judged",
        ),
        cure=quirks.ERROR_AFTER_DISPATCH,
        steps=27,
    ),
    KnownFinding(
        id="F-02",
        model="kernel",
        violates="the_snapshot_shows_nothing_that_failed",
        scope="stale-snapshot",
        title="The applier's snapshot goes on showing an entry that failed",
        happens=(
            "after an entry has failed and was seen to, the snapshot still shows the allocation it was to "
            "make"
        ),
        conditions=("the applier is pipelined", "a log entry fails"),
        cure=quirks.PHANTOM_EFFECTS,
        steps=8,
    ),
    KnownFinding(
        id="F-03",
        model="kernel",
        violates="plans_are_judged_by_newer_state",
        scope="stale-snapshot",
        title="A plan is judged by a state older than its own",
        happens=(
            "while an entry's completion has not been seen, a plan that was made from newer state is "
            "judged by the snapshot from before"
        ),
        conditions=(
            "the applier is pipelined and has not seen the last completion",
            "something else changed the state since its snapshot was taken",
        ),
        cure=quirks.STALE_JUDGEMENT,
        steps=15,
    ),
    KnownFinding(
        id="F-04",
        model="kernel",
        violates="the_snapshot_has_all_that_was_dispatched",
        scope="stale-snapshot",
        title="An entry is handed out that the applier's snapshot does not show",
        happens=(
            "the snapshot cannot take in an entry that was handed to the log already, and is judged by "
            "without it"
        ),
        conditions=("the applier is pipelined", "the snapshot is older than the plan that it should take in"),
        cure=quirks.ERROR_AFTER_DISPATCH,
        steps=18,
    ),
    KnownFinding(
        id="F-05",
        model="kernel",
        violates="terminal_records_stay",
        scope="leader-change",
        title="A canceled evaluation is delivered, run and completed",
        happens=(
            "a blocked evaluation that was woken waits behind its job, is canceled in the store because a "
            "sibling placed everything, and is delivered and written complete all the same"
        ),
        conditions=(
            "a blocked evaluation was woken and waits in the broker",
            "a sibling places everything before its turn comes",
        ),
        cure=quirks.CANCELLED_IS_DELIVERED,
        steps=22,
    ),
    KnownFinding(
        id="F-06",
        model="kernel",
        violates="wanted_jobs_are_placed",
        scope="leader-change",
        title="A wake-up is forgotten with its leader",
        happens=(
            "capacity comes free while an evaluation is being planned or queued, and the leader is lost "
            "before it runs again; the next leader blocks it, and nothing wakes it although there is room"
        ),
        conditions=(
            "capacity comes free for a blocked evaluation",
            "the leader changes before the evaluation has run again",
            "nothing else happens to the job or the nodes",
        ),
        cure=quirks.FORGOTTEN_WAKE,
        steps=11,
        reduction="none",
    ),
    KnownFinding(
        id="F-07",
        model="kernel",
        violates="terminal_records_stay",
        scope="delivery-limit",
        title="A completed evaluation becomes failed because its ack was lost",
        happens=(
            "an evaluation is written complete, its delivery times out before the ack, and when all "
            "deliveries are used up the leader writes it as failed and makes a follow-up of it"
        ),
        conditions=("the ack of a written outcome comes too late", "the deliveries are used up thereafter"),
        cure=quirks.LOST_ACK,
        steps=12,
    ),
    KnownFinding(
        id="F-08",
        model="kernel",
        violates="tracked_evaluations_are_not_queued",
        scope="redelivery",
        title="An evaluation is with the broker and with the tracker at once",
        happens=(
            "an evaluation is blocked again, and its delivery times out before the ack: both have it now"
        ),
        conditions=("an evaluation is blocked again", "its delivery times out before it is acked"),
        cure=quirks.KEPT_TWICE,
        steps=16,
    ),
    KnownFinding(
        id="F-09",
        model="kernel",
        violates="deadlock",
        scope="pause",
        title="After a pause nobody reaps evaluations that were given up",
        happens=(
            "an evaluation that used up its deliveries stays in the failed queue and holds its job for good"
        ),
        conditions=("the broker was paused once under this leader", "an evaluation uses up its deliveries"),
        cure=quirks.FORGOTTEN_REAPER,
        steps=6,
    ),
    KnownFinding(
        id="F-10",
        model="kernel",
        violates="no_pending_evaluation_is_forgotten",
        scope="duplicates",
        title="A superseded evaluation is forgotten when the entry that cancels it fails",
        happens="its record says pending, and neither broker nor tracker nor any list has it",
        conditions=("evaluations were superseded behind their job", "the entry that cancels them fails"),
        cure=quirks.FORGOTTEN_BATCH,
        steps=9,
    ),
    KnownFinding(
        id="F-11",
        model="kernel",
        violates="no_blocked_evaluation_is_forgotten",
        scope="duplicates",
        title="A duplicate is forgotten when the entry that cancels it fails",
        happens="its record says blocked, and nothing will wake or cancel it under this leader",
        conditions=("a job has two blocked evaluations", "the entry that cancels the older one fails"),
        cure=quirks.FORGOTTEN_BATCH,
        steps=14,
    ),
    KnownFinding(
        id="F-12",
        model="kernel",
        violates="plans_keep_the_version_that_they_were_made_for",
        scope="update",
        title="A plan for an old version is labelled with the new one",
        happens=(
            "a job is registered anew between planning and submitting, and the plan takes the new "
            "version's name"
        ),
        conditions=("a job is updated after the snapshot of its plan", "the plan is submitted after that"),
        cure=quirks.RELABELLED_PLACEMENT,
        steps=5,
    ),
    KnownFinding(
        id="F-13",
        model="kernel",
        violates="answers_of_success_are_true",
        scope="update",
        title="A worker is told that placements were made which were left out",
        happens=(
            "a job is stopped while its plan is queued: nothing is placed, and the answer says that all was"
        ),
        conditions=("a job is stopped between the submission and the commit of its plan",),
        cure=quirks.SILENT_DROP,
        steps=6,
    ),
    KnownFinding(
        id="F-14",
        model="kernel",
        violates="purge_leaves_nothing",
        scope="purge",
        title="A deployment outlives its job",
        happens="a plan that was made before a purge begins a deployment of the job that is gone",
        conditions=("a plan with a new deployment is under way", "the job is purged before it is committed"),
        cure=quirks.ORPHANED_DEPLOYMENT,
        steps=3,
    ),
    KnownFinding(
        id="F-15",
        model="kernel",
        violates="nothing_queued_is_collected",
        scope="pause",
        title="A collector deletes an evaluation that a worker still has",
        happens="the record has ended and is deleted before the delivery is acked",
        conditions=("a collection falls between the outcome and the ack of an evaluation",),
        cure=quirks.HASTY_COLLECTION,
        steps=7,
    ),
    KnownFinding(
        id="F-16",
        model="kernel",
        violates="what_is_deleted_stays_deleted",
        scope="collection",
        title="A deleted evaluation comes back",
        happens="a worker writes the outcome of an evaluation whose record was deleted under it",
        conditions=("a record is collected while a worker has the evaluation",),
        cure=quirks.HASTY_COLLECTION,
        steps=19,
    ),
    KnownFinding(
        id="F-17",
        model="kernel",
        violates="nothing_alive_is_collected",
        scope="collection",
        title="A collector deletes a running allocation",
        happens=(
            "a job is found dead, is registered again and placed, and is then purged by the collector "
            "with all that it has"
        ),
        conditions=("a job is registered again between the collector's decision and its entry",),
        cure=quirks.HASTY_REAP,
        steps=19,
    ),
    KnownFinding(
        id="F-18",
        model="kernel",
        violates="only_operators_delete_wanted_jobs",
        scope="collection",
        title="A collector purges a job that is wanted again",
        happens=(
            "a job that was found dead is registered again, and is purged by the collector's later entry"
        ),
        conditions=("a job is registered again between the collector's decision and its entry",),
        cure=quirks.HASTY_REAP,
        steps=13,
    ),
    KnownFinding(
        id="F-19",
        model="kernel",
        violates="what_is_over_stays_over",
        scope="silence",
        title="A plan revives an allocation that its client reported failed",
        happens=(
            "a plan made while a node was silent writes unknown over the report of failure that came in "
            "meanwhile"
        ),
        conditions=("a silent node is heard again and reports an end", "a plan from before that is applied"),
        cure=quirks.OVERWRITTEN_REPORT,
        steps=14,
    ),
    KnownFinding(
        id="F-20",
        model="kernel",
        violates="reports_spare_what_has_ended",
        scope="silence",
        title="A reconnecting allocation cancels a follow-up that was done already",
        happens=(
            "the follow-up of an unknown allocation is complete, and becomes canceled when the allocation "
            "is back"
        ),
        conditions=("the follow-up ran before the allocation reconnected",),
        cure=quirks.HASTY_CANCEL,
        steps=26,
    ),
    KnownFinding(
        id="F-21",
        model="kernel",
        violates="counters_agree_with_allocations",
        scope="rollout",
        title="A deployment counts an allocation as healthy and unhealthy",
        happens="an allocation that was unhealthy becomes healthy, and stays counted as unhealthy too",
        conditions=("an allocation of a deployment recovers",),
        cure=quirks.COUNTED_ONCE,
        steps=10,
    ),
    KnownFinding(
        id="F-22",
        model="kernel",
        violates="lost_nodes_are_left",
        scope="node-loss",
        title="The evaluations of a lost node are never written",
        happens=(
            "a node goes down, the leader is lost before the node's handler has written its evaluations, "
            "and the next leader does not know that they are owed"
        ),
        conditions=("the leader changes between a node event and the entry with its evaluations",),
        cure=quirks.FORGOTTEN_HANDLER,
        steps=18,
        reduction="none",
    ),
    KnownFinding(
        id="F-23",
        model="kernel",
        violates="duplicates_are_not_tracked",
        scope="redelivery",
        title="An evaluation is to be canceled as a duplicate of itself",
        happens=(
            "an evaluation that the tracker holds is blocked again by a second delivery, and displaces itself"
        ),
        conditions=("an evaluation is blocked again", "its delivery times out before it is acked"),
        cure=quirks.KEPT_TWICE,
        steps=23,
    ),
    KnownFinding(
        id="F-24",
        model="kernel",
        violates="duplicates_are_canceled",
        scope="duplicates",
        title="A duplicate is never canceled when the entry that cancels it fails",
        happens=(
            "its record says blocked for ever, though a newer evaluation of the job has taken its place"
        ),
        conditions=("a job has two blocked evaluations", "the entry that cancels the older one fails"),
        cure=quirks.FORGOTTEN_BATCH,
        steps=16,
        reduction="none",
    ),
    KnownFinding(
        id="F-25",
        model="kernel",
        violates="pending_evaluations_end",
        scope="pause",
        title="After a pause an evaluation that was given up stays pending",
        happens="an evaluation that used up its deliveries is never written as failed, and gets no follow-up",
        conditions=("the broker was paused once under this leader", "an evaluation uses up its deliveries"),
        cure=quirks.FORGOTTEN_REAPER,
        steps=5,
        reduction="none",
    ),
    KnownFinding(
        id="F-26",
        model="kernel",
        violates="given_up_evaluations_are_reaped",
        scope="pause",
        title="After a pause the failed queue is not emptied",
        happens="an evaluation stays in the failed queue, because the loop that empties it has ended",
        conditions=("the broker was paused once under this leader", "an evaluation uses up its deliveries"),
        cure=quirks.FORGOTTEN_REAPER,
        steps=5,
        reduction="none",
    ),
    KnownFinding(
        id="F-27",
        model="kernel",
        violates="tracked_evaluations_are_blocked",
        scope="redelivery",
        title="The tracker holds an evaluation that has ended",
        happens="a second delivery of a reblocked evaluation completes it, and the tracker keeps it",
        conditions=("an evaluation is blocked again", "its delivery times out before it is acked"),
        cure=quirks.KEPT_TWICE,
        steps=24,
    ),
    KnownFinding(
        id="F-28",
        model="kernel",
        violates="place_follows_its_table",
        scope="redelivery",
        title="An evaluation goes where no lifecycle leads",
        happens="an evaluation that broker and tracker both had leaves one of them by a way of its own",
        conditions=("an evaluation is blocked again", "its delivery times out before it is acked"),
        cure=quirks.KEPT_TWICE,
        steps=36,
    ),
    KnownFinding(
        id="F-29",
        model="kernel",
        violates="jobs_get_no_surplus",
        scope="stale-snapshot",
        title="A job runs more instances than it wants",
        happens="a plan that was answered with an error is committed, and so is the one made instead of it",
        conditions=(
            "the applier is pipelined, and its snapshot is older than the plan that it judges",
            "the entry that it could not take in is still under way when the next plan is judged",
        ),
        cure=quirks.ERROR_AFTER_DISPATCH,
        steps=27,
    ),
    KnownFinding(
        id="F-30",
        model="kernel",
        violates="failed_plans_leave_a_blocked_evaluation",
        scope="types",
        title="A system job whose plans failed is never tried again",
        happens="a system evaluation that used up its plan attempts is failed, and no blocked one stays",
        conditions=("the job is a system job", "its plans are refused as often as is allowed"),
        cure=quirks.DEAD_END,
        steps=7,
    ),
    KnownFinding(
        id="F-31",
        model="kernel",
        violates="no_node_is_overfull",
        scope="in-place",
        title="An allocation grows in its place where there is no room",
        happens=(
            "a plan lets an allocation grow in its place, another plan fills the node meanwhile, and the "
            "first one is committed without a look at capacity"
        ),
        conditions=(
            "a new version of a job needs more room and is taken over in place",
            "another job is given the room between the snapshot and the commit of that plan",
        ),
        cure=quirks.UNCHECKED_UPDATE,
        steps=18,
    ),
    KnownFinding(
        id="F-32",
        model="kernel",
        violates="shared_follow_ups_are_kept",
        scope="shared",
        title="The first allocation that reconnects takes the follow-up of the others away",
        happens=(
            "two allocations of a silent node wait for one follow-up; one of them reconnects, and the "
            "follow-up is canceled although the other is still unknown"
        ),
        conditions=(
            "two allocations of a job become unknown at once",
            "one of them reconnects before the other",
        ),
        cure=quirks.SHARED_FOLLOW_UP,
        steps=15,
    ),
    KnownFinding(
        id="F-33",
        model="kernel",
        violates="core_evaluations_are_not_stored",
        scope="chores",
        title="A core evaluation that never had a record gets one",
        happens="core evaluations wait behind each other, and the superseded one is written as canceled",
        conditions=("a collector is slower than its ticker, so that two of its evaluations wait",),
        cure=quirks.STORED_CORE_EVAL,
        steps=6,
    ),
    KnownFinding(
        id="F-34",
        model="kernel",
        violates="plans_of_purged_jobs_are_no_errors",
        scope="purge",
        title="Who plans for a job that was purged gets an error, again and again",
        happens=(
            "a job is purged while it is planned; its plan is refused with an error, the delivery is given "
            "back, and when deliveries are used up the evaluation is failed without a follow-up"
        ),
        conditions=("a job is purged between the snapshot and the submission of its plan",),
        cure=quirks.FAILING_PURGE,
        steps=5,
    ),
    KnownFinding(
        id="F-35",
        model="kernel",
        violates="what_is_over_stays_over",
        scope="revival",
        title="An allocation that was driven out is told to run again",
        happens=(
            "an update in place is planned, its allocation is driven out by an urgent job, and when the room "
            "is free again the plan is committed and sets the allocation to run"
        ),
        conditions=(
            "a new version of a job is taken over in place",
            "the allocation is driven out between the snapshot and the commit of that plan",
            "its node has room again when the plan is judged, and its client has not reported the end",
        ),
        cure=quirks.REVIVED_ALLOCATION,
        steps=19,
    ),
    KnownFinding(
        id="F-36",
        model="kernel",
        violates="lost_nodes_are_left",
        scope="late-loss",
        title="An allocation is placed on a node that is down, and stays there",
        happens=(
            "a node goes down while an entry is under way that places an allocation there; the handler of "
            "the node event does not see it yet, and nobody evaluates the job when it is committed"
        ),
        conditions=(
            "the node's entry is applied between the dispatch and the commit of a plan",
            "nothing of the job was on the node before",
        ),
        cure=quirks.UNSEEN_LOSS,
        steps=11,
        reduction="none",
    ),
    KnownFinding(
        id="F-37",
        model="kernel",
        violates="ended_deployments_stay_ended",
        scope="rollout",
        title="A deployment that was failed goes on",
        happens="a deployment is failed while a plan is made that saw it running, and the plan revives it",
        conditions=("a deployment ends between the snapshot and the commit of a plan for it",),
        cure=quirks.STALE_DEPLOYMENT,
        steps=5,
    ),
    KnownFinding(
        id="F-38",
        model="kernel",
        violates="tracked_evaluations_are_blocked",
        scope="displaced",
        title="The tracker holds a canceled evaluation of a system job that is placed",
        happens=(
            "a system job is placed while one of its evaluations is tracked for a node; its record is "
            "canceled, and the tracker forgets it only under its node"
        ),
        conditions=("a system job has a blocked evaluation", "another of its evaluations places everything"),
        cure=quirks.LEFT_CAPTURED,
        steps=14,
    ),
    KnownFinding(
        id="F-39",
        model="kernel",
        violates="superseded_evaluations_are_out",
        scope="woken-twice",
        title="A superseded evaluation of a system job is woken once more",
        happens=(
            "an evaluation is tracked for one node, the class of another node wakes it, it is superseded "
            "behind its job, and then its own node offers it to the broker again"
        ),
        conditions=(
            "a system job has a blocked evaluation for one node, and capacity comes free on another",
            "a newer evaluation of the job supersedes it in the broker",
            "its own node has an event before the next wake-up forgets it",
        ),
        cure=quirks.WOKEN_TWICE,
        steps=12,
    ),
    KnownFinding(
        id="F-40",
        model="kernel",
        violates="who_gives_up_spares_what_has_ended",
        scope="purge-refused",
        title="An evaluation that a purge completed becomes failed",
        happens=(
            "a job is purged while its plan is queued, which completes its evaluation; the plan is refused "
            "as often as is allowed, and the worker writes failed over it"
        ),
        conditions=(
            "a job is purged between the submission and the commit of its plan",
            "the plan is refused, and no attempt is left",
        ),
        cure=quirks.OVERWRITTEN_END,
        steps=8,
    ),
    KnownFinding(
        id="F-41",
        model="kernel",
        violates="no_node_is_overfull",
        scope="void-entry",
        title="A plan is committed that was judged on top of an entry which the store refused",
        happens=(
            "the entry that stops two allocations of a job is under way while one of them completes and is "
            "collected; the store refuses the entry, the other allocation lives on, and what was placed in "
            "the room of both is committed"
        ),
        conditions=(
            "the applier is pipelined, and an entry stops more than one allocation",
            "one of them ends by itself and is deleted before the entry is committed",
            "the next plan was judged as if all of them were gone",
        ),
        cure=quirks.VOID_EFFECTS,
        beside=(quirks.PHANTOM_EFFECTS,),
        steps=28,
    ),
)
