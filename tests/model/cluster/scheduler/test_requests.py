"""A request for a placement stands alone unless something is said of it."""

from nomadspec.model.cluster.scheduler.requests import PlacementRequest, SelectOptions
from tests.model.cluster.scheduler.made import make_group


def test_a_request_for_a_new_name_has_no_past() -> None:
    """REC-78."""
    request = PlacementRequest(name="j.web[0]", group=make_group())

    assert request.previous is None
    assert not any((request.is_canary, request.is_downgrade, request.is_reschedule))
    assert request.min_version == 0


def test_a_search_evicts_only_when_told() -> None:
    """RANK-14."""
    assert not SelectOptions(alloc_name="j.web[0]").preempt
