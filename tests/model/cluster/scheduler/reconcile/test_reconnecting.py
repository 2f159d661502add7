from typing import Any

import pytest

from nomadspec.model.cluster.entities import NS_PER_S, AllocState, DisconnectStrategy
from nomadspec.model.cluster.scheduler.reconcile.reconnecting import reconnect
from nomadspec.model.specification.profiles import INTENDED
from tests.model.cluster.scheduler.reconcile.made import NOW_NS, PATIENCE, Scene, case


def prefer(strategy: str) -> dict[str, Any]:
    return {"disconnect": DisconnectStrategy(lost_after_ns=300 * NS_PER_S, reconcile=strategy)}


PATIENT: dict[str, Any] = {"disconnect": PATIENCE}
OTHERS = "0; 2"

CASES = [
    case(
        "W-62",
        PATIENT,
        f"{OTHERS}; 1 ar next=r score=10; 1 id=r score=5",
        stop="1RC",
        change="K1",
        count="Ig3 St1 Re1",
    ),
    case("W-63", PATIENT, f"{OTHERS}; 1 ar next=r score=5; 1 id=r score=10", stop="1NN", count="Ig3 St1"),
    case(
        "W-64",
        PATIENT,
        f"{OTHERS}; 1 ar next=r score=5; 1 id=r score=10 pending",
        stop="1RC",
        change="K1",
        count="Ig3 St1 Re1",
    ),
    case("W-65", PATIENT, f"{OTHERS}; 1 ar f=10 next=r; 1 id=r", stop="1RS", count="Ig3 St1"),
    case("W-66", PATIENT, f"{OTHERS}; 1 ar f=10", place="1", stop="1RS", count="Ig2 Pl1 St1"),
    case(
        "W-67",
        prefer("keep_original"),
        "0 ar next=first; 1; 2; 0 id=first stop next=second; 0 id=second",
        stop="2NN",
        change="K0",
        count="Ig3 St1 Re1",
    ),
    case(
        "keeps the replacement",
        prefer("keep_replacement"),
        f"{OTHERS}; 1 ar next=r; 1 id=r pending",
        stop="1NN",
        count="Ig3 St1",
    ),
    case(
        "longest running",
        prefer("longest_running"),
        f"{OTHERS}; 1 ar next=r since=100; 1 id=r since=50",
        stop="1RC",
        change="K1",
        count="Ig3 St1 Re1",
    ),
    case("older than its job", PATIENT, f"{OTHERS}; 1 ar older", place="1", stop="1NN", count="Ig2 Pl1 St1"),
    case("asked to move", PATIENT, f"{OTHERS}; 1 ar mig", place="1:M", stop="1MI", count="Ig2 Mi1"),
    case(
        "not heard of yet, but judged",
        PATIENT,
        f"{OTHERS}; 1 unk=5 next=r; 1 id=r",
        stop="1RC",
        count="Ig3 St1",
    ),
    case(
        "04/S-22",
        {**PATIENT, "profile": INTENDED},
        f"{OTHERS}; 1 unk=5 next=r; 1 id=r",
        count="Ig4",
    ),
    case("not heard of yet", PATIENT, f"{OTHERS}; 1 unk=5", count="Ig3"),
]


@pytest.mark.parametrize(("scene", "allocs", "expected"), CASES)
def test_who_stays_when_a_client_is_back(scene: Scene, allocs: str, expected: dict[str, str]) -> None:
    """REC-49, REC-50, REC-51, REC-52, REC-54, DISC-15."""
    assert expected == scene.solve(allocs)


def test_both_may_be_stopped() -> None:
    """REC-51: each replacement is compared on its own."""
    run = Scene(**PATIENT).begin("0 ar id=o next=r score=5; 0 id=r next=s score=1; 0 id=s score=9")

    reconnect(run)

    assert [
        ("r", "alloc not needed due to disconnected client reconnect"),
        (
            "o",
            "alloc not needed due to job update",
        ),
    ] == [(stop.alloc.id, stop.description) for stop in run.done.stops]
    assert {"s"} == run.untainted.keys()


def test_what_is_stopped_stays_due() -> None:
    """REC-55."""
    run = Scene(**PATIENT).begin("0 ar id=o next=r score=5; 0 id=r score=1")
    run.now = {"r": run.untainted["r"]}

    reconnect(run)

    assert {"r"} == run.now.keys()
    assert {"o"} == run.untainted.keys()


def test_a_return_is_written_down() -> None:
    """REC-54."""
    run = Scene(**PATIENT).begin("0 ar id=o; 1 unk=5")

    reconnect(run)

    (back,) = run.done.reconnect_updates.values()
    assert AllocState(value="running", time_ns=NOW_NS) == back.alloc_states[-1]
    assert {"o", "a01"} == run.untainted.keys()


@pytest.mark.parametrize(
    ("chain", "stopped"),
    [
        ("0 ar id=o next=r; 0 id=r next=o", ["r"]),
        ("0 ar id=o next=r; 0 id=r next=s; 0 id=s next=r", ["r", "s"]),
    ],
)
def test_a_chain_that_bites_its_tail_ends(chain: str, stopped: list[str]) -> None:
    """REC-50."""
    run = Scene(**prefer("keep_original")).begin(chain)

    reconnect(run)

    assert stopped == [stop.alloc.id for stop in run.done.stops]
