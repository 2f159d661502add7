"""Tests of `model/cluster/codec/spelling.py`."""

import pytest

from nomadspec.model.cluster.codec.spelling import ACRONYMS, EXCEPTIONS, spell


@pytest.mark.parametrize(
    ("attribute", "wire"),
    [
        ("id", "ID"),
        ("failed_tg_allocs", "FailedTGAllocs"),
        ("job_id", "JobID"),
        ("device_ids", "DeviceIDs"),
        ("ltarget", "LTarget"),
        ("mbits", "MBits"),
        ("memory_max_mb", "MemoryMaxMB"),
        ("cpu_mhz", "CPU"),
        ("cpu_shares", "CpuShares"),
        ("kill_timeout_ns", "KillTimeout"),
        ("status_updated_at_s", "StatusUpdatedAt"),
        ("dns", "DNS"),
        ("address_ipv6", "AddressIPv6"),
        ("gc_volumes_on_node_gc", "GCVolumesOnNodeGC"),
    ],
)
def test_a_field_is_spelled_as_the_interface_does(attribute: str, wire: str) -> None:
    """OBJ-001."""
    assert wire == spell(attribute)


def test_an_acronym_and_an_exception_say_more_than_the_rule() -> None:
    assert all(wire != word.capitalize() for word, wire in ACRONYMS.items())
    assert all(attribute.islower() for attribute in EXCEPTIONS)
