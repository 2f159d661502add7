"""What is known to go wrong about plans: how they are made, judged and committed."""

from typing import Final

from nomadspec.invariants.findings import Face, Impact, KnownFinding, Lasting, Loss
from nomadspec.model.specification import quirks

ABOUT_PLANS: Final = (
    KnownFinding(
        id="F-01",
        model="kernel",
        violates="no_node_is_oversubscribed",
        scope="stale-snapshot",
        title="A plan is committed although its worker was told of an error, and then once more",
        happens=(
            "the applier hands a plan to the log, cannot take it into its own snapshot, and answers with "
            "an error; the worker plans the same again, the new plan is judged by a snapshot without the "
            "first, and both are committed to a node with room for one"
        ),
        conditions=(
            "the applier is pipelined, and its snapshot is older than the plan that it judges",
            "the entry that it could not take in is still in flight when the next plan is judged",
        ),
        cure=quirks.ERROR_AFTER_DISPATCH,
        steps=27,
        impact=Impact(
            harm="a node holds more than it has room for",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits=(
                "whoever shares the node: service and batch jobs, for as long as both allocations run; an "
                "operator who stops one rescues the others"
            ),
        ),
        faces=(
            Face("applier_snapshot_shows_every_dispatched_entry", "stale-snapshot", 18),
            Face("no_more_allocs_than_count", "stale-snapshot", 27),
            Face("failed_entry_is_answered_with_an_error", "stale-snapshot", 27),
        ),
    ),
    KnownFinding(
        id="F-02",
        model="kernel",
        violates="no_node_is_oversubscribed",
        scope="failed-stop",
        title="A plan is committed into room that an entry which failed was to free",
        happens=(
            "the entry that stops an allocation fails after the applier has taken it into its snapshot; the "
            "snapshot goes on showing the room as free, the next plan is judged by it, and what it places is "
            "committed beside what was never stopped"
        ),
        conditions=(
            "the applier is pipelined",
            "the log entry of a plan that stops something fails",
            "the next plan was judged while that entry was in flight",
        ),
        cure=quirks.PHANTOM_EFFECTS,
        steps=26,
        impact=Impact(
            harm="a node holds more than it has room for",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits=(
                "whoever shares the node with a job that was to be stopped when an entry failed: service and "
                "batch jobs, until the stop is made once more; where the entry was to place something, plans "
                "are refused for room that is free"
            ),
        ),
        faces=(Face("applier_snapshot_shows_no_failed_entry", "stale-snapshot", 8),),
    ),
    KnownFinding(
        id="F-03",
        model="kernel",
        violates="judged_plan_is_not_newer_than_the_applier",
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
        impact=Impact(
            harm="a plan is judged by what was so before",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a job whose node changes while an entry is in flight; its next evaluation rescues it",
        ),
    ),
    KnownFinding(
        id="F-12",
        model="kernel",
        violates="submitted_plan_keeps_its_job_version",
        scope="update",
        title="A plan for an old version is labelled with the new one",
        happens=(
            "a job is registered anew between planning and submitting, and the plan takes the new "
            "version's name"
        ),
        conditions=(
            "a job is updated after the snapshot of its plan",
            "the plan is submitted after that",
        ),
        cure=quirks.RELABELLED_PLACEMENT,
        steps=5,
        impact=Impact(
            harm="a new version runs where only the old one was found to fit",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="a job that is registered anew while it is planned, until it is registered once more",
        ),
    ),
    KnownFinding(
        id="F-13",
        model="kernel",
        violates="full_commit_means_all_placements_stored",
        scope="update",
        title="A worker is told that placements were made which were left out",
        happens=(
            "a job is stopped while its plan is queued: nothing is placed, and the answer says that all was"
        ),
        conditions=("a job is stopped between the submission and the commit of its plan",),
        cure=quirks.SILENT_DROP,
        steps=6,
        impact=Impact(
            harm="an evaluation counts placements that were never made",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_GOOD,
            hits=(
                "nobody's work, for the job is stopped: but its evaluation counts placements that were "
                "never made"
            ),
        ),
    ),
    KnownFinding(
        id="F-31",
        model="kernel",
        violates="no_node_is_oversubscribed",
        scope="in-place",
        title="An allocation grows in its place where there is no room",
        happens=(
            "a plan lets an allocation grow in its place, another plan fills the node meanwhile, and the "
            "first one is committed without a look at capacity"
        ),
        conditions=(
            (
                "a new version of a job moves tasks between its lifecycle hooks, so that what runs at once "
                "needs more room, and is updated in place"
            ),
            "another job is given the room between the snapshot and the commit of that plan",
        ),
        cure=quirks.UNCHECKED_UPDATE,
        steps=18,
        impact=Impact(
            harm="a node holds more than it has room for",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits=(
                "a job whose new version changes only the lifecycle of its tasks, and all that share its "
                "node, until somebody stops an allocation: a change of CPU, memory, disk, ports or "
                "devices is destructive, and places anew"
            ),
        ),
    ),
    KnownFinding(
        id="F-34",
        model="kernel",
        violates="plan_of_purged_job_is_no_error",
        scope="purge",
        title="Who plans for a job that was purged gets an error, again and again",
        happens=(
            "a job is purged while it is planned; its plan is refused with an error, the delivery is "
            "given back, and when deliveries are used up the evaluation is failed without a follow-up"
        ),
        conditions=("a job is purged between the snapshot and the submission of its plan",),
        cure=quirks.FAILING_PURGE,
        steps=5,
        impact=Impact(
            harm="the evaluation of a purge has failed",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_A_WHILE,
            hits=(
                "an operator who purges a job while it is planned: the evaluation that the command waits "
                "for is given back again and again, and fails; nothing of the job is left, so no work is "
                "lost"
            ),
        ),
    ),
    KnownFinding(
        id="F-35",
        model="kernel",
        violates="terminal_alloc_stays_terminal",
        scope="revival",
        title="An allocation that was preempted is told to run again",
        happens=(
            "an update in place is planned, its allocation is preempted by a job of a higher "
            "priority, and when the room is free again the plan is committed and sets the allocation to run"
        ),
        conditions=(
            "a new version of a job is an in-place update",
            "the allocation is preempted between the snapshot and the commit of that plan",
            "its node has room again when the plan is judged, and its client has not reported the end",
        ),
        cure=quirks.REVIVED_ALLOCATION,
        steps=19,
        impact=Impact(
            harm="a service runs nowhere, and its job is dead",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits=(
                "a service without an update block that is preempted while a new version of it is taken over "
                "in place: the evaluation for the preemption sees it running, its client has stopped it, and "
                "nothing is placed until a node changes or somebody registers it; where it has a deployment, "
                "that rescues it"
            ),
        ),
    ),
    KnownFinding(
        id="F-41",
        model="kernel",
        violates="no_node_is_oversubscribed",
        scope="void-entry",
        title="A plan is committed that was judged on top of an entry which the store refused",
        happens=(
            "the entry that stops two allocations of a job is in flight while one of them fails and "
            "is collected; the store refuses the entry, the other allocation lives on, and what was "
            "placed in the room of both is committed"
        ),
        conditions=(
            "the applier is pipelined, and an entry stops more than one allocation",
            "one of them ends by itself and is deleted before the entry is committed",
            "the next plan was judged as if all of them were gone",
        ),
        cure=quirks.VOID_EFFECTS,
        steps=28,
        impact=Impact(
            harm="a node holds more than it has room for",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits=(
                "whoever shares the node: service and batch jobs, for as long as all of it runs; an "
                "operator who stops one rescues the others"
            ),
        ),
        beside=(quirks.PHANTOM_EFFECTS,),
    ),
    KnownFinding(
        id="F-45",
        model="kernel",
        violates="no_more_allocs_than_count",
        scope="pause-planning",
        title="After a pause a job is planned twice, and both plans are committed",
        happens=(
            "the broker is paused while a plan is with the applier, which goes on; the broker is resumed and "
            "delivers the evaluation once more, a second worker plans by a snapshot without the first plan, "
            "and both are committed"
        ),
        conditions=(
            "an operator pauses the broker and lets it go on while a plan is with the applier",
            "the evaluation is delivered again before the first plan is committed",
        ),
        cure=quirks.SURVIVING_PLAN,
        steps=12,
        impact=Impact(
            harm="a job runs twice what it wants",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits=(
                "service and batch jobs that are planned while an operator pauses the broker: a job that "
                "shall run once runs twice until something else has it looked at"
            ),
        ),
        faces=(Face("one_plan_of_a_job_is_with_the_applier", "pause-planning", 10),),
    ),
    KnownFinding(
        id="F-46",
        model="kernel",
        violates="failed_entry_is_answered_with_an_error",
        scope="void-entry",
        title="A worker is told that a plan was committed which the store refused",
        happens=(
            "the store refuses an entry, for an allocation that it stops was collected; the worker is "
            "answered as if all of it had been written, and its evaluation is complete"
        ),
        conditions=(
            "the applier is pipelined, and the entry of a plan stops an allocation",
            "that allocation ends by itself and is deleted before the entry is committed",
        ),
        cure=quirks.UNREPORTED_FAILURE,
        steps=20,
        impact=Impact(
            harm="what was to be stopped runs on, and its evaluation is complete",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits=(
                "a job that is stopped or updated while one of its allocations is collected: the others run "
                "on until something else has it looked at"
            ),
        ),
    ),
)
