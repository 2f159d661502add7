"""Requests are read from JSON under the names of the wire."""

from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.store.entries import REQUEST_TYPES
from nomadspec.model.cluster.store.requests import JobDeregister, NodeUpdateStatus


def test_names_and_units_are_those_of_the_wire() -> None:
    """WIRE-103."""
    raw = {"NodeID": "n", "Status": "ready", "NodeEvent": None, "UpdatedAt": 5}

    assert NodeUpdateStatus(node_id="n", status="ready", updated_at_s=5) == read(NodeUpdateStatus, raw)


def test_a_name_that_python_keeps_for_itself_is_read() -> None:
    unknown: list[str] = []
    read(JobDeregister, {"Global": True, "JobID": "j"}, unknown)

    assert [] == unknown


def test_every_request_can_be_read_from_nothing() -> None:
    for name, request in REQUEST_TYPES.items():
        assert request() == read(request, {}), name
