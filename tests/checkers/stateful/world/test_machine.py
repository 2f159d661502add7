from collections.abc import Iterator

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from msgspec.structs import replace

from nomadspec.checkers.scenario.language import parse_lines
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.checkers.stateful.world.machine import BrokenError, ClusterMachine
from nomadspec.invariants.cluster.world import PROPERTIES, Step
from nomadspec.invariants.cluster.world.registry import on_step
from nomadspec.model.cluster.acts import Ack
from nomadspec.model.cluster.world import World, with_worker
from nomadspec.model.specification.profiles import INTENDED

EFFORT = settings(
    max_examples=25,
    stateful_step_count=12,
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.generate, Phase.shrink),
)


@on_step("JOB-01", reads="jobs", because="A test would notice nothing.")
def no_batch_job_is_registered(step: Step) -> Iterator[str]:
    """No batch job is ever registered, which is not so."""
    for job in step.after.state.jobs.values():
        if job.type == "batch":
            yield f"job {job.id} is a batch job"


class Refused(ClusterMachine):
    profile = INTENDED
    properties = (no_batch_job_is_registered,)


class Sound(ClusterMachine):
    profile = INTENDED
    properties = tuple(
        PROPERTIES[name]
        for name in ("no_node_is_oversubscribed", "stopped_alloc_stays_stopped", "job_has_one_eval_in_flight")
    )


class Refining(ClusterMachine):
    profile = INTENDED
    properties = ()
    holds_acts = True


FEW = settings(EFFORT, max_examples=5)


def test_hypothesis_finds_every_act_to_be_steps_of_the_kernel() -> None:
    run_state_machine_as_test(Refining, settings=FEW)


def test_hypothesis_breaks_nothing_that_holds() -> None:
    run_state_machine_as_test(Sound, settings=EFFORT)


def test_hypothesis_finds_what_is_wrong_and_tells_its_scenario() -> None:
    with pytest.raises(BrokenError, match="no_batch_job_is_registered") as caught:
        run_state_machine_as_test(Refused, settings=EFFORT)

    told = str(caught.value).partition("\n\n")[2]
    assert 1 == told.count("register ")
    assert [job.type for job in play_lines(parse_lines(told, "told"), INTENDED).world.state.list_jobs()] == [
        "batch"
    ]


def test_hypothesis_finds_an_act_that_is_no_step_of_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mutant: workers that are done tell the broker nothing."""

    def forget(_ack: Ack, world: World) -> World:
        worker = replace(world.workers[_ack.worker], held=None, call=None)
        return with_worker(world, worker)

    monkeypatch.setattr(Ack, "take", forget)
    with pytest.raises(BrokenError, match="acts_are_steps_of_the_kernel"):
        run_state_machine_as_test(Refining, settings=settings(FEW, phases=(Phase.generate,)))
