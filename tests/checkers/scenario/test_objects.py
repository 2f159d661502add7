"""Jobs and nodes that are made of a few words."""

import pytest

from nomadspec.checkers.scenario.language import WordError
from nomadspec.checkers.scenario.objects import build_job, build_node


def test_a_node_has_a_rack_and_a_volume() -> None:
    node = build_node("node-1", {"rack": "r1", "volume": "data"})

    assert dict(node.meta) == {"rack": "r1"}
    assert list(node.host_volumes) == ["data"]
    assert node.computed_class != build_node("node-1", {}).computed_class


def test_groups_differ_in_what_they_ask_for() -> None:
    job = build_job("web", {"groups": "2", "port": "dynamic,8080", "volume": "data"})
    dynamic, reserved = (group.networks[0] for group in job.task_groups)

    assert len(dynamic.dynamic_ports) == 1
    assert not dynamic.reserved_ports
    assert [port.value for port in reserved.reserved_ports] == [8080]
    assert [group.volumes["main"].source for group in job.task_groups] == ["data", "data"]


def test_a_job_is_spread_and_has_distinct_properties() -> None:
    job = build_job("web", {"spread": "meta.rack=r1:70", "distinct_property": "meta.rack=2"})

    assert job.spreads[0].attribute == "${meta.rack}"
    assert [(target.value, target.percent) for target in job.spreads[0].spread_target] == [("r1", 70)]
    assert job.constraints[0].rtarget == "2"
    with pytest.raises(WordError, match="no whole number"):
        build_job("web", {"spread": "meta.rack=r1:most"})
