"""Tests of `model/cluster/entities/namespace.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.namespace import Namespace
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (
            Namespace,
            (
                "Name Description Quota Capabilities NodePoolConfiguration VaultConfiguration "
                "ConsulConfiguration OptionalExtraClaims RequiredExtraClaims Meta Hash CreateIndex "
                "ModifyIndex"
            ),
        ),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)
