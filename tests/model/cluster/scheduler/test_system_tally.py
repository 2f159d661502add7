"""What is counted of each group."""

import pytest

from nomadspec.model.cluster.entities import AllocMetric, DesiredUpdates
from nomadspec.model.cluster.scheduler.reconcile.node import NodeEntry
from nomadspec.model.cluster.scheduler.reconcile.node_buckets import NodeBucket
from nomadspec.model.cluster.scheduler.system_tally import (
    Tally,
    count_desired,
    merge_filtered,
    tally_groups,
    wrap_count,
)
from nomadspec.model.cluster.scheduler.system_updates import Updates
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.model.cluster.scheduler.fleet import make_fleet_group, make_fleet_job, make_old, make_resident

JOB = make_fleet_job(make_fleet_group(), make_fleet_group("db"))


def make_entries(count: int, group: str = "web") -> tuple[NodeEntry, ...]:
    allocs = [make_resident(f"n{number}", JOB, group) for number in range(count)]
    return tuple(NodeEntry(name=alloc.name, group=make_fleet_group(group), alloc=alloc) for alloc in allocs)


BUCKETS = {bucket: make_entries(number) for number, bucket in enumerate(NodeBucket, 1)}
UPDATES = Updates(in_place=make_entries(10), destructive=make_entries(20))


def test_candidates_are_the_nodes_that_have_or_may_get_one() -> None:
    """SYSDEP-10: place 1, ignore 5, in place 10, destructive 20."""
    tallies = tally_groups(JOB, BUCKETS, UPDATES, profile=NOMAD_2_0)

    assert tallies == {
        "web": Tally(candidates=36, destructive=20, place=1, has_existing=True),
        "db": Tally(),
    }


def test_what_keeps_an_older_version_should_not_count() -> None:
    """05/S9: it may be ignored, as what is out of reach is, but it can never become healthy."""
    old = make_resident("n0", make_old(JOB))
    entry = NodeEntry(name=old.name, group=make_fleet_group(), alloc=old)
    buckets = dict.fromkeys(NodeBucket, ()) | {NodeBucket.IGNORE: (entry, *make_entries(2))}
    totals = [
        tally_groups(JOB, buckets, Updates(), profile=profile)["web"].candidates
        for profile in (NOMAD_2_0, INTENDED)
    ]

    assert totals == [3, 2]


def test_what_becomes_unknown_should_count() -> None:
    """X-59: as it does before and after, where it is of the present version."""
    old = make_resident("n9", make_old(JOB))
    entry = NodeEntry(name=old.name, group=make_fleet_group(), alloc=old)
    buckets = dict.fromkeys(NodeBucket, ()) | {
        NodeBucket.IGNORE: make_entries(1),
        NodeBucket.DISCONNECTING: (entry, *make_entries(1)),
    }
    totals = [
        tally_groups(JOB, buckets, Updates(), profile=profile)["web"].candidates
        for profile in (NOMAD_2_0, INTENDED)
    ]

    assert totals == [1, 2]


@pytest.mark.parametrize("profile", [NOMAD_2_0, INTENDED], ids=lambda profile: profile.name)
def test_what_comes_back_counts_once(profile: Profile) -> None:
    """SYSTEM-12, SYSDEP-10: it is among the updates, in place or not."""
    in_place, destructive = make_entries(1), make_entries(2)
    buckets = dict.fromkeys(NodeBucket, ()) | {NodeBucket.RECONNECTING: (*in_place, *destructive)}
    updates = Updates(in_place=in_place, destructive=destructive)

    assert tally_groups(JOB, buckets, updates, profile=profile)["web"].candidates == 3


def test_a_job_that_is_gone_has_no_groups() -> None:
    assert tally_groups(None, BUCKETS, UPDATES, profile=NOMAD_2_0) == {}


def test_what_is_told_has_no_counter_for_the_lost() -> None:
    """SYSTEM-36."""
    assert count_desired(BUCKETS, UPDATES) == {
        "web": DesiredUpdates(
            place=1,
            migrate=3,
            stop=4,
            ignore=5,
            disconnect=7,
            reconnect=8,
            in_place_update=10,
            destructive_update=20,
        )
    }


def test_nodes_that_refused_are_summed_up() -> None:
    """SYSTEM-28."""
    first = AllocMetric(
        nodes_evaluated=1, nodes_filtered=1, class_filtered={"a": 1}, constraint_filtered={"x": 1}
    )
    second = AllocMetric(
        nodes_evaluated=1,
        nodes_filtered=1,
        class_filtered={"b": 1},
        constraint_filtered={"x": 1},
        nodes_in_pool=7,
    )

    assert merge_filtered(merge_filtered(None, first), second) == AllocMetric(
        nodes_evaluated=2,
        nodes_filtered=2,
        class_filtered={"a": 1, "b": 1},
        constraint_filtered={"x": 2},
    )


def test_below_zero_a_count_becomes_huge() -> None:
    """05/S15."""
    assert (wrap_count(3), wrap_count(-1)) == (3, 18_446_744_073_709_551_615)
