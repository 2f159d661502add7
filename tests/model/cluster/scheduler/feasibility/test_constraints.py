"""Constraints as checks of a node."""

from nomadspec.model.cluster.entities import Constraint
from nomadspec.model.cluster.scheduler.feasibility.constraints import check_constraints
from tests.model.cluster.scheduler.made import make_node


def test_the_first_constraint_that_is_not_met_is_told() -> None:
    """FEAS-31, FEAS-33."""
    node = make_node(attributes={"arch": "arm64"})
    met = Constraint(ltarget="${attr.arch}", operand="=", rtarget="arm64")
    unset = Constraint(ltarget="${attr.tpm}", operand="is_set")
    other = Constraint(ltarget="${attr.arch}", operand="=", rtarget="amd64")

    assert check_constraints(node, (met, met)) is None
    refused = check_constraints(node, (met, unset, other))
    assert refused is not None
    assert "${attr.tpm} is_set " == refused.text
    assert {"left": None, "operand": "is_set", "right": ""} == refused.operands
