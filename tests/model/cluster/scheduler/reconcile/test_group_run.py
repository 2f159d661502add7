import pytest

from nomadspec.model.cluster.entities import Allocation, DesiredUpdates, Job
from nomadspec.model.cluster.scheduler.reconcile.group_run import Decisions
from tests.model.cluster.scheduler.reconcile.made import Scene, make_deployment


@pytest.mark.parametrize(
    ("status", "fields", "is_ready"),
    [
        ("running", {}, True),
        ("running", {"desired_canaries": 1}, False),
        ("running", {"desired_canaries": 1, "promoted": True}, True),
        ("paused", {}, False),
        ("failed", {}, False),
    ],
)
def test_what_lets_a_group_go_on(status: str, fields: dict[str, int], *, is_ready: bool) -> None:
    """REC-18, REC-82."""
    run = Scene(deployment=make_deployment(status, **fields)).begin("")

    assert is_ready == run.is_place_ready()


def test_counters_have_the_names_of_the_answer() -> None:
    """REC-94."""
    done = Decisions()
    done.counts["place"] += 2
    done.counts["stop"] += 0

    assert DesiredUpdates(place=2) == done.build_counters()


def test_a_stop_says_what_is_written() -> None:
    """GENERIC-17."""
    done = Decisions()
    done.stop(Allocation(id="a"), "gone", "lost", "F1")

    (stop,) = done.stops
    assert ("a", "gone", "lost", "F1") == (
        stop.alloc.id,
        stop.description,
        stop.client_status,
        stop.followup_eval_id,
    )


def test_which_version_is_the_present_one() -> None:
    """VERS-02: the same version of an earlier job is another one."""
    run = Scene().begin("")
    jobs = [Job(version=1, create_index=10), Job(version=1, create_index=9), Job(create_index=10), None]

    assert [True, False, False, False] == [run.is_of_present_version(Allocation(job=job)) for job in jobs]
