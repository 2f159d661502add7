"""What is known to go wrong about plans: how they are made, judged and committed."""

from typing import Final

from nomadspec.invariants.kernel.findings.sizes import ONE_TRY
from nomadspec.invariants.known_finding import Face, Impact, KnownFinding, Lasting, Loss
from nomadspec.model.specification import quirks

ABOUT_PLANS: Final = (
    KnownFinding(
        id="F-01",
        title="The applier commits both a plan and its retry",
        happens="the applier dispatches a plan to the log, cannot show it in its own snapshot, and answers "
        "with an error. The worker plans again. The applier judges the retry by a snapshot without the first "
        "plan, and both plans are committed to a node with room for one",
        conditions=(
            "the applier is pipelined, and its snapshot is older than the evaluation of the plan",
            "the first entry is still in flight when the retry is judged",
        ),
        impact=Impact(
            harm="a node is oversubscribed",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="every job on that node: service and batch jobs, for as long as both allocations run; an "
            "operator who stops one rescues the others",
        ),
        cure=quirks.ERROR_AFTER_DISPATCH,
        shown=Face("no_node_is_oversubscribed", "stale-snapshot", 27),
        sizes={"evals": 2, "attempts": 1, "endings": 0, "failed_entries": 0},
        faces=(
            Face("applier_snapshot_shows_every_dispatched_entry", "stale-snapshot", 18),
            Face("no_more_allocs_than_count", "stale-snapshot", 27),
            Face("unwanted_alloc_has_open_eval", "stale-snapshot", 28),
        ),
    ),
    KnownFinding(
        id="F-02",
        title="The applier commits a plan into room that was never freed",
        happens="the applier takes the stop of an allocation into its snapshot, and the entry with that stop "
        "fails. The snapshot goes on showing the room as free, and the next plan is committed beside the "
        "allocation that was never stopped",
        conditions=(
            "the applier is pipelined",
            "the log entry of a plan that stops an allocation fails",
            "the next plan is judged while that entry is in flight",
        ),
        impact=Impact(
            harm="a node is oversubscribed",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="every job on a node where an entry failed that stops an allocation: until the stop is made "
            "once more, or, where the new version finds no room by then, until an operator stops one; where "
            "the entry was to place an allocation, plans are rejected for room that is free",
        ),
        cure=quirks.PHANTOM_EFFECTS,
        shown=Face("no_node_is_oversubscribed", "failed-stop", 26),
        faces=(Face("applier_snapshot_shows_no_failed_entry", "stale-snapshot", 8),),
    ),
    KnownFinding(
        id="F-03",
        title="The applier rejects a plan by a snapshot older than the plan",
        happens="a node becomes ready or eligible while an entry is in flight, and the next plan places an "
        "allocation on it. The applier judges that plan by a snapshot from before and rejects it. Once its "
        "attempts are used up, a system job gets no further evaluation",
        conditions=(
            "the applier is pipelined and has not yet seen the end of its last entry",
            "a node changes after the applier's snapshot and before that of the worker",
            (
                "new entries keep the applier from renewing its snapshot for all attempts of the worker: "
                "five for system and service jobs, two for batch jobs"
            ),
        ),
        impact=Impact(
            harm="a node lacks its system job",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a system or sysbatch job, until its next event; a service or batch job is tried again "
            "within a minute, when the leader retries what reached max-plan-attempts",
        ),
        cure=quirks.STALE_JUDGEMENT,
        shown=Face("system_job_lacking_an_alloc_has_open_eval", "outdated-verdict", 18),
        sizes={"evals": 2, "allocations": 1},
        decisive=17,
        faces=(Face("judged_plan_is_not_newer_than_the_applier", "stale-snapshot", 15),),
    ),
    KnownFinding(
        id="F-12",
        title="A plan for an old version is stored under the new one",
        happens="a job is registered anew between planning and submitting. The plan takes the new version's "
        "number and keeps the old version's resources. The evaluation of the new version finds the "
        "allocation current and changes nothing",
        conditions=("a job is updated after the snapshot of its plan", "the plan is submitted after that"),
        impact=Impact(
            harm="new version runs with old resources",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="a job that is registered anew while it is planned, until it is registered once more: its "
            "new version needs more room than the allocation was given, or runs where only the old version "
            "was found to fit",
        ),
        cure=quirks.RELABELLED_PLACEMENT,
        shown=Face("alloc_of_current_version_has_the_room_it_needs", "relabelled", 12),
        sizes={"cap": 1},
        decisive=5,
        faces=(
            Face("alloc_gets_the_version_it_was_planned_for", "update", 5),
            Face("new_deployment_begins_empty", "deployment", 6),
            Face("versions_get_a_deployment", "deployment", 15),
        ),
    ),
    KnownFinding(
        id="F-13",
        title="The applier reports placements of a stopped job that it left out",
        happens="a job is stopped while its plan is queued. The applier places nothing and answers with a "
        "full commit",
        conditions=("a job is stopped between the submission and the commit of its plan",),
        impact=Impact(
            harm="an evaluation counts placements never made",
            loss=Loss.RECORD,
            lasts=Lasting.FOR_GOOD,
            hits="only readers of evaluations, for the job is stopped: its evaluation says that everything "
            "was placed",
        ),
        cure=quirks.SILENT_DROP,
        shown=Face("full_commit_means_all_placements_stored", "update", 6),
        sizes={"evals": 2, "allocations": 0, **ONE_TRY, "timeouts": 0, "updates": 0, "endings": 0},
    ),
    KnownFinding(
        id="F-31",
        title="The applier does not check room for in-place updates",
        happens="an in-place update needs more room, and another plan fills the node meanwhile. The applier "
        "commits the in-place update without a look at capacity",
        conditions=(
            (
                "a new version of a job moves tasks between lifecycle hooks, so that the tasks that run at "
                "once need more room; that is an in-place update"
            ),
            "another job is given the room between the snapshot and the commit of that plan",
        ),
        impact=Impact(
            harm="a node is oversubscribed",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="a job whose new version changes only the lifecycle of its tasks, and every other job on "
            "its node, until somebody stops an allocation; a change of CPU, memory, disk, ports or devices "
            "is destructive and is checked",
        ),
        cure=quirks.UNCHECKED_UPDATE,
        shown=Face("no_node_is_oversubscribed", "in-place", 18),
        sizes={"allocations": 1, **ONE_TRY, "endings": 0},
    ),
    KnownFinding(
        id="F-34",
        title="A purged job's plan is rejected until the delivery limit",
        happens="a job is purged while it is planned. The submission of its plan fails and the delivery is "
        "nacked, each time. After the last delivery the evaluation is failed without a follow-up",
        conditions=("a job is purged between the snapshot and the submission of its plan",),
        impact=Impact(
            harm="the evaluation of a purge fails",
            loss=Loss.CONTROL,
            lasts=Lasting.FOR_A_WHILE,
            hits="an operator who purges a job while it is planned: the evaluation that the command waits "
            "for is nacked until it fails; nothing of the job is left, so no work is lost",
        ),
        cure=quirks.FAILING_PURGE,
        shown=Face("plan_of_purged_job_is_no_error", "purge", 5),
        sizes={
            "evals": 2,
            "allocations": 0,
            **ONE_TRY,
            "errors": 0,
            "endings": 0,
            "returns": 0,
            "deployments": 0,
        },
    ),
    KnownFinding(
        id="F-35",
        title="An in-place update revives a preempted allocation",
        happens="a worker plans an in-place update of an allocation. Before the commit a job of higher "
        "priority preempts the allocation, and the room becomes free again. The commit sets the allocation "
        "back to run, although its client has stopped it",
        conditions=(
            "a new version of a job is an in-place update",
            "the allocation is preempted between the snapshot and the commit of that plan",
            "its node has room again when the plan is judged, and its client has not reported the end",
        ),
        impact=Impact(
            harm="a preempted service runs nowhere",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a service without an update block that is preempted while a new version is applied in "
            "place: the evaluation for the preemption sees it running, its client has stopped it, and "
            "nothing is placed until a node changes or somebody registers the job; a deployment rescues it",
        ),
        cure=quirks.REVIVED_ALLOCATION,
        shown=Face("terminal_alloc_stays_terminal", "revival", 19),
    ),
    KnownFinding(
        id="F-41",
        title="The applier judges plans on top of an entry the store refused",
        happens="an entry stops two allocations of a job. While it is in flight, one of them fails and is "
        "collected. The store refuses the entry, so the other allocation runs on, and the next plan is "
        "committed into the room of both",
        conditions=(
            "the applier is pipelined, and an entry stops more than one allocation",
            "one of them fails and is collected before the entry is committed",
            "the next plan was judged as if all of them were stopped",
        ),
        impact=Impact(
            harm="a node is oversubscribed",
            loss=Loss.WORK,
            lasts=Lasting.FOR_GOOD,
            hits="every job on that node: until the evaluation for the failed allocation stops the other "
            "one, and where the failure makes no evaluation, as for system jobs and used-up attempts, until "
            "an operator stops one",
        ),
        cure=quirks.VOID_EFFECTS,
        beside=(quirks.PHANTOM_EFFECTS,),
        shown=Face("no_node_is_oversubscribed", "void-entry", 28),
    ),
    KnownFinding(
        id="F-45",
        title="Pausing the broker lets two plans of one job be committed",
        happens="an operator pauses the broker while a plan is with the applier, which goes on with it. The "
        "resumed broker delivers the evaluation again. A second worker plans by a snapshot without the first "
        "plan, and both plans are committed",
        conditions=(
            "an operator pauses and resumes the broker while a plan is with the applier",
            "the evaluation is delivered again before the first plan is committed",
        ),
        impact=Impact(
            harm="a job runs more than count",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="service and batch jobs that are planned while an operator pauses the broker: a job with "
            "count 1 runs twice until its next evaluation",
        ),
        cure=quirks.SURVIVING_PLAN,
        shown=Face("no_more_allocs_than_count", "pause-planning", 12),
        faces=(
            Face("one_plan_of_a_job_is_with_the_applier", "pause-planning", 10),
            Face("unwanted_alloc_has_open_eval", "pause-planning", 13),
        ),
    ),
    KnownFinding(
        id="F-46",
        title="The worker is told of a commit that the store refused",
        happens="the entry that stops a job is in flight while one of its allocations fails and is "
        "collected. The store refuses the whole entry, but the worker is answered as if it had been written. "
        "The evaluation is complete, and the other allocations run on",
        conditions=(
            "the applier is pipelined, and the entry of a plan stops several allocations",
            "one of them fails and is collected before the entry is committed",
            "the failure makes no evaluation: the job is a system job, or its attempts are used up",
        ),
        impact=Impact(
            harm="a stopped job runs on",
            loss=Loss.WORK,
            lasts=Lasting.UNTIL_CHANGED,
            hits="a system job that is stopped while one of its allocations is collected: the others run "
            "until its next event; a batch job that is updated then keeps its old version",
        ),
        cure=quirks.UNREPORTED_FAILURE,
        shown=Face("unwanted_alloc_has_open_eval", "void-stop", 21),
        decisive=20,
        faces=(Face("failed_entry_is_answered_with_an_error", "void-entry", 20),),
    ),
)
