"""A kernel world that is set up by hand."""

from nomadspec.checkers.oracle.refinement.scene import Outside, Scene
from nomadspec.model.kernel.broker import dequeue, end_wait
from nomadspec.model.kernel.statuses import InBroker, Stage
from nomadspec.model.specification.profiles import NOMAD_2_0

SIZES = {"jobs": 2, "evals": 2, "workers": 1}


def test_a_text_is_run_on_what_was_put() -> None:
    scene = Scene(SIZES, NOMAD_2_0)
    scene.put("in_broker", InBroker.READY, 1, 0)

    assert scene.run(dequeue, 0, 1, 0)
    assert (InBroker.UNACKED, Stage.TAKEN, 1) == (
        scene.get("in_broker", 1, 0), scene.get("stage", 0), scene.get("delivered", 1, 0),
    )  # fmt: skip


def test_a_text_whose_guard_does_not_hold_writes_nothing() -> None:
    scene = Scene(SIZES, NOMAD_2_0)

    assert not scene.run(end_wait, 0, 0)
    assert InBroker.OUT == scene.get("in_broker", 0, 0)


def test_a_guard_can_be_asked_for_alone() -> None:
    scene = Scene(SIZES, NOMAD_2_0)
    scene.fill("in_broker", InBroker.WAITING)

    assert scene.allows(end_wait, 1, 1)
    assert InBroker.WAITING == scene.get("in_broker", 1, 1)


def test_what_lies_outside_has_a_name() -> None:
    assert "a quota" == Outside("a quota").name
