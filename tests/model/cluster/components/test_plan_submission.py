from msgspec.structs import replace

from nomadspec.model.cluster.components import broker as actions
from nomadspec.model.cluster.components.plan_queue import DISABLED, PlanQueue, enable
from nomadspec.model.cluster.components.plan_submission import (
    NO_JOB_INFO,
    NO_PLAN,
    normalize,
    return_plan,
    submit,
)
from nomadspec.model.cluster.entities import Allocation, NamespacedId, Plan, RescheduleTracker
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.model.cluster.components.deploying import make_job, make_state
from tests.model.cluster.components.evals import S, ev, give, start, take

JOB = make_job()
STATE = make_state(JOB)
INFO = NamespacedId(namespace="default", id="j")
HELD = take(give(start(), ev("e")))
VALID, STALE = "t", "old"
PLAN = Plan(eval_id="e", eval_token=VALID, job_info=INFO)
ON = enable(PlanQueue())


def test_a_plan_travels_without_what_the_leader_can_look_up() -> None:
    """PLAN-10, PLAN-12."""
    stop = Allocation(
        id="s",
        desired_description="bye",
        client_status="lost",
        followup_eval_id="f",
        reschedule_tracker=RescheduleTracker(),
    )
    whole = Plan(
        job=JOB,
        node_update={"n": (replace(stop, job=JOB, name="j.g[0]"),)},
        node_preemptions={"n": (Allocation(id="p", preempted_by_allocation="a", desired_status="evict"),)},
        node_allocation={"n": (Allocation(id="a", name="j.g[1]"),)},
    )
    sent = normalize(whole, "t", 7, NOMAD_2_0)

    assert (None, INFO, "t", 7) == (sent.job, sent.job_info, sent.eval_token, sent.snapshot_index)
    assert {"n": (stop,)} == sent.node_update
    assert {"n": (Allocation(id="p", preempted_by_allocation="a"),)} == sent.node_preemptions
    assert whole.node_allocation == sent.node_allocation


def test_a_plan_gets_the_present_job_and_stops_the_clock() -> None:
    """PLAN-13, PLAN-15."""
    submission = submit(STATE, HELD, ON, PLAN, 5)

    assert "" == submission.error
    assert JOB == submission.queue.waiting[0].plan.job
    assert None is submission.broker.unack["e"].nack_at_ns
    returned = return_plan(submission.broker, PLAN, 5)
    assert 5 + 60 * S == returned.unack["e"].nack_at_ns


def test_a_plan_keeps_the_version_that_it_was_made_for_as_intended() -> None:
    """X-30, PLAN-15: the leader knows a later version by then, and attaches that in the release."""
    planned = Plan(eval_id="e", job=replace(JOB, version=JOB.version + 1))

    for profile, version in ((INTENDED, JOB.version + 1), (NOMAD_2_0, JOB.version)):
        queue = submit(STATE, HELD, ON, normalize(planned, VALID, 7, profile), 5).queue
        job = queue.waiting[0].plan.job
        assert job is not None
        assert version == job.version


def test_what_stops_a_plan() -> None:
    """PLAN-13: in this order, and the clock goes on where the plan was refused last of all."""
    gone = Plan(eval_id="e", eval_token=VALID, job_info=NamespacedId(namespace="default", id="x"))
    stale = Plan(eval_id="e", eval_token=STALE, job_info=INFO)

    assert NO_PLAN == submit(STATE, HELD, ON, None, 0).error
    assert NO_JOB_INFO == submit(STATE, HELD, ON, Plan(), 0).error
    assert 'job "x" in namespace "default" not found' == submit(STATE, HELD, ON, gone, 0).error
    assert actions.OTHER_TOKEN == submit(STATE, HELD, ON, stale, 0).error
    off = submit(STATE, HELD, PlanQueue(), PLAN, 5)
    assert DISABLED == off.error
    assert 5 + 60 * S == off.broker.unack["e"].nack_at_ns


def test_an_answer_to_a_delivery_that_is_over_changes_nothing() -> None:
    """PLAN-13."""
    assert start() == return_plan(start(), PLAN, 5)
