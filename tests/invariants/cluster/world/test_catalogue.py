from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from rpds import HashTrieMap

from nomadspec.invariants.cluster.world import PROPERTIES, Scope, Step, list_properties
from nomadspec.invariants.cluster.world.registry import READS, find_touched
from nomadspec.model.cluster.entities import (
    AllocDeploymentStatus,
    Deployment,
    DeploymentState,
    DeploymentStatus,
    DeploymentStatusUpdate,
    PlanResult,
)
from nomadspec.model.cluster.world import World
from nomadspec.model.specification.catalogue import list_ids
from tests.invariants.cluster.world import planted_records
from tests.invariants.cluster.world.planted import (
    PLANTED,
    ROLLING,
    RUNNING,
    add_alloc,
    change,
    play,
    submit_after,
)

ROOT = Path(__file__).parents[4]


def test_every_property_is_broken_by_a_planted_step() -> None:
    assert planted_records.__doc__
    assert list(PROPERTIES) == sorted(PROPERTIES, key=list(PROPERTIES).index)
    assert set(PROPERTIES) == set(PLANTED)


@pytest.mark.parametrize("name", PROPERTIES)
def test_a_planted_step_is_noticed(name: str) -> None:
    witnesses = PROPERTIES[name].list_witnesses(PLANTED[name]())

    assert witnesses
    assert not any(each.endswith(".") for each in witnesses)


@pytest.mark.parametrize("name", [each.name for each in list_properties(Scope.ALWAYS, Scope.STEP)])
def test_a_planted_step_touches_what_its_property_reads(name: str) -> None:
    assert PROPERTIES[name].is_touched(find_touched(PLANTED[name]()))


def test_a_snapshot_may_be_older_than_the_making_of_its_eval_but_not_newer_than_its_last_write() -> None:
    """OBJ-183."""
    prop = PROPERTIES["snapshot_of_eval_is_older_than_its_entry"]
    before = play(RUNNING)
    entry = min(before.state.evals.values(), key=lambda one: one.id)
    snapshots = (entry.create_index - 1, entry.modify_index, entry.modify_index + 1)
    found = [
        prop.list_witnesses(Step(before, None, change(before, "evals", snapshot_index=index)))
        for index in snapshots
    ]

    assert [0, 0, 1] == [len(witnesses) for witnesses in found]


@pytest.mark.parametrize("text", [RUNNING, ROLLING])
def test_a_cluster_that_runs_well_breaks_nothing(text: str) -> None:
    world = play(text)

    assert {} == {
        each.name: found
        for each in list_properties()
        if (found := each.list_witnesses(Step(world, None, world)))
    }


def test_every_property_cites_rules_and_says_who_is_hurt() -> None:
    ids = list_ids()
    for each in PROPERTIES.values():
        assert each.spec
        assert set(each.spec) <= set(ids), each.name
        assert each.because.endswith(".")
        assert each.about.endswith(".")
        assert set(each.reads) <= set(READS)


def test_properties_are_found_by_what_they_speak_of() -> None:
    assert len(PROPERTIES) == sum(len(list_properties(scope)) for scope in Scope)


@pytest.mark.parametrize("status", ["running", "paused", "failed"])
@pytest.mark.parametrize("name", ["no_more_allocs_than_count", "names_of_live_allocs_are_distinct"])
def test_no_deployment_excuses_an_allocation_too_many(name: str, status: str) -> None:
    """REC-74, REC-82: a deployment that halts placements halts no stops."""
    world = change(add_alloc(play(RUNNING)), "deployments", status=status)

    assert PROPERTIES[name].list_witnesses(Step(world, None, world))


def _add_canary(**fields: Any) -> World:
    """Add an allocation that is flagged as a canary of the deployment of its job, or of another one."""
    flagged = AllocDeploymentStatus(canary=True, healthy=True)
    return add_alloc(play(RUNNING), deployment_status=flagged, **fields)


def test_a_canary_counts_for_its_group_where_nothing_can_promote_it() -> None:
    """OBJ-102, REC-74."""
    excused, counted = _add_canary(), _add_canary(deployment_id="")
    asked = PROPERTIES["no_more_allocs_than_count"]

    assert not asked.list_witnesses(Step(excused, None, excused))
    assert asked.list_witnesses(Step(counted, None, counted))


@pytest.mark.parametrize(("made", "is_excused"), [(-1, True), (1, False)])
def test_only_what_a_canary_was_to_replace_may_have_its_name(made: int, is_excused: bool) -> None:
    """REC-64: the canary was promoted, and the other one was made before it or after it."""
    world = add_alloc(play(RUNNING))
    canary = world.state.allocs["alloc-new"]
    deployment = world.state.find_deployment(canary.deployment_id)
    assert deployment is not None
    groups = {
        name: replace(group or DeploymentState(), placed_canaries=(canary.id,))
        for name, group in deployment.task_groups.items()
    }
    listed = change(world, "deployments", task_groups=groups)
    timed = change(listed, "allocs", 0, create_index=canary.create_index + made)
    witnesses = PROPERTIES["names_of_live_allocs_are_distinct"].list_witnesses(Step(timed, None, timed))

    assert is_excused == (not witnesses)


@pytest.mark.parametrize("status", ["unknown", "lost", "complete", "failed"])
def test_what_was_out_of_reach_is_replaced_again_only_while_its_group_is_short(status: str) -> None:
    """DISC-11, DISC-12: what has failed is replaced once, however short its group is."""
    world = change(add_alloc(play(RUNNING)), "allocs", 1, client_status=status)
    old = world.state.list_allocs()[1].id
    for position in (0, 2):
        world = change(world, "allocs", position, previous_allocation=old)
    (job,) = world.state.jobs.values()
    small = replace(job, task_groups=(replace(job.task_groups[0], count=1),))
    scaled = change(world, "jobs", task_groups=small.task_groups)
    crowded = scaled
    for position in (0, 1, 2):
        crowded = change(crowded, "allocs", position, job=small)
    asked = PROPERTIES["alloc_has_one_live_successor"]

    assert (status == "failed") == bool(asked.list_witnesses(Step(world, None, world)))
    assert (status == "failed") == bool(asked.list_witnesses(Step(scaled, None, scaled)))
    assert asked.list_witnesses(Step(crowded, None, crowded))


def test_a_task_that_names_no_resources_asks_for_none() -> None:
    world = play(RUNNING)
    alloc = world.state.list_allocs()[0]
    assert alloc.job is not None
    (group,) = alloc.job.task_groups
    (task,) = group.tasks
    job = replace(alloc.job, task_groups=(replace(group, tasks=(replace(task, resources=None),)),))
    broken = PROPERTIES["alloc_has_the_room_its_version_asks_for"]

    assert ["and asks for 0 MHz and 0 MB"] == [
        each[each.index("and asks") :]
        for each in broken.list_witnesses(Step(world, None, change(world, "allocs", job=job)))
    ]


def test_every_evaluation_whose_chain_leads_into_a_circle_is_named() -> None:
    world = play(RUNNING)
    one = next(iter(world.state.evals.values()))
    links = {"a": "b", "b": "c", "c": "b", "d": "a", "e": "f", "f": "", "g": "e"}
    rows = {key: replace(one, id=key, previous_eval=earlier) for key, earlier in links.items()}
    circular = replace(world, state=replace(world.state, evals=HashTrieMap(rows)))
    witnesses = PROPERTIES["chain_of_evals_has_no_cycle"].list_witnesses(Step(world, None, circular))

    assert [
        "eval a comes from itself by way of c",
        "eval b comes from itself by way of c",
        "eval c comes from itself by way of b",
        "eval d comes from itself by way of c",
    ] == sorted(witnesses)


@pytest.mark.parametrize(
    ("status", "says_of", "is_refused"),
    [
        (DeploymentStatus.SUCCESSFUL, "d", True),
        (DeploymentStatus.FAILED, "d", True),
        (DeploymentStatus.RUNNING, "d", False),
        (DeploymentStatus.SUCCESSFUL, "older", False),
    ],
)
def test_that_an_ended_deployment_shall_end_is_nothing_of_a_plan(
    status: DeploymentStatus, says_of: str, is_refused: bool
) -> None:
    """SYSDEP-21, SYSDEP-24: each plan of a system job says so again, and the store ignores it."""
    said = DeploymentStatusUpdate(deployment_id=says_of, status=DeploymentStatus.SUCCESSFUL)
    result = PlanResult(deployment=Deployment(id="d", status=status), deployment_updates=(said,))
    witnesses = PROPERTIES["rejected_plans_end_a_delivery"].list_witnesses(submit_after(result))

    assert bool(witnesses) is is_refused
