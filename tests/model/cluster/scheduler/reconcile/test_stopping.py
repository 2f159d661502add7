import pytest

from nomadspec.model.cluster.scheduler.reconcile.stopping import end_group, end_job
from tests.model.cluster.scheduler.reconcile.made import PATIENCE, Scene, case, make_deployment

CASES = [
    case("W-06", {"count": 0}, "0; 1 down; 2 complete; 3 stop", stop="0NN 2NN 1LO", count="St3"),
    case(
        "W-07",
        {},
        "0,1 group=old",
        place="0 1 2",
        stop="old.0NN old.1NN",
        count="old: St2; Pl3",
    ),
    case(
        "W-08",
        {"stop": True, "disconnect": PATIENCE, "deployment": make_deployment()},
        "0 d; 1 down; 2 f=5; 3 disc unk=10; 4 stop",
        stop="0NN 3NN 1LO",
        deploy="d:cancelled",
        count="St3",
    ),
    case("purged", {"has_job": False}, "0; 1 complete", stop="0NN", count="St1"),
    case(
        "unknown for too long",
        {"stop": True, "disconnect": PATIENCE},
        "0 unk=301; 1 disc",
        stop="1NN 0NN",
        count="St2",
    ),
    case(
        "an ended deployment is left alone",
        {"stop": True, "deployment": make_deployment("failed")},
        "",
    ),
]


@pytest.mark.parametrize(("scene", "allocs", "expected"), CASES)
def test_nothing_stays_of_what_nobody_wants(scene: Scene, allocs: str, expected: dict[str, str]) -> None:
    """REC-04, REC-05, REC-12, REC-13."""
    assert expected == scene.solve(allocs)


def test_a_removed_group_stops_more_than_a_stopped_job() -> None:
    """REC-12, REC-13: what has ended by itself is stopped too, and counted."""
    call = Scene(is_batch=True).make_input("0; 1 f=5; 2 complete; 3 stop; 4 stop mig stay")
    allocs = {alloc.id: alloc for alloc in call.allocs}

    job, group = end_job(call, allocs), end_group(call, allocs)

    assert ["a00"] == [stop.alloc.id for stop in job.stops]
    assert ["a00", "a01", "a02", "a04"] == [stop.alloc.id for stop in group.stops]
    assert (1, 5) == (job.counts["stop"], group.counts["stop"])
    assert group.is_complete
    assert group.names is None
