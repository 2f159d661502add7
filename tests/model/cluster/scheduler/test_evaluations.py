"""Blocked evaluations say what they wait for; a finished one says how it ended."""

from nomadspec.model.cluster.entities import AllocMetric, Constraint, PlanAnnotations
from nomadspec.model.cluster.scheduler.evaluations import block_again, finish, list_missing, make_blocked
from tests.model.cluster.scheduler.made import NOW_NS, make_context, make_eval, make_job, make_snapshot

FAILED = {"web": AllocMetric(nodes_evaluated=1)}
ESCAPED = make_job(constraints=(Constraint(ltarget="${node.unique.id}", rtarget="x", operand="="),))


def test_a_blocked_evaluation_follows_the_one_that_made_it() -> None:
    """GENERIC-41, EVAL-13."""
    context = make_context(make_snapshot(), make_job())
    context.eligibility = context.eligibility.with_job_class("v1:1", is_eligible=False)
    context.missing_resources = {"b", "a"}

    blocked = make_blocked(context, "b1", FAILED, node_id="n1")

    assert (blocked.id, blocked.status, blocked.triggered_by) == ("b1", "blocked", "queued-allocs")
    assert (blocked.previous_eval, blocked.job_id, blocked.node_id) == ("e1", "j", "n1")
    assert blocked.status_description == "created to place remaining allocations"
    assert blocked.class_eligibility == {"v1:1": False}
    assert blocked.missing_non_node_resources == ("a", "b")
    assert (blocked.create_time_ns, blocked.modify_time_ns) == (NOW_NS, NOW_NS)
    assert blocked.failed_tg_allocs == FAILED


def test_a_conflict_is_another_reason() -> None:
    """GENERIC-08, EVAL-14."""
    blocked = make_blocked(make_context(make_snapshot(), make_job()), "b1", {}, is_conflict=True)

    assert blocked.triggered_by == "max-plan-attempts"
    assert blocked.status_description == "created due to placement conflicts"


def test_classes_are_left_out_where_they_do_not_decide() -> None:
    """EVAL-20, FEAS-25."""
    context = make_context(make_snapshot(), ESCAPED)
    context.eligibility = context.eligibility.with_group_class("web", "v1:1", is_eligible=False)

    blocked = make_blocked(context, "b1", FAILED)

    assert blocked.escaped_computed_class
    assert blocked.class_eligibility == {}


def test_blocking_again_tells_classes_in_any_case() -> None:
    """GENERIC-42, EVAL-21."""
    context = make_context(make_snapshot(), ESCAPED)
    eligibility = context.eligibility.with_group_class("web", "v1:1", is_eligible=False)

    again = block_again(make_eval(status="blocked", queued_allocations={"web": 3}), eligibility, ("m",))

    assert (again.id, again.status, again.escaped_computed_class) == ("e1", "blocked", True)
    assert again.class_eligibility == {"v1:1": False}
    assert again.missing_non_node_resources == ("m",)
    assert again.queued_allocations == {"web": 3}


def test_what_is_not_given_stays_or_ends() -> None:
    """GENERIC-43, SYSTEM-03, EVAL-27, EVAL-32."""
    old = make_eval(
        previous_eval="p0",
        next_eval="n0",
        queued_allocations={"web": 3},
        blocked_eval="b0",
        deployment_id="d0",
        failed_tg_allocs=FAILED,
        status_description="old",
    )

    done = finish(old, "complete")

    assert (done.status, done.status_description, done.deployment_id) == ("complete", "", "")
    assert done.failed_tg_allocs == {}
    assert done.queued_allocations == {"web": 3}
    assert (done.previous_eval, done.next_eval, done.blocked_eval) == ("p0", "n0", "b0")


def test_what_is_given_is_written() -> None:
    """GENERIC-43."""
    annotations = PlanAnnotations()
    done = finish(
        make_eval(),
        "failed",
        "why",
        failed=FAILED,
        queued={},
        annotations=annotations,
        deployment_id="d",
        blocked_eval="b",
    )

    assert (done.status_description, done.failed_tg_allocs, done.queued_allocations) == ("why", FAILED, {})
    assert (done.plan_annotations, done.deployment_id, done.blocked_eval) == (annotations, "d", "b")


def test_missing_volumes_are_sorted() -> None:
    """FEAS-25."""
    context = make_context(make_snapshot())
    context.missing_resources = {"z", "a"}

    assert list_missing(context) == ("a", "z")
