from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation, Node, TaskGroup
from nomadspec.model.cluster.entities.allocation import is_server_terminal
from nomadspec.model.cluster.scheduler.reconcile.cluster import Reconciled, reconcile
from nomadspec.model.cluster.scheduler.reconcile.inputs import ReconcileInput
from tests.model.cluster.scheduler.reconcile.made import (
    PATIENCE,
    Scene,
    groups,
    make_deployment,
    make_update,
    policy,
)


def stopped_ids(decided: Reconciled) -> list[str]:
    return [stop.alloc.id for stop in decided.stops]


@given(groups())
def test_nothing_is_stopped_twice_or_stopped_and_updated(drawn: tuple[Scene, str]) -> None:
    """The one exception is an allocation that is due and was also stopped for another reason: REC-55."""
    scene, text = drawn
    call = scene.make_input(text)
    decided = reconcile(call)

    due = {request.previous.id for request in decided.placements if request.previous}
    gone = [alloc_id for alloc_id in stopped_ids(decided) if alloc_id not in due]
    updated = {alloc.id for alloc in decided.in_place_updates}
    replaced = {update.alloc.id for update in decided.destructive}
    assert len(gone) == len(set(gone))
    assert not updated & replaced
    assert not (updated | replaced) & set(gone)


@given(groups())
def test_a_stopped_job_keeps_nothing(drawn: tuple[Scene, str]) -> None:
    """REC-12."""
    scene, text = drawn
    call = Scene(stop=True, is_batch=scene.is_batch, disconnect=scene.disconnect).make_input(text)
    left = {alloc.id for alloc in call.allocs if alloc.client_status not in {"complete", "failed", "lost"}}
    wanted = {alloc.id for alloc in call.allocs if not is_server_terminal(alloc)}

    decided = reconcile(call)

    assert left & wanted == set(stopped_ids(decided))
    assert not decided.placements


@given(groups())
def test_no_more_is_placed_than_the_count(drawn: tuple[Scene, str]) -> None:
    """REC-17."""
    scene, text = drawn

    decided = reconcile(scene.make_input(text))

    assert len(decided.placements) <= scene.count


@given(groups())
def test_what_names_a_followup_names_one_that_is_made(drawn: tuple[Scene, str]) -> None:
    """RESCHED-22, DISC-07."""
    scene, text = drawn
    decided = reconcile(scene.make_input(text))

    made = {evaluation.id for evaluation in decided.followup_evals}
    written = {alloc.followup_eval_id for alloc in (*decided.attribute_updates, *decided.disconnect_updates)}
    assert written <= made


def has_each_name_once(drawn: tuple[Scene, str]) -> bool:
    """Tell whether no two allocations have one name: which of them stays decides what is judged later."""
    names = [part.split()[0] for part in drawn[1].split("; ") if part]
    return len(names) == len(set(names))


@settings(max_examples=40)
@given(groups().filter(has_each_name_once))
def test_the_order_of_visits_changes_no_number_of_places(drawn: tuple[Scene, str]) -> None:
    """REC-95: of how many there are in the end."""
    assert_visits_are_alike(*drawn)


@pytest.mark.deep
@settings(max_examples=1_000)
@given(groups().filter(has_each_name_once))
def test_the_order_of_visits_changes_none_of_many(drawn: tuple[Scene, str]) -> None:
    """REC-95: of how many there are in the end."""
    assert_visits_are_alike(*drawn)


def test_the_order_of_visits_decides_which_of_two_with_one_name_stays() -> None:
    """REC-95: where that changes later verdicts, it changes numbers too; who is drained is replaced."""
    scene = Scene(count=1, update=make_update(1, 1))
    both = [
        reconcile(Scene(**{**vars(scene), "map_order": order}).make_input("0 ; 0 D"))
        for order in ("asc", "desc")
    ]

    assert [1, 0] == [len(one.placements) for one in both]


def assert_visits_are_alike(scene: Scene, text: str) -> None:
    both = [
        reconcile(Scene(**{**vars(scene), "map_order": order}).make_input(text)) for order in ("asc", "desc")
    ]

    assert len(both[0].placements) == len(both[1].placements)


def test_a_group_of_its_count_is_left_alone() -> None:
    assert {"count": "Ig3"} == Scene(update=make_update()).solve("0-2")


def with_groups(call: ReconcileInput, *names: str) -> ReconcileInput:
    job = call.job
    assert job is not None
    (group,) = job.task_groups
    groups: Sequence[TaskGroup] = [replace(group, name=name) for name in names]
    return type(call)(**{**fields(call), "job": replace(job, task_groups=tuple(groups))})


def fields(call: ReconcileInput) -> dict[str, Any]:
    return {name: getattr(call, name) for name in type(call).__dataclass_fields__}


def test_groups_follow_each_other() -> None:
    """REC-03, REC-94, GENERIC-44: also those that only allocations name."""
    call = with_groups(Scene(count=1, map_order="desc").make_input("0 group=old"), "api", "web")

    decided = reconcile(call)

    assert ["web", "old", "api"] == list(decided.desired_updates)
    assert ["web", "api"] == [request.group.name for request in decided.placements]
    assert {"web", "api"} == decided.name_indexes.keys()


def test_groups_share_a_new_deployment() -> None:
    """REC-87."""
    call = with_groups(Scene(count=1, update=make_update()).make_input(""), "api", "web")

    decided = reconcile(call)

    assert decided.deployment is not None
    assert {"api": 1, "web": 1} == {
        name: state.desired_total for name, state in decided.deployment.task_groups.items() if state
    }


def test_one_group_that_is_not_complete_holds_the_deployment() -> None:
    """REC-90."""
    scene = Scene(count=1, deployment=make_deployment(desired_total=1, healthy_allocs=1))
    alone = scene.make_input("0 d+")

    both = reconcile(with_groups(alone, "api", "web"))

    assert ["successful"] == [update.status for update in reconcile(alone).deployment_updates]
    assert not both.deployment_updates


def test_updates_of_all_groups_are_visited_together() -> None:
    """REC-02: what is marked unknown comes by ID, not by group."""
    scene = Scene(count=1, disconnect=PATIENCE)
    call = with_groups(scene.make_input("0 disc group=web; 0 disc group=api"), "api", "web")
    nodes: dict[str, Node | None] = {alloc.node_id: Node(status="disconnected") for alloc in call.allocs}
    allocs: list[Allocation] = [_follow_group(alloc) for alloc in call.allocs]

    decided = reconcile(type(call)(**{**fields(call), "allocs": tuple(allocs), "tainted": nodes}))

    assert ["web", "api"] == [alloc.task_group for alloc in decided.disconnect_updates]


def _follow_group(alloc: Allocation) -> Allocation:
    """Give the job of an allocation the group that the allocation is of."""
    assert alloc.job is not None
    groups = tuple(replace(group, name=alloc.task_group) for group in alloc.job.task_groups)
    return replace(alloc, job=replace(alloc.job, task_groups=groups))


def test_why_is_told_of_every_allocation_once() -> None:
    """Also of those that are looked at by no later stage."""
    update, deployment = make_update(2, 2), make_deployment(desired_canaries=2)
    scene = Scene(count=2, update=update, deployment=deployment, is_batch=True)
    call = scene.make_input("0; 1 down; 0 c; 1 c down; 2 c mig; 0 complete older; 1 stop mig resched")

    reconcile(call)

    reasons = call.reasons.build()
    assert reasons is not None
    assert {
        "a00": ("untainted", "REC-33"),
        "a01": ("lost", "REC-37"),
        "a02": ("untainted", "REC-33"),
        "a03": ("lost", "REC-67"),
        "a04": ("migrate", "REC-67"),
        "a05": ("ignore", "REC-16"),
        "a06": ("not looked at", "REC-14"),
    } == {each.alloc_id: (each.bucket, each.rule) for each in reasons.buckets}
    assert 7 == len(reasons.buckets)


def test_why_is_told_of_what_nobody_wants() -> None:
    """REC-12, REC-66."""
    stopped = Scene(stop=True).make_input("0; 1 complete")
    failed = Scene(deployment=make_deployment("failed", desired_canaries=1)).make_input("0; 0 c")

    found = []
    for call in (stopped, failed):
        reconcile(call)
        reasons = call.reasons.build()
        assert reasons is not None
        found.append({each.alloc_id: each.rule for each in reasons.buckets})

    assert [{"a00": "REC-33", "a01": "REC-12"}, {"a00": "REC-33", "a01": "REC-66"}] == found


def list_judgements(scene: Scene, text: str) -> list[tuple[str, str, str, str]]:
    call = scene.make_input(text)
    reconcile(call)
    reasons = call.reasons.build()
    assert reasons is not None
    return [(each.alloc_id, each.stage, each.verdict, each.rule) for each in reasons.judgements]


def test_why_is_told_by_every_later_stage() -> None:
    """REC-44, REC-74, RESCHED-18, RESCHED-19: those that nothing happens to are not told of."""
    scene = Scene(count=2, policy=policy(delay=30))

    assert [
        ("a01", "reschedule", "now", "RESCHED-18"),
        ("a02", "reschedule", "later", "RESCHED-19"),
        ("a03", "reschedule", "dropped", "REC-44"),
        ("a04", "excess", "stop", "REC-74"),
    ] == list_judgements(scene, "0; 1 f=60; 1 f=1; 0 complete; 4")[:4]


def test_why_is_told_of_those_who_come_back() -> None:
    """REC-49, REC-51, REC-54."""
    rejected = list_judgements(Scene(), "0 ar older; 1; 2")
    kept = list_judgements(Scene(), "0 ar next=a01; 0 pending; 1; 2")

    assert ("a00", "return", "stop", "REC-49") in rejected
    assert [("a01", "return", "stop", "REC-51"), ("a00", "return", "kept", "REC-54")] == kept[:2]


def test_why_is_told_of_what_a_deployment_holds_back() -> None:
    """REC-85."""
    scene = Scene(update=make_update(1), deployment=make_deployment("paused"))

    assert [(f"a0{number}", "max_parallel", "held back", "REC-85") for number in range(3)] == list_judgements(
        scene, "0 D; 1 D; 2 D"
    )
