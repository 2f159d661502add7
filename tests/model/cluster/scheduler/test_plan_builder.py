"""A plan grows by node, in order, and shows what it leaves on a node."""

from msgspec.structs import replace

from nomadspec.model.cluster.entities import AllocatedResources, Resources
from nomadspec.model.cluster.entities.plan import is_no_op
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.plan_builder import PlanBuilder
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from tests.model.cluster.scheduler.made import NOW_NS, make_alloc, make_job, make_node, make_snapshot


def make_plan(snapshot: Snapshot | None = None, *, is_descending: bool = False) -> PlanBuilder:
    choices = ReplayedChoices(is_descending=is_descending)
    return PlanBuilder(snapshot or make_snapshot(), choices, "e1", 50, make_job(), NOW_NS)


def test_a_stop_says_why_and_drops_what_the_applier_knows() -> None:
    """GENERIC-17."""
    plan = make_plan()
    plan.append_stop(make_alloc(job=make_job(), resources=Resources(cpu_mhz=1)), "enough", "lost", "f1")

    (stop,) = plan.node_update["n1"]

    assert (stop.desired_status, stop.desired_description, stop.client_status) == ("stop", "enough", "lost")
    assert stop.followup_eval_id == "f1"
    assert [(state.value, state.time_ns) for state in stop.alloc_states] == [("lost", NOW_NS)]
    assert stop.job is None
    assert stop.resources is None


def test_a_stop_without_followup_keeps_the_one_that_is_there() -> None:
    """GENERIC-17."""
    plan = make_plan()
    plan.append_stop(make_alloc(followup_eval_id="f0"), "enough")

    (stop,) = plan.node_update["n1"]

    assert stop.followup_eval_id == "f0"
    assert stop.alloc_states == ()


def test_a_plan_without_a_job_takes_that_of_the_first_stop() -> None:
    """GENERIC-17."""
    plan = make_plan()
    plan.job = None
    plan.append_stop(make_alloc("a", job=make_job(version=1)), "")
    plan.append_stop(make_alloc("b", job=make_job(version=2)), "")

    built = plan.build()

    assert built.job == make_job(version=1)
    assert built.job_info is not None
    assert built.job_info.id == "j"


def test_the_plan_of_a_purged_job_is_never_all_at_once() -> None:
    """GENERIC-11, GENERIC-17: the flag is that of the job that was looked up, and none was found."""
    plan = PlanBuilder(make_snapshot(), ReplayedChoices(), "e1", 50, None, NOW_NS)
    plan.append_stop(make_alloc(job=make_job(all_at_once=True)), "")

    assert not plan.build().all_at_once


def test_an_unknown_allocation_keeps_its_job() -> None:
    """DISC-05."""
    plan = make_plan()
    plan.append_unknown(make_alloc(job=make_job(version=1)))

    (unknown,) = plan.node_allocation["n1"]

    assert (unknown.client_status, unknown.desired_status) == ("unknown", "run")
    assert unknown.job == make_job(version=1)
    assert unknown.alloc_states[-1].value == "unknown"


def test_an_eviction_names_only_what_has_to_go() -> None:
    """PREEMPT-24."""
    plan = make_plan()
    plan.append_preempted(make_alloc(job=make_job(), allocated_resources=AllocatedResources()), "new")

    (evicted,) = plan.node_preemptions["n1"]

    assert evicted.desired_description == "Preempted by alloc ID new"
    assert (evicted.desired_status, evicted.preempted_by_allocation) == ("evict", "new")
    assert (evicted.task_group, evicted.node_id, evicted.job) == ("", "", None)


def test_only_the_last_stop_of_a_node_is_taken_back() -> None:
    """GENERIC-38."""
    plan, first, second = make_plan(), make_alloc("a"), make_alloc("b")
    plan.append_stop(first, "")
    plan.append_stop(second, "")

    assert not plan.pop_stop(first)
    assert plan.pop_stop(second)
    assert plan.pop_stop(first)
    assert plan.node_update == {}
    assert not plan.pop_stop(first)


def test_a_stop_is_dropped_wherever_it_stands() -> None:
    """04/S-16: as it was intended."""
    plan = make_plan()
    for name in "ab":
        plan.append_stop(make_alloc(name), "")

    plan.drop_stop(make_alloc("a"))
    plan.drop_stop(make_alloc("c", node_id="n2"))
    assert [stop.id for stop in plan.node_update["n1"]] == ["b"]

    plan.drop_stop(make_alloc("b"))
    assert plan.node_update == {}


def test_an_entry_is_replaced_where_it_stands() -> None:
    """GENERIC-37."""
    plan = make_plan()
    for name in "abc":
        plan.append_stop(make_alloc(name), "")

    assert plan.replace_entry(plan.node_update, make_alloc("b", name="other"))
    assert not plan.replace_entry(plan.node_update, make_alloc("d"))
    assert [stop.name for stop in plan.node_update["n1"]] == ["j.web[0]", "other", "j.web[0]"]


def test_proposed_allocations_follow_the_plan() -> None:
    """FEAS-02, FEAS-03, FEAS-04."""
    ended, stopping = make_alloc("ended", client_status="complete"), make_alloc("s", desired_status="stop")
    snapshot = make_snapshot(make_node(), make_alloc("a"), make_alloc("b"), make_alloc("c"), ended, stopping)
    plan = make_plan(snapshot)

    assert [alloc.id for alloc in plan.list_proposed("n1")] == ["a", "b", "c", "s"]
    plan.append_stop(make_alloc("a"), "")
    plan.append_preempted(make_alloc("b"), "new")
    plan.append_alloc(replace(ended, followup_eval_id="f"))
    plan.append_alloc(make_alloc("c", name="changed"))
    assert [(alloc.id, alloc.name) for alloc in plan.list_proposed("n1")] == [
        ("c", "changed"),
        ("ended", "j.web[0]"),
        ("s", "j.web[0]"),
    ]


def test_proposed_allocations_are_visited_like_a_map() -> None:
    plan = make_plan(make_snapshot(make_alloc("a"), make_alloc("b")), is_descending=True)

    assert [alloc.id for alloc in plan.list_proposed("n1")] == ["b", "a"]


def test_an_eviction_alone_changes_nothing() -> None:
    """GENERIC-22, OBJ-281."""
    plan = make_plan()

    assert is_no_op(plan)
    plan.append_preempted(make_alloc(), "new")
    assert is_no_op(plan)
    plan.append_alloc(make_alloc())
    assert not is_no_op(plan)


def test_a_plan_says_whose_it_is() -> None:
    """GENERIC-11."""
    plan = PlanBuilder(make_snapshot(), ReplayedChoices(), "e1", 50, make_job(all_at_once=True), NOW_NS)
    plan.append_stop(make_alloc(), "")

    built = plan.build()

    assert (built.eval_id, built.priority, built.all_at_once) == ("e1", 50, True)
    assert [stop.id for stop in built.node_update["n1"]] == ["a1"]
