"""The name under which an allocation asks for a volume."""

import pytest

from nomadspec.model.cluster.entities import VolumeRequest
from nomadspec.model.cluster.scheduler.feasibility.volume_source import find_source


@pytest.mark.parametrize(
    ("name", "source"),
    [("j.web[3]", "data[3]"), ("j[1].web[12]", "data[12]"), ("j.web", "data"), ("a[b", "data[b")],
)
def test_a_request_per_allocation_ends_with_its_index(name: str, source: str) -> None:
    """FEAS-60, FEAS-68."""
    assert source == find_source(VolumeRequest(source="data", per_alloc=True), name)
    assert "data" == find_source(VolumeRequest(source="data"), name)
