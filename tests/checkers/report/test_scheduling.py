"""What a scheduler did is shown as text and as data."""

from msgspec.structs import replace

from nomadspec.checkers.pages.table_pages import make_schedule_page
from nomadspec.checkers.report.scheduling import Scheduled, write_plan
from nomadspec.model.cluster.entities import (
    AllocDeploymentStatus,
    AllocMetric,
    Deployment,
    DeploymentStatusUpdate,
    DesiredUpdates,
    Plan,
    PlanAnnotations,
)
from nomadspec.model.cluster.scheduler.outcome import Outcome
from nomadspec.model.cluster.scheduler.reasons import (
    Bucketed,
    Dropped,
    Exhausted,
    Filtered,
    Judged,
    Reasons,
    Scored,
    Selection,
    Stage,
)
from tests.checkers.cli.schemas import list_faults
from tests.model.cluster.scheduler.made import make_alloc, make_eval, make_job

PLAN = Plan(
    job=make_job(),
    node_update={"n1": (make_alloc("stopped", desired_description="enough", job=make_job()),)},
    node_preemptions={"n1": (make_alloc("evicted"),)},
    node_allocation={
        "n2": (
            make_alloc(
                "placed",
                create_index=0,
                previous_allocation="stopped",
                deployment_status=AllocDeploymentStatus(canary=True),
            ),
            make_alloc("updated"),
        )
    },
    deployment=Deployment(id="d", status="running", status_description="Deployment is running"),
    deployment_updates=(DeploymentStatusUpdate(deployment_id="d0", status="cancelled"),),
)
REASONS = Reasons(
    buckets=(
        Bucketed(
            alloc_id="stopped",
            group="web",
            bucket="lost",
            rule="REC-34",
            why="its node is gone",
            operands={"client": "running"},
        ),
    ),
    judgements=(
        Judged(
            alloc_id="stopped",
            group="web",
            stage=Stage.RESCHEDULE,
            verdict="later",
            rule="RESCHED-19",
            operands={"due_in_s": 4.5},
        ),
    ),
    selections=(
        Selection(
            group="web",
            alloc_name="j.web[0]",
            visits=(
                Filtered(node_id="n1", rule="FEAS-26", text="missing drivers", operands={"driver": "exec"}),
                Exhausted(node_id="n2", rule="RANK-30", dimension="memory", asked=64, free=32),
                Dropped(node_id="n3", rule="FEAS-90"),
                Scored(node_id="n4", scores={"binpack": 0.5}, norm_score=0.5),
            ),
            chosen="n4",
        ),
        Selection(group="web", alloc_name="j.web[1]", may_preempt=True, is_trial=True),
    ),
)
OUTCOME = Outcome(
    plans=(PLAN,),
    created_evals=(make_eval(id="b", status="blocked", triggered_by="queued-allocs"),),
    updated_evals=(
        make_eval(
            status="failed",
            status_description="why",
            queued_allocations={"web": 2},
            plan_annotations=PlanAnnotations(
                desired_tg_updates={"web": DesiredUpdates(place=3), "idle": DesiredUpdates()}
            ),
            failed_tg_allocs={"web": AllocMetric(nodes_evaluated=4)},
        ),
    ),
    reblocked_evals=(make_eval(),),
    error="plan queue is disabled",
    reasons=REASONS,
)


def test_all_that_was_done_is_told() -> None:
    told = Scheduled(make_eval(), "service", OUTCOME).render()

    for part in (
        "Evaluation e1 of job default/j (job-register) by the service scheduler",
        "enough",
        "evict",
        "instead of stopped, canary",
        "Deployment is running",
        "Makes evaluation b: blocked, queued-allocs",
        "Blocks evaluation e1 again",
        "ends failed: why",
        "still queued: web 2",
        "  web: create 3",
        "  idle: nothing to do",
        "4 nodes evaluated",
        "ends with an error: plan queue is disabled",
        "REC-34  its node is gone (client 'running')",
        "RESCHED-19  due_in_s 4.5",
        "missing drivers (driver 'exec')",
        "memory: 64 asked, 32 free",
        "binpack 0.5",
        "takes n4",
        "in-place update on its own node, with preemption, finds no node",
        "Rules",
        "REC-34      An allocation on a node that is gone is lost.",
        "RESCHED-19  A reschedule is later only if no follow-up is set.",
        "FEAS-26     A node must have each driver detected and healthy.",
    ):
        assert part in told


def test_nodes_bear_the_names_that_operators_know() -> None:
    told = Scheduled(make_eval(), "service", OUTCOME, node_names={"n4": "north", "n1": "n1"})

    assert "takes n4 north" in told.render()
    assert "n1  " in told.render()
    assert "Search for j.web[0]: takes n4 north" in [table.title for table in make_schedule_page(told).tables]


def test_what_every_attempt_decides_again_is_listed_once() -> None:
    twice = replace(REASONS, buckets=REASONS.buckets * 2, judgements=REASONS.judgements * 2)
    scheduled = Scheduled(make_eval(), "service", replace(OUTCOME, reasons=twice))
    tables = {table.title: len(table.rows) for table in make_schedule_page(scheduled).tables}

    assert 1 == scheduled.render().count("its node is gone (client 'running')")
    assert 1 == scheduled.render().count("due_in_s 4.5")
    assert (1, 1) == (tables["Existing allocations"], tables["What later stages decided"])


def test_the_titles_of_the_rules_are_data_too() -> None:
    titles = Scheduled(make_eval(), "service", OUTCOME).data()["titles"]

    assert ["REC-34", "RESCHED-19", "FEAS-26", "FEAS-90", "RANK-30", "RANK-71"] == list(titles)
    assert "An allocation on a node that is gone is lost." == titles["REC-34"]
    assert "titles" not in Scheduled(make_eval(), "batch", Outcome()).data()


def test_nothing_done_is_told_too() -> None:
    told = Scheduled(make_eval(), "batch", Outcome())

    assert "No plan is submitted." in told.render()
    assert told.exit_code == 0


def test_an_error_is_a_failure() -> None:
    assert Scheduled(make_eval(), "service", OUTCOME).exit_code == 1


def test_the_data_keep_to_their_schema() -> None:
    data = {
        "schema": "nomadspec/schedule/1",
        "verdict": None,
        **Scheduled(make_eval(), "service", OUTCOME).data(),
    }

    assert list_faults(data, "schedule.json") == []
    assert data["reasons"]["selections"][0]["visits"][0]["type"] == "Filtered"


def test_a_plan_is_written_without_jobs() -> None:
    written = write_plan(PLAN)

    assert "Job" not in written
    assert "Job" not in written["NodeUpdate"]["n1"][0]
