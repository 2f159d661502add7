"""Tests of `model/cluster/entities/constraint.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.constraint import Affinity, Constraint, Spread, SpreadTarget
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (Constraint, "LTarget RTarget Operand"),
        (Affinity, "LTarget RTarget Operand Weight"),
        (SpreadTarget, "Value Percent"),
        (Spread, "Attribute Weight SpreadTarget"),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
