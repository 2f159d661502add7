"""Claims on sticky volumes."""

from typing import Any

import pytest

from nomadspec.model.cluster.entities import Allocation, HostVolume, HostVolumeClaim
from nomadspec.model.cluster.scheduler.feasibility.sticky_claims import list_unmet
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from tests.model.cluster.scheduler.made import make_alloc, make_context, make_job, make_snapshot

CLAIM = HostVolumeClaim(namespace="default", job_id="j", task_group_name="web", alloc_id="a1", volume_id="v1")
ENDED = make_alloc(client_status="failed")


def is_unmet(*allocs: Allocation, claim: HostVolumeClaim = CLAIM, planned: Allocation | None = None) -> bool:
    """Tell whether the claim on a volume of the first node is unmet."""
    volume = HostVolume(namespace="default", id="v1", node_id="n1")
    state = make_snapshot(*allocs).state
    snapshot = Snapshot.of(state, host_volumes=(volume,), host_volume_claims=(claim,))
    context = make_context(snapshot)
    if planned:
        context.plan.append_alloc(planned)
    return bool(list_unmet(snapshot, context.plan, make_job()))


@pytest.mark.parametrize(
    "fields", [{"alloc_id": "gone"}, {"volume_id": "gone"}, {"job_id": "k"}, {"namespace": "annex"}]
)
def test_a_claim_needs_its_allocation_and_volume(fields: dict[str, str]) -> None:
    """FEAS-65."""
    base = {name: getattr(CLAIM, name) for name in CLAIM.__struct_fields__}

    assert is_unmet(ENDED)
    assert not is_unmet(ENDED, claim=HostVolumeClaim(**base | fields))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, False),
        ({"task_group": "db"}, True),
        ({"job_id": "k"}, True),
        ({"namespace": "annex"}, True),
        ({"client_status": "complete"}, True),
        ({"desired_status": "stop"}, True),
    ],
)
def test_another_allocation_of_the_group_meets_it(fields: dict[str, Any], expected: bool) -> None:
    """FEAS-65."""
    assert expected == is_unmet(ENDED, make_alloc("a2", **fields))


def test_the_claimant_meets_it_until_it_ends() -> None:
    """FEAS-65: whatever group it is in now, but only on the node of the volume."""
    assert not is_unmet(make_alloc(task_group="db"))
    assert is_unmet(make_alloc(node_id="n2"))
    assert is_unmet(make_alloc(desired_status="stop"))


def test_what_the_plan_places_meets_it() -> None:
    """FEAS-65."""
    assert not is_unmet(ENDED, planned=make_alloc("a3"))
    assert is_unmet(make_alloc(client_status="failed", node_id="n2"), planned=make_alloc("a3"))
