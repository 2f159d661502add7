"""What acts do to deployments is what they declare; one that does otherwise is found."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.refinement.acts import hold_deployments, list_deployment_texts
from nomadspec.model.cluster.acts import (
    Act,
    CallDeployment,
    CommitPlan,
    ReportAllocs,
    SetHealth,
    WatchDeployments,
)
from nomadspec.model.cluster.entities import AllocDeploymentStatus, Deployment, DeploymentStatus
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import ALLOCS, DEPLOYMENTS
from nomadspec.model.cluster.world import World
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.checkers.oracle.refinement.acts.steps import (
    FEW_SCENARIOS,
    FEW_SEEDS,
    SCENARIOS,
    SEEDS,
    Step,
    list_of,
    list_steps,
    walk,
)


@pytest.mark.parametrize(
    ("folders", "seeds", "fewest"),
    [
        pytest.param(FEW_SCENARIOS, FEW_SEEDS, 250, id="few"),
        pytest.param(SCENARIOS, SEEDS, 350, id="all", marks=pytest.mark.deep),
    ],
)
def test_acts_do_to_deployments_what_they_declare_and_all_that_is_declared_happens(
    folders: tuple[str, ...], seeds: tuple[int, ...], fewest: int
) -> None:
    held, taken = Counter[str](), set[str]()
    for step in chain(list_steps(folders), *(walk(seed, NOMAD_2_0) for seed in seeds)):
        found = hold_deployments(*step)
        assert not found.problem
        held["outside" if found.outside else "steps" if found.steps else "nothing"] += 1
        taken.update(found.steps)

    assert held["steps"] > fewest
    assert held["outside"] < 60
    assert taken == list_deployment_texts()


@pytest.mark.deep
@pytest.mark.parametrize("profile", [NOMAD_2_0, INTENDED], ids=lambda profile: profile.name)
def test_acts_of_many_walks_do_to_deployments_what_they_declare(profile: Profile) -> None:
    found = [hold_deployments(*step) for seed in range(150) for step in walk(seed, profile)]

    assert [] == [each.problem for each in found if each.problem]
    assert sum(bool(each.steps) for each in found) > 800


def list_held(kind: type[Act], step: str) -> Iterator[Step]:
    """List the acts of a kind that are some step of the kernel."""
    return (each for each in list_of(kind) if step in hold_deployments(*each).steps)


def with_state(world: World, state: State) -> World:
    """Give a world in which the last entry of an act left another state."""
    last = replace(world.written[-1], after=state)
    return replace(world, state=state, written=(*world.written[:-1], last))


def with_deployment(world: World, **values: object) -> World:
    """Give a world in which the act left the deployments that it wrote otherwise."""
    state = world.state
    for key in (key for table, key in world.written[-1].before if table == DEPLOYMENTS):
        one = replace(state.deployments[str(key)], **values)
        state = replace(state, deployments=state.deployments.insert(one.id, one))
    return with_state(world, state)


def count_more(world: World, name: str, more: int) -> World:
    """Give a world in which the act has counted otherwise in the deployments that it wrote."""
    state = world.state
    for key in (key for table, key in world.written[-1].before if table == DEPLOYMENTS):
        one: Deployment = state.deployments[str(key)]
        groups = {
            group: count and replace(count, **{name: getattr(count, name) + more})
            for group, count in one.task_groups.items()
        }
        state = replace(state, deployments=state.deployments.insert(one.id, replace(one, task_groups=groups)))
    return with_state(world, state)


def refuses(kind: type[Act], step: str, spoil: Callable[[World], World]) -> bool:
    """Tell whether there are acts of a kind that are some step, and each is found once it is spoilt."""
    spoilt = [(before, act, spoil(after), after) for before, act, after in list_held(kind, step)]
    found = [
        hold_deployments(before, act, other) for before, act, other, after in spoilt if is_other(other, after)
    ]
    return bool(found) and all(f"{kind.__name__}: " in each.problem for each in found)


def is_other(world: World, than: World) -> bool:
    """Tell whether two worlds differ: a deployment may have had a status already."""
    one, other = world.state, than.state
    is_as_before = (
        one.list_deployments() == other.list_deployments() and one.list_allocs() == other.list_allocs()
    )
    return not is_as_before


@pytest.mark.parametrize(
    ("kind", "step", "status"),
    [
        pytest.param(CommitPlan, "commit", DeploymentStatus.FAILED, id="fails with success"),
        pytest.param(CommitPlan, "commit", DeploymentStatus.PAUSED, id="pauses instead of a cancel"),
        pytest.param(WatchDeployments, "fail_deployment", DeploymentStatus.PAUSED, id="pauses unhealthy"),
        pytest.param(WatchDeployments, "fail_deployment", DeploymentStatus.CANCELLED, id="cancels unhealthy"),
        pytest.param(
            CallDeployment, "set_deployment_status", DeploymentStatus.SUCCESSFUL, id="succeeds on request"
        ),
    ],
)
def test_a_deployment_gets_no_other_status(kind: type[Act], step: str, status: DeploymentStatus) -> None:
    """Mutants: an act writes another status than its step does."""
    assert refuses(kind, step, lambda after: with_deployment(after, status=status.value))


@pytest.mark.parametrize(
    ("kind", "step", "name", "more"),
    [
        pytest.param(CommitPlan, "commit", "placed_allocs", 1, id="counts a placement twice"),
        pytest.param(ReportAllocs, "report_health", "healthy_allocs", -1, id="does not count a healthy one"),
        pytest.param(ReportAllocs, "report_health", "healthy_allocs", 1, id="counts a healthy one twice"),
        pytest.param(SetHealth, "report_health", "unhealthy_allocs", 1, id="counts an unhealthy one more"),
    ],
)
def test_a_deployment_counts_what_was_placed_and_reported(
    kind: type[Act], step: str, name: str, more: int
) -> None:
    """Mutants: a count of the deployment is off by one."""
    assert refuses(kind, step, lambda after: count_more(after, name, more))


def test_a_deployment_is_not_successful_before_its_allocations_are_healthy() -> None:
    """A mutant: a plan that only places for a deployment calls it successful."""
    asked = 0
    for before, act, after in list_held(CommitPlan, "commit"):
        other = with_deployment(after, status=DeploymentStatus.SUCCESSFUL.value)
        found = hold_deployments(before, act, other)
        if not found.outside and is_other(other, after):
            asked += 1
            assert "CommitPlan: " in found.problem
    assert asked


def test_a_report_of_a_client_does_not_fail_the_deployment_by_itself() -> None:
    """A mutant: the store fails a deployment when an allocation is reported, before its watcher looks."""
    failed = DeploymentStatus.FAILED.value
    assert refuses(ReportAllocs, "report_health", lambda after: with_deployment(after, status=failed))


def test_the_health_that_was_reported_is_stored() -> None:
    """A mutant: the report is counted, and forgotten of the allocation."""

    def forget(after: World) -> World:
        state = after.state
        for key in (key for table, key in after.written[-1].before if table == ALLOCS):
            alloc = replace(state.allocs[str(key)], deployment_status=AllocDeploymentStatus())
            state = replace(state, allocs=state.allocs.insert(alloc.id, alloc))
        return with_state(after, state)

    assert refuses(ReportAllocs, "report_health", forget)
