"""Tests of `model/cluster/entities/group.py`."""

import msgspec
import pytest

from nomadspec.model.cluster.entities.group import (
    EphemeralDisk,
    TaskGroup,
    find_lost_after_ns,
    find_reconcile,
    find_stop_timeout_ns,
    has_update_strategy,
    is_replaced_while_unknown,
)
from nomadspec.model.cluster.entities.policy import DisconnectStrategy, UpdateStrategy
from tests.model.cluster.entities.members import assert_members


@pytest.mark.parametrize(
    ("record", "members"),
    [
        (EphemeralDisk, "Sticky SizeMB Migrate"),
        (
            TaskGroup,
            (
                "Name Count Update Migrate Constraints Scaling RestartPolicy Disconnect Tasks EphemeralDisk "
                "Meta ReschedulePolicy Affinities Spreads Networks Consul Services Volumes ShutdownDelay "
                "MaxRunDuration StopAfterClientDisconnect MaxClientDisconnect PreventRescheduleOnLost"
            ),
        ),
    ],
)
def test_members_are_spelled_as_the_interface_spells_them(record: type[msgspec.Struct], members: str) -> None:
    assert_members(record, members)


@pytest.mark.parametrize(
    ("update", "has_one"),
    [(None, False), (UpdateStrategy(), False), (UpdateStrategy(max_parallel=1), True)],
)
def test_an_update_block_counts_when_something_may_be_updated(
    update: UpdateStrategy | None, has_one: bool
) -> None:
    """OBJ-060, OBJ-102."""
    assert has_one == has_update_strategy(TaskGroup(update=update))


def test_a_group_without_a_disconnect_block_has_its_defaults() -> None:
    """OBJ-071."""
    group = TaskGroup()

    assert 0 == find_lost_after_ns(group)
    assert find_stop_timeout_ns(group) is None
    assert is_replaced_while_unknown(group)
    assert "best_score" == find_reconcile(group)


def test_a_disconnect_block_is_read() -> None:
    """OBJ-071."""
    block = DisconnectStrategy(
        lost_after_ns=5, stop_on_client_after_ns=0, replace=False, reconcile="keep_original"
    )
    group = TaskGroup(disconnect=block)

    assert 5 == find_lost_after_ns(group)
    assert 0 == find_stop_timeout_ns(group)
    assert not is_replaced_while_unknown(group)
    assert "keep_original" == find_reconcile(group)


def test_what_a_disconnect_block_leaves_out_has_its_default() -> None:
    """OBJ-071."""
    group = TaskGroup(disconnect=DisconnectStrategy())

    assert is_replaced_while_unknown(group)
    assert "best_score" == find_reconcile(group)
