"""What is known to go wrong about evaluations: how they are delivered, blocked, canceled and failed."""

from typing import Final

from nomadspec.invariants.kernel.findings.sizes import ONE_TRY
from nomadspec.invariants.known_finding import Face, Impact, KnownFinding, Lasting, Loss
from nomadspec.model.specification import quirks

ABOUT_EVALS: Final = (
    KnownFinding(
        id="F-05",
        title="The broker delivers an evaluation that was canceled while it was pending",
        happens="a blocked evaluation is unblocked and pending for its job. A sibling places everything, and "
        "the waiting one is canceled in the store. The broker still delivers it, and its worker writes it "
        "complete",
        conditions=(
            "a blocked evaluation was woken and waits in the broker",
            "a sibling places everything before its turn comes",
        ),
        impact=Impact(
            harm="a canceled evaluation runs once more",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_A_WHILE,
            hits="only readers of evaluations: a canceled one becomes complete or failed; no allocation is "
            "lost",
        ),
        cure=quirks.CANCELLED_IS_DELIVERED,
        shown=Face("terminal_eval_keeps_its_status", "woken-late", 21),
    ),
    KnownFinding(
        id="F-06",
        title="A new leader blocks an evaluation that was already unblocked",
        happens="room becomes free, and a blocked evaluation is unblocked. The leader is lost before the "
        "evaluation has run. The next leader restores it as blocked, and nothing unblocks it although there "
        "is room",
        conditions=(
            "room becomes free for a blocked evaluation",
            "the leader changes before the evaluation has run again",
            "nothing else happens to the job or the nodes",
        ),
        impact=Impact(
            harm="a job stays blocked despite room",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a service or batch job that is blocked when the leader is lost, until it is registered "
            "again or a node has an event",
        ),
        cure=quirks.FORGOTTEN_WAKE,
        shown=Face("wanted_jobs_are_placed", "leader-change", 11, reduction="none"),
        sizes={"evals": 3, "allocations": 1, **ONE_TRY, "endings": 0},
        decisive=10,
    ),
    KnownFinding(
        id="F-07",
        title="The delivery limit overwrites a complete evaluation with failed",
        happens="a worker writes its evaluation complete, and the delivery times out before the ack. After "
        "the last delivery the leader writes the evaluation failed and creates a follow-up",
        conditions=("the ack of a written outcome comes too late", "no delivery is left"),
        impact=Impact(
            harm="a complete evaluation is marked failed",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_GOOD,
            hits="an operator who waits for the evaluation, as the command line does after a registration: "
            "it reports a failure although the work is done; the follow-up finds nothing to do",
        ),
        cure=quirks.LOST_ACK,
        shown=Face("terminal_eval_keeps_its_status", "delivery-limit", 8),
        sizes={
            "evals": 2,
            "allocations": 1,
            **ONE_TRY,
            "requests": 0,
            "errors": 0,
            "timeouts": 1,
            "endings": 0,
        },
    ),
    KnownFinding(
        id="F-08",
        title="A job's only blocked evaluation is canceled as its own duplicate",
        happens="an evaluation is blocked again, and its delivery times out before the ack, so both the "
        "broker and blocked evals hold it. The second delivery displaces it in blocked evals, and the leader "
        "cancels it as a duplicate. The job has too few allocations and no open evaluation",
        conditions=("an evaluation is blocked again", "its delivery times out before the ack"),
        impact=Impact(
            harm="a job stays blocked for good",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a service or batch job that is blocked, until it is registered again or a node of it has "
            "an event",
        ),
        cure=quirks.KEPT_TWICE,
        shown=Face("missing_alloc_has_open_eval", "redelivery", 24),
        sizes={"evals": 2, "allocations": 0, "attempts": 1, "node_changes": 1, "endings": 0},
        decisive=22,
        faces=(
            Face("tracked_evals_are_nowhere_else", "redelivery", 16),
            Face("duplicate_blocked_eval_gives_way_to_a_newer_one", "redelivery", 23),
            Face("tracked_evals_are_blocked", "redelivery", 24),
            Face("place_follows_its_table", "redelivery", 36),
            Face("terminal_eval_keeps_its_status", "redelivery", 41),
        ),
    ),
    KnownFinding(
        id="F-09",
        title="Pausing the broker ends the reaper of failed evaluations for good",
        happens="a pause of the broker ends the leader's reaper of failed evaluations, and nothing starts it "
        "again. An evaluation that reaches its delivery limit stays in the failed queue and occupies its "
        "job. No other evaluation of the job is delivered",
        conditions=(
            "the broker was paused once under this leader",
            "an evaluation reaches its delivery limit",
        ),
        impact=Impact(
            harm="a job is never evaluated again",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="every job with an evaluation that reaches its delivery limit after a pause: not even a "
            "registration takes effect; only another leader rescues it",
        ),
        cure=quirks.FORGOTTEN_REAPER,
        shown=Face("deadlock", "pause", 5),
        sizes={
            "evals": 2,
            "allocations": 1,
            "attempts": 1,
            "node_changes": 0,
            "endings": 0,
            "gc_deletions": 0,
        },
        faces=(
            Face("pending_evaluations_end", "pause", 5, reduction="none"),
            Face("wanted_jobs_are_placed", "pause", 5, reduction="none"),
            Face("no_live_alloc_on_down_node", "pause", 14, reduction="none"),
            Face("deliveries_end", "pause", 5, reduction="none"),
        ),
    ),
    KnownFinding(
        id="F-10",
        title="Evaluations to be canceled are forgotten when the canceling entry fails",
        happens="the leader takes cancelable and duplicate evaluations off its lists before the entry that "
        "cancels them is committed. The entry fails, and they stay pending or blocked until the next leader "
        "restores them",
        conditions=(
            "an evaluation became cancelable in the broker, or a job has two blocked ones",
            "the entry that cancels it fails",
        ),
        impact=Impact(
            harm="an evaluation stays pending or blocked",
            loss=Loss.CONTROL,
            lasts=Lasting.UNTIL_CHANGED,
            hits="an operator or a tool that waits for the evaluation; the next leader runs it",
        ),
        cure=quirks.FORGOTTEN_BATCH,
        shown=Face("no_open_evaluation_is_forgotten", "duplicates", 9),
        sizes={"evals": 4, "allocations": 0, **ONE_TRY, "endings": 0},
        faces=(Face("cancelable_evals_are_canceled", "duplicates", 16, reduction="none"),),
    ),
    KnownFinding(
        id="F-15",
        title="A worker's late write recreates an evaluation that was collected",
        happens="garbage collection deletes a terminal evaluation that a worker or the broker still holds. "
        "The worker writes its outcome, and the record is back",
        conditions=("a collection falls between the outcome and the ack of an evaluation",),
        impact=Impact(
            harm="a deleted evaluation is listed again",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_A_WHILE,
            hits="only readers of evaluations, until the record is collected again",
        ),
        cure=quirks.HASTY_COLLECTION,
        shown=Face("deleted_eval_stays_deleted", "dead-again", 6),
        sizes={"evals": 2, "stops": 0, "returns": 0, "allocations": 0},
        faces=(Face("evals_in_use_are_stored", "dead-again", 2),),
    ),
    KnownFinding(
        id="F-20",
        title="A reconnecting allocation cancels a follow-up that is complete",
        happens="the follow-up of an unknown allocation has run and is complete. The allocation reconnects, "
        "and the follow-up becomes canceled",
        conditions=("the follow-up ran before the allocation reconnected",),
        impact=Impact(
            harm="a complete evaluation becomes canceled",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_GOOD,
            hits="only readers of evaluations",
        ),
        cure=quirks.HASTY_CANCEL,
        beside=(quirks.DROPPED_DELAYED_FIRES,),
        shown=Face("terminal_eval_keeps_its_status", "follow-up-canceled", 22),
        sizes={"allocations": 1, "attempts": 1, "endings": 0},
    ),
    KnownFinding(
        id="F-30",
        title="A system job whose plans were rejected is never tried again",
        happens="a system evaluation uses up its plan attempts and fails without leaving a blocked "
        "evaluation. Later the room becomes free, and the job is not placed there",
        conditions=(
            "the job is a system or sysbatch job",
            "its plans are rejected as often as is allowed",
            "the allocation that took its room ends later",
        ),
        impact=Impact(
            harm="a node lacks its system job",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a system or sysbatch job whose plans are rejected, until its next event",
        ),
        cure=quirks.DEAD_END,
        shown=Face("system_job_lacking_an_alloc_has_open_eval", "outrun", 19),
        sizes={"evals": 2, "deliveries": 1, "endings": 0},
        decisive=10,
        faces=(Face("eval_that_fell_short_leaves_a_blocked_one", "types", 7),),
    ),
    KnownFinding(
        id="F-32",
        title="The first allocation that reconnects cancels the follow-up of the others",
        happens="two allocations of a job become unknown in one evaluation and share one "
        "max-disconnect-timeout follow-up. One of them reconnects, and the follow-up is canceled although "
        "the other is still unknown",
        conditions=(
            "two allocations of a job become unknown at once, as when two nodes are lost",
            "one of them reconnects before the other",
            "the canceled follow-up does not head the delay heap; else it is delivered all the same (F-43)",
            "an allocation of another job with a longer lost_after keeps the other node disconnected",
        ),
        impact=Impact(
            harm="an unknown allocation outlives its lost_after",
            loss=Loss.WORK,
            lasts=Lasting.FOR_A_WHILE,
            hits="a service or batch job that loses two nodes at once: with replace false it runs one "
            "allocation short until another job's lost_after is over, or until its next evaluation",
        ),
        cure=quirks.SHARED_FOLLOW_UP,
        shown=Face("follow_up_is_called_off_only_with_its_last_alloc", "shared", 15),
        sizes={"evals": 4, "allocations": 2, **ONE_TRY, "endings": 0},
    ),
    KnownFinding(
        id="F-33",
        title="A cancelable core evaluation is stored as canceled",
        happens="two core evaluations are pending for one job in the broker. The cancelable one, which was "
        "never stored, is written to the store as canceled",
        conditions=(
            "garbage collection takes longer than its interval, so that two of its evaluations wait",
        ),
        impact=Impact(
            harm="an internal evaluation is listed",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_A_WHILE,
            hits="only readers of evaluations, until it is collected",
        ),
        cure=quirks.STORED_CORE_EVAL,
        shown=Face("core_evaluations_are_not_stored", "core-evals", 6),
        sizes={"allocations": 0, "attempts": 1, "errors": 0, "endings": 0},
        faces=(Face("deleted_eval_stays_deleted", "core-evals", 6),),
    ),
    KnownFinding(
        id="F-38",
        title="Blocked evals keep a canceled evaluation of a placed system job",
        happens="a system job is placed while one of its evaluations is blocked for a node. The record is "
        "canceled, but blocked evals drop it only from the list of its node",
        conditions=("a system job has a blocked evaluation", "another of its evaluations places everything"),
        impact=Impact(
            harm="blocked evals hold a canceled evaluation",
            loss=Loss.RECORD,
            lasts=Lasting.UNTIL_CHANGED,
            hits="only the leader's memory: the evaluation stays until its node has an event, and the job is "
            "evaluated once more than needed",
        ),
        cure=quirks.LEFT_CAPTURED,
        shown=Face("tracked_evals_are_blocked", "displaced", 12),
        sizes={
            "count": 1,
            "evals": 3,
            "allocations": 0,
            **ONE_TRY,
            "endings": 0,
            "node_changes": 1,
            "requests": 0,
            "nodes": 1,
        },
        faces=(
            Face("placed_job_has_no_blocked_eval", "displaced", 13),
            Face("duplicate_blocked_eval_gives_way_to_a_newer_one", "displaced", 20),
        ),
    ),
    KnownFinding(
        id="F-40",
        title="A worker overwrites an evaluation that a purge completed with failed",
        happens="a job is purged while its plan is queued, which completes its evaluation. The plan is "
        "rejected, no attempt is left, and the worker writes failed over complete",
        conditions=(
            "a job is purged between the submission and the commit of its plan",
            "the plan is rejected, and no attempt is left",
        ),
        impact=Impact(
            harm="a purged job's evaluation has failed",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_GOOD,
            hits="an operator who waits for the evaluation of a purged job",
        ),
        cure=quirks.OVERWRITTEN_END,
        beside=(quirks.SILENT_PURGE, quirks.CANCELLED_IS_DELIVERED),
        shown=Face("terminal_eval_keeps_its_status", "purge-rejected", 8),
        sizes={"allocations": 0, "endings": 0},
    ),
    KnownFinding(
        id="F-42",
        title="The broker delivers an evaluation that a purge completed, until it fails",
        happens="a job is purged while its evaluation is ready, which completes the record. The broker "
        "delivers the evaluation all the same, and after the last delivery the leader writes failed over "
        "complete",
        conditions=(
            "a job is purged while an evaluation of it is in the broker",
            "the evaluation reaches its delivery limit",
        ),
        impact=Impact(
            harm="a purged job's evaluation has failed",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_GOOD,
            hits="an operator who waits for the evaluation of the purge",
        ),
        cure=quirks.SILENT_PURGE,
        beside=(quirks.LOST_ACK,),
        shown=Face("terminal_eval_keeps_its_status", "purge-limit", 5),
        sizes={"evals": 2, "allocations": 0, "attempts": 1, "endings": 0},
    ),
    KnownFinding(
        id="F-43",
        title="A canceled follow-up evaluation still runs when its time comes",
        happens="an unknown allocation reconnects, and its follow-up is canceled. The follow-up heads the "
        "delay heap, so it becomes ready all the same at its time, and its worker writes it again",
        conditions=(
            "an unknown allocation reconnects before its follow-up is due",
            "the canceled follow-up heads the delay heap",
        ),
        impact=Impact(
            harm="a canceled evaluation runs once more",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_A_WHILE,
            hits="only readers of evaluations; the job is evaluated once more than needed",
        ),
        cure=quirks.DROPPED_DELAYED_FIRES,
        beside=(quirks.HASTY_CANCEL,),
        shown=Face("terminal_eval_keeps_its_status", "follow-up-canceled", 27),
        sizes={"nodes": 1, "allocations": 1, "attempts": 1, "endings": 0},
    ),
    KnownFinding(
        id="F-44",
        title="A node wakes a blocked evaluation that was canceled as a duplicate",
        happens="a newer blocked evaluation of a system job displaces an older one, which is canceled as a "
        "duplicate and stays in the list of its node. That node has an event, and the canceled evaluation is "
        "delivered and written again",
        conditions=(
            "a system job has blocked evaluations for two nodes",
            "the node of the displaced one has an event",
        ),
        impact=Impact(
            harm="a canceled evaluation runs once more",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_A_WHILE,
            hits="only readers of evaluations; the system job is evaluated once more than needed",
        ),
        cure=quirks.DISPLACED_IS_DELIVERED,
        beside=(
            quirks.CANCELLED_IS_DELIVERED,
            quirks.LOST_ACK,
            quirks.HASTY_CANCEL,
            quirks.DROPPED_DELAYED_FIRES,
            quirks.OVERWRITTEN_END,
            quirks.SILENT_PURGE,
        ),
        shown=Face("terminal_eval_keeps_its_status", "displaced", 22),
        sizes={"evals": 5, "allocations": 0, **ONE_TRY, "requests": 0, "endings": 0},
        faces=(Face("place_follows_its_table", "displaced", 15),),
    ),
)
