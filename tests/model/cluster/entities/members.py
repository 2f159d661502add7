"""What the tests of all entities ask: that each member is spelled as the interface spells it."""

import msgspec

from nomadspec.model.cluster.codec import read, write
from nomadspec.model.cluster.codec.shape import list_fields


def assert_members(record: type[msgspec.Struct], members: str) -> None:
    """Assert the spelling of all members, in order, and that an object of zeros is written as nothing."""
    assert members.split() == [field.wire for field in list_fields(record)]
    assert {} == write(record())
    assert record() == read(record, dict.fromkeys(members.split()))
