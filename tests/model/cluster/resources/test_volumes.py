"""Host volumes for one writer (PLAN-54 (g))."""

import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.entities import Allocation, Job, TaskGroup, VolumeRequest
from nomadspec.model.cluster.resources.volumes import has_conflicting_claims
from tests.model.cluster.resources.making import make_alloc

ONE, MANY = "single-node-single-writer", "single-node-multi-writer"


def claiming(
    mode: str, source: str = "vault", kind: str = "host", client_status: str = "running"
) -> Allocation:
    """Make an allocation whose group claims a volume."""
    volume = VolumeRequest(type=kind, source=source, access_mode=mode)
    groups = (TaskGroup(name="other"), TaskGroup(name="g", volumes={"data": volume}))
    alloc = make_alloc(client_status=client_status)
    return replace(alloc, task_group="g", job=Job(task_groups=groups))


@pytest.mark.parametrize(
    ("allocs", "is_conflict"),
    [
        ([claiming(ONE)], False),
        ([claiming(ONE), claiming(MANY)], True),
        ([claiming(MANY), claiming(MANY)], False),
        ([claiming(ONE), claiming(MANY, source="other")], False),
        ([claiming(ONE), claiming(ONE, client_status="lost")], False),
        ([claiming(ONE, kind="csi"), claiming(ONE, kind="csi")], False),
        ([claiming(ONE), replace(claiming(ONE), job=None)], False),
    ],
    ids=["alone", "two", "for many", "other volume", "ended", "not of the host", "no job (03/S6)"],
)
def test_who_wants_a_volume_alone_conflicts_with_any_other(
    allocs: list[Allocation],
    is_conflict: bool,
) -> None:
    assert is_conflict == has_conflicting_claims(allocs)
