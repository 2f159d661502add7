import pytest

from nomadspec.model.cluster.constraints.targets import describe, find_unmet, is_met_by, resolve
from nomadspec.model.cluster.entities import Constraint, Node

NODE = Node(
    id="n1",
    name="host",
    datacenter="dc1",
    node_pool="mills",
    attributes={"kernel.name": "linux", "empty": "", "a}-x": "odd", "brace}d": "deep"},
    meta={"tier": "gold"},
)


@pytest.mark.parametrize(
    ("target", "value"),
    [
        ("", ""),
        ("linux", "linux"),
        ("$node.class", "$node.class"),
        (" ${node.class}", " ${node.class}"),
        ("${node.unique.id}", "n1"),
        ("${node.unique.name}", "host"),
        ("${node.datacenter}", "dc1"),
        ("${node.class}", ""),
        ("${node.pool}", "mills"),
        ("${node.pool", None),
        ("${node.region}", None),
        ("${attr.kernel.name}", "linux"),
        ("${attr.kernel.name", "linux"),
        ("${attr.kernel.name}}", None),
        ("${attr.empty}", ""),
        ("${attr.a}-x}", "odd"),
        ("${attr.brace}d}", "deep"),
        ("${meta.tier}", "gold"),
        ("${meta.}", None),
        ("${", None),
        ("${unique.hostname}", None),
    ],
)
def test_what_a_target_stands_for(target: str, value: str | None) -> None:
    """FEAS-29."""
    assert value == resolve(target, NODE)


def test_both_sides_are_resolved_alike() -> None:
    """FEAS-30."""
    assert is_met_by(Constraint(ltarget="linux", operand="=", rtarget="${attr.kernel.name}"), NODE)
    assert not is_met_by(Constraint(ltarget="${attr.x}", operand="!=", rtarget="${attr.empty}"), NODE)


def test_the_first_unmet_constraint_is_found_and_described() -> None:
    """FEAS-33."""
    met = Constraint(ltarget="${meta.tier}", operand="is_set")
    unmet = Constraint(ltarget="${meta.rack}", operand="is_set")
    later = Constraint(ltarget="${meta.tier}", operand="=", rtarget="tin")

    assert unmet == find_unmet([met, unmet, later], NODE)
    assert find_unmet([met], NODE) is None
    assert "${meta.rack} is_set " == describe(unmet)
