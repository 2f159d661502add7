"""What is known to go wrong about evaluations: how they are delivered, blocked, canceled and given up."""

from typing import Final

from nomadspec.invariants.findings import Face, Impact, KnownFinding, Lasting, Loss
from nomadspec.model.specification import quirks

ABOUT_EVALS: Final = (
    KnownFinding(
        id="F-05",
        model="kernel",
        violates="terminal_eval_keeps_its_status",
        scope="woken-late",
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
        steps=21,
        impact=Impact(
            harm="an evaluation that was canceled is run once more",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_A_WHILE,
            hits=(
                "whoever reads evaluations: one that was canceled is run once more, and is complete or "
                "failed then; no allocation is lost"
            ),
        ),
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
        impact=Impact(
            harm="a job is not placed although there is room",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits=(
                "a service or batch job that waits for room when the leader is lost, until it is "
                "registered again or a node has an event"
            ),
        ),
        reduction="none",
    ),
    KnownFinding(
        id="F-07",
        model="kernel",
        violates="terminal_eval_keeps_its_status",
        scope="delivery-limit",
        title="A completed evaluation becomes failed because its ack was lost",
        happens=(
            "an evaluation is written complete, its delivery times out before the ack, and when all "
            "deliveries are used up the leader writes it as failed and makes a follow-up of it"
        ),
        conditions=(
            "the ack of a written outcome comes too late",
            "the deliveries are used up thereafter",
        ),
        cure=quirks.LOST_ACK,
        steps=12,
        impact=Impact(
            harm="an evaluation that was complete has failed",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_GOOD,
            hits=(
                "whoever waits for the evaluation, as the command line does after a registration: it "
                "reports failure of what was done; its follow-up finds nothing to do"
            ),
        ),
    ),
    KnownFinding(
        id="F-08",
        model="kernel",
        violates="missing_alloc_has_open_eval",
        scope="redelivery",
        title="A job waits for room, and nothing will ever look at it again",
        happens=(
            "an evaluation is blocked again, and its delivery times out before the ack: the broker and "
            "blocked evals both have it. The second delivery displaces it in blocked evals, the leader "
            "cancels it as a duplicate of itself, and the job has too few allocations and no evaluation"
        ),
        conditions=(
            "an evaluation is blocked again",
            "its delivery times out before it is acked",
        ),
        cure=quirks.KEPT_TWICE,
        steps=24,
        impact=Impact(
            harm="a job is not placed although there is room",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits=(
                "a service or batch job that waits for room, until somebody registers it again or a node "
                "of it has an event"
            ),
        ),
        faces=(
            Face("blocked_evals_are_not_in_the_broker", "redelivery", 16),
            Face("duplicate_blocked_eval_gives_way_to_a_newer_one", "redelivery", 23),
            Face("duplicates_are_not_in_blocked_evals", "redelivery", 23),
            Face("tracked_evals_are_blocked", "redelivery", 24),
            Face("place_follows_its_table", "redelivery", 36),
            Face("terminal_eval_keeps_its_status", "redelivery", 41),
        ),
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
        conditions=(
            "the broker was paused once under this leader",
            "an evaluation uses up its deliveries",
        ),
        cure=quirks.FORGOTTEN_REAPER,
        steps=6,
        impact=Impact(
            harm="nothing of a job is evaluated any more",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits=(
                "every job of which an evaluation reaches its delivery limit after a pause: not even a "
                "registration gets through; only another leader rescues it"
            ),
        ),
        faces=(
            Face("pending_evaluations_end", "pause", 5, reduction="none"),
            Face("wanted_jobs_are_placed", "pause", 5, reduction="none"),
            Face("no_live_alloc_on_down_node", "pause", 14, reduction="none"),
            Face("evals_at_their_delivery_limit_are_reaped", "pause", 5, reduction="none"),
        ),
    ),
    KnownFinding(
        id="F-10",
        model="kernel",
        violates="no_pending_evaluation_is_forgotten",
        scope="duplicates",
        title="Evaluations that were to be canceled are forgotten when the entry that cancels them fails",
        happens=(
            "superseded and duplicate evaluations are taken off their list before the entry that cancels "
            "them is committed; it fails, and their records say pending or blocked until the next leader "
            "looks at them"
        ),
        conditions=(
            "an evaluation was superseded behind its job, or a job has two blocked ones",
            "the entry that cancels it fails",
        ),
        cure=quirks.FORGOTTEN_BATCH,
        steps=9,
        impact=Impact(
            harm="an evaluation never ends",
            loss=Loss.CONTROL,
            lasts=Lasting.UNTIL_CHANGED,
            hits=(
                "whoever waits for the evaluation, as a deployment or an operator does; the next leader "
                "runs it"
            ),
        ),
        faces=(
            Face("no_blocked_evaluation_is_forgotten", "duplicates", 14),
            Face("duplicates_are_canceled", "duplicates", 16, reduction="none"),
        ),
    ),
    KnownFinding(
        id="F-15",
        model="kernel",
        violates="deleted_eval_stays_deleted",
        scope="dead-again",
        title="A deleted evaluation comes back",
        happens=(
            "the collector deletes an evaluation that has ended while a worker or the broker still has "
            "it, and the worker writes its outcome: a record that nobody will look after comes back"
        ),
        conditions=("a collection falls between the outcome and the ack of an evaluation",),
        cure=quirks.HASTY_COLLECTION,
        steps=6,
        impact=Impact(
            harm="an evaluation that was deleted is listed again",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_A_WHILE,
            hits="whoever lists evaluations, until the record is collected again",
        ),
        faces=(Face("eval_is_collected_only_once_nobody_has_it", "dead-again", 2),),
    ),
    KnownFinding(
        id="F-20",
        model="kernel",
        violates="terminal_eval_keeps_its_status",
        scope="disconnect",
        title="A reconnecting allocation cancels a follow-up that was done already",
        happens=(
            "the follow-up of an unknown allocation is complete, and becomes canceled when the allocation "
            "is back"
        ),
        conditions=("the follow-up ran before the allocation reconnected",),
        cure=quirks.HASTY_CANCEL,
        steps=24,
        impact=Impact(
            harm="an evaluation that was complete is canceled",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_GOOD,
            hits="whoever reads evaluations: one that was complete is canceled",
        ),
        beside=(quirks.DROPPED_DELAYED_FIRES,),
    ),
    KnownFinding(
        id="F-30",
        model="kernel",
        violates="system_job_lacking_an_alloc_has_open_eval",
        scope="outrun",
        title="A system job whose plans failed is never tried again",
        happens=(
            "a system evaluation that used up its plan attempts is failed, and no blocked one stays; the "
            "room that was taken becomes free, and the job is not placed there"
        ),
        conditions=(
            "the job is a system job",
            "its plans are refused as often as is allowed",
            "what took its room ends later",
        ),
        cure=quirks.DEAD_END,
        steps=19,
        impact=Impact(
            harm="a system job is missing on a node, and nobody looks again",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a system or sysbatch job whose plans are refused, until its next event",
        ),
        faces=(Face("eval_that_fell_short_leaves_a_blocked_one", "types", 7),),
    ),
    KnownFinding(
        id="F-32",
        model="kernel",
        violates="follow_up_is_called_off_only_with_its_last_alloc",
        scope="shared",
        title="The first allocation that reconnects takes the follow-up of the others away",
        happens=(
            "two allocations of a disconnected node wait for one follow-up; one of them reconnects, and the "
            "follow-up is canceled although the other is still unknown"
        ),
        conditions=(
            "two allocations of a job become unknown at once",
            "one of them reconnects before the other",
        ),
        cure=quirks.SHARED_FOLLOW_UP,
        steps=15,
        impact=Impact(
            harm="an allocation is unknown for good, and is not given up",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits=(
                "a service or batch job with two allocations on a disconnected node: the one that does "
                "not come back is neither lost nor replaced for good, until something else has the job "
                "looked at"
            ),
        ),
    ),
    KnownFinding(
        id="F-33",
        model="kernel",
        violates="core_evaluations_are_not_stored",
        scope="core-evals",
        title="A core evaluation that never had a record gets one",
        happens="core evaluations wait behind each other, and the superseded one is written as canceled",
        conditions=("a collector is slower than its ticker, so that two of its evaluations wait",),
        cure=quirks.STORED_CORE_EVAL,
        steps=6,
        impact=Impact(
            harm="one of the leader's own evaluations is listed among those of jobs",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_A_WHILE,
            hits=(
                "whoever lists evaluations: one of the leader's own is among them, canceled, until it is "
                "collected"
            ),
        ),
        faces=(Face("deleted_eval_stays_deleted", "core-evals", 6),),
    ),
    KnownFinding(
        id="F-38",
        model="kernel",
        violates="tracked_evals_are_blocked",
        scope="displaced",
        title="The tracker holds a canceled evaluation of a system job that is placed",
        happens=(
            "a system job is placed while one of its evaluations is tracked for a node; its record is "
            "canceled, and the tracker forgets it only under its node"
        ),
        conditions=(
            "a system job has a blocked evaluation",
            "another of its evaluations places everything",
        ),
        cure=quirks.LEFT_CAPTURED,
        steps=14,
        impact=Impact(
            harm="blocked evaluations hold one that was canceled",
            loss=Loss.RECORD,
            lasts=Lasting.UNTIL_CHANGED,
            hits=(
                "nobody's work: the leader's memory keeps an evaluation of a system job until its node "
                "has an event, and the job is looked at once more than needed"
            ),
        ),
        faces=(
            Face("placed_job_has_no_blocked_eval", "displaced", 13),
            Face("blocked_eval_is_kept_where_it_can_be_woken", "displaced", 13),
            Face("duplicate_blocked_eval_gives_way_to_a_newer_one", "displaced", 20),
        ),
    ),
    KnownFinding(
        id="F-40",
        model="kernel",
        violates="terminal_eval_keeps_its_status",
        scope="purge-refused",
        title="An evaluation that a purge completed becomes failed",
        happens=(
            "a job is purged while its plan is queued, which completes its evaluation; the plan is "
            "refused as often as is allowed, and the worker writes failed over it"
        ),
        conditions=(
            "a job is purged between the submission and the commit of its plan",
            "the plan is refused, and no attempt is left",
        ),
        cure=quirks.OVERWRITTEN_END,
        steps=8,
        impact=Impact(
            harm="the evaluation of a purged job has failed",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_GOOD,
            hits="whoever waits for the evaluation of a purged job: it was complete and has failed",
        ),
        beside=(
            quirks.SILENT_PURGE,
            quirks.CANCELLED_IS_DELIVERED,
        ),
    ),
    KnownFinding(
        id="F-42",
        model="kernel",
        violates="terminal_eval_keeps_its_status",
        scope="purge-limit",
        title="An evaluation that a purge has completed is delivered and fails",
        happens=(
            "a job is purged while its evaluation is ready: the record is complete, the broker delivers "
            "it all the same, and when its deliveries are used up the leader writes failed over it"
        ),
        conditions=(
            "a job is purged while an evaluation of it is in the broker",
            "the deliveries of the evaluation are used up thereafter",
        ),
        cure=quirks.SILENT_PURGE,
        steps=5,
        impact=Impact(
            harm="the evaluation of a purged job has failed",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_GOOD,
            hits="whoever waits for the evaluation of the purge: it was complete and has failed",
        ),
        beside=(quirks.LOST_ACK,),
    ),
    KnownFinding(
        id="F-43",
        model="kernel",
        violates="terminal_eval_keeps_its_status",
        scope="follow-up-canceled",
        title="A follow-up that was called off runs all the same",
        happens=(
            "the follow-up of an unknown allocation is canceled as the allocation reconnects, becomes "
            "ready when it heads the delay heap, and is written again by the worker that it is delivered "
            "to"
        ),
        conditions=(
            "an unknown allocation reconnects before its follow-up falls due",
            "the canceled follow-up heads the delay heap",
        ),
        cure=quirks.DROPPED_DELAYED_FIRES,
        steps=22,
        impact=Impact(
            harm="an evaluation that was canceled is run once more",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_A_WHILE,
            hits="whoever reads evaluations; the job is evaluated once more than needed",
        ),
        beside=(quirks.HASTY_CANCEL,),
    ),
    KnownFinding(
        id="F-44",
        model="kernel",
        violates="terminal_eval_keeps_its_status",
        scope="displaced",
        title="An evaluation that lost its place is canceled, and woken by its node all the same",
        happens=(
            "a blocked evaluation of a system job is displaced by a newer one and is canceled as a "
            "duplicate, but stays under its node; the node has an event, and the evaluation is delivered "
            "and written again"
        ),
        conditions=(
            "a system job has blocked evaluations for two nodes",
            "the node of the one that was displaced has an event",
        ),
        cure=quirks.DISPLACED_IS_DELIVERED,
        steps=29,
        impact=Impact(
            harm="an evaluation that was canceled is run once more",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_A_WHILE,
            hits="whoever reads evaluations; the system job is evaluated once more than needed",
        ),
        beside=(
            quirks.CANCELLED_IS_DELIVERED,
            quirks.LOST_ACK,
            quirks.HASTY_CANCEL,
            quirks.DROPPED_DELAYED_FIRES,
            quirks.OVERWRITTEN_END,
            quirks.SILENT_PURGE,
        ),
    ),
)
