"""Counting what the kernel says."""

from nomadspec.checkers.oracle.refinement.broker_sight import Sighting
from nomadspec.checkers.oracle.refinement.report import Refinement, Step
from nomadspec.model.kernel.statuses import InBroker

READY = {"e01": Sighting(place=InBroker.READY)}
BEHIND = {"e01": Sighting(place=InBroker.PENDING_BEHIND_JOB)}


def test_steps_are_counted_by_what_is_said_of_them() -> None:
    told = Refinement()
    told.add(
        "x",
        [
            Step(0, "ack", READY, READY),
            Step(1, "ack", READY, BEHIND, gap="coarse"),
            Step(2, "ack", READY, READY, gap="coarse"),
            Step(3, "ack", outside="no words"),
            Step(4, "ack", READY, BEHIND),
            Step(5, "ack", None, BEHIND),
        ],
    )

    assert ({"ack": 2}, {"ack: coarse": 1}, {"ack: no words": 1}) == (told.agreed, told.gaps, told.outside)
    assert told.disagreed[0].startswith("x, operation 4, ack: e01: kernel Sighting(place=<InBroker.READY")
    assert told.disagreed[1] == "x, operation 5, ack: the kernel does not allow it"
