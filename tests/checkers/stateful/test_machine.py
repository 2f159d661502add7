"""The machine in a test suite: it finds, shrinks, and says what it found."""

import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import configuration, settings
from hypothesis.stateful import run_state_machine_as_test

from nomadspec.checkers.requested_properties import list_but_lemmas
from nomadspec.checkers.stateful import EFFORTS, ModelMachine, ViolationError, machine_of
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UnknownNameError, UsageError
from nomadspec.model.language.model_promises import DOMAINS_ARE_KEPT
from nomadspec.model.language.story import Application
from tests.checkers.failing import EMPTIED
from tests.checkers.simulate.models import FAR, LEVELS, RESTING, STARTS, STUCK

ENDLESS = replace(STARTS, name="endless", properties=LEVELS.properties)
"""Lamps whose level stays as it is, where nobody minds that nothing can happen at last."""

Kept = machine_of(LEVELS.at(), name="Kept", module=__name__)

SUITE = """
from hypothesis import settings
from nomadspec.checkers.stateful import machine_of
from nomadspec.invariants.catalogue import find_model

TestHasty = machine_of(find_model("2pc").at("hasty"), effort="ci").TestCase
TestCore = machine_of(find_model("core").at("small", profile="nomad-2.0")).TestCase
TestCore.settings = settings(TestCore.settings, max_examples=10)
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path) -> Iterator[None]:
    """Keep what Hypothesis writes out of the folder that the tests are run in."""
    before = configuration.storage_directory(intent_to_write=False).home_directory
    configuration.set_hypothesis_home_dir(tmp_path)
    yield
    configuration.set_hypothesis_home_dir(before)


def fail(machine: type[ModelMachine]) -> ViolationError:
    with pytest.raises(ViolationError) as caught:
        run_state_machine_as_test(machine, settings=machine.effort)
    return caught.value


@pytest.mark.parametrize(
    ("model", "scope", "about", "steps"),
    [
        pytest.param("core", "unchecked", "no_node_is_oversubscribed", 6, marks=pytest.mark.deep),
        pytest.param("core", "reused", "no_token_is_shared", 3, marks=pytest.mark.deep),
        # test_runner.py shrinks this one every day.
        pytest.param("2pc", "hasty", "managers_agree", 5, marks=pytest.mark.deep),
    ],
)
def test_a_violation_shrinks_to_a_shortest_story(model: str, scope: str, about: str, steps: int) -> None:
    violation = fail(machine_of(bind_as_usual(find_model(model), scope), effort="ci"))

    assert (about, steps) == (violation.about, len(violation.story.steps))


def test_the_failure_shows_the_steps_that_hypothesis_took() -> None:
    violation = fail(machine_of(LEVELS.at(), properties=["level_is_low"]))
    notes = "\n".join(violation.__notes__)

    assert "state = LevelsDefault()" in notes
    assert "state.begin()" in notes
    assert "state.happens(what=TurnUp())" in notes


@pytest.mark.parametrize(
    ("model", "scope"),
    # test_runner.py runs the other one every day.
    [("core", "small"), pytest.param("2pc", "small", marks=pytest.mark.deep)],
)
def test_what_holds_passes(model: str, scope: str) -> None:
    machine = machine_of(bind_as_usual(find_model(model), scope))
    run_state_machine_as_test(machine, settings=settings(machine.effort, max_examples=20))

    assert 0 < sum(machine.guide.fired.values())


def test_every_step_is_checked() -> None:
    violation = fail(machine_of(LEVELS.at(), properties=["level_never_falls"]))

    assert 2 == len(violation.story.steps)
    assert "TurnOff()" == str(violation.story.steps[-1])


def test_the_first_world_is_checked() -> None:
    violation = fail(machine_of(STUCK.at()))

    assert ("deadlock", ()) == (violation.about, violation.story.steps)


def test_a_terminal_world_is_no_error() -> None:
    machine = machine_of(RESTING.at())
    run_state_machine_as_test(machine, settings=settings(machine.effort, max_examples=5))

    assert 5 == machine.guide.runs


def test_where_nothing_else_can_happen_the_run_begins_again() -> None:
    machine = machine_of(ENDLESS.at(), properties=["level_is_low"])
    run_state_machine_as_test(machine, settings=settings(machine.effort, max_examples=5))

    assert machine.guide.runs * 2 < machine.guide.fired["Light"]


def test_every_initial_world_is_begun_in() -> None:
    begun = set()

    class Watched(machine_of(ENDLESS.at(), properties=["level_is_low"])):  # type: ignore[misc]  # made at run time
        """A machine that notes where it begins."""

        def begin_at(self, packed: int) -> None:
            begun.add(packed)
            super().begin_at(packed)

    run_state_machine_as_test(Watched, settings=settings(Watched.effort, max_examples=30))

    assert set(Watched.guide.initial) == begun


def test_a_story_names_the_initial_world() -> None:
    violation = fail(machine_of(STARTS.at()))

    assert ("deadlock", 2) == (violation.about, len(violation.story.steps))
    assert violation.story.start is not None


def test_a_rule_that_leaves_its_domain_is_a_violation() -> None:
    violation = fail(machine_of(FAR.at()))

    assert DOMAINS_ARE_KEPT == violation.about
    assert "domains_are_kept is broken: no rule may write a value" in str(violation)
    assert "TurnFar" in str(violation)


def test_a_step_that_fails_is_replayed() -> None:
    machine = machine_of(EMPTIED.at(), properties=["queues_are_used_well"])

    with pytest.raises(ViolationError, match="queues_are_used_well"):
        machine.replay("OpenUp()", "Close(clerk2)")


def test_without_a_wish_lemmas_are_left_out() -> None:
    assert ["level_is_low", "level_never_falls", "level_is_one", "level_is_top", "deadlock"] == [
        item if isinstance(item, str) else item.name for item in list_but_lemmas(LEVELS.at())
    ]


def test_a_lemma_is_checked_when_it_is_asked_for() -> None:
    assert "level_is_zero" == fail(machine_of(LEVELS.at(), properties=["level_is_zero"])).about


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="effort"):
        machine_of(LEVELS.at(), effort="huge")
    with pytest.raises(UnknownNameError, match="property"):
        machine_of(LEVELS.at(), properties=["level"])


def test_with_swarm_each_run_draws_how_much_rules_count() -> None:
    with_swarm, without = (machine_of(LEVELS.at(), swarm=swarm, aims=False) for swarm in (True, False))

    assert [["begin", "mood"], ["begin"]] == [
        sorted(each.function.__name__ for each in machine.setup_state().initializers)
        for machine in (with_swarm, without)
    ]


def test_swarm_finds_as_well() -> None:
    assert "level_is_low" == fail(machine_of(LEVELS.at(), properties=["level_is_low"], swarm=True)).about


def test_names_are_good() -> None:
    machine = machine_of(find_model("2pc").at("hasty"))
    assert isinstance(machine.__doc__, str)

    assert ("Model2pcHasty", "Model2pcHasty.TestCase") == (machine.__name__, machine.TestCase.__qualname__)
    assert "Model2pcHasty.happens" == machine.setup_state().rules[0].function.__qualname__
    assert "CoreSmall" == machine_of(find_model("core").at("small", profile="nomad-2.0")).__name__


def test_a_machine_with_a_name_and_a_module_can_be_pickled() -> None:
    assert Kept is pickle.loads(pickle.dumps(Kept))  # noqa: S301 - written a moment before


def test_settings_come_with_the_machine_and_its_subclasses_and_can_be_changed() -> None:
    class Mine(machine_of(LEVELS.at(), effort="ci")):  # type: ignore[misc]  # made at run time
        """A machine of somebody's own."""

    before = Mine.TestCase.settings
    Mine.TestCase.settings = settings(EFFORTS["deep"], max_examples=7)

    assert EFFORTS["ci"] == before
    assert 7 == Mine.TestCase.settings.max_examples


@pytest.mark.deep
def test_a_replay_takes_exactly_the_steps() -> None:
    machine = machine_of(find_model("2pc").at("hasty"), effort="ci")
    violation = fail(machine)
    steps = [str(step) for step in violation.story.steps]

    with pytest.raises(ViolationError) as again:
        machine.replay(*steps)
    assert (violation.about, steps) == (again.value.about, [str(step) for step in again.value.story.steps])
    with pytest.raises(UsageError, match="cannot happen there"):
        machine.replay("DecideCommit()")
    with pytest.raises(UnknownNameError, match="step"):
        machine.replay("Prepare")


def test_a_replay_may_begin_elsewhere() -> None:
    machine = machine_of(STARTS.at())

    with pytest.raises(ViolationError, match=r"Begin\(lamp2\)"):
        machine.replay("Light(lamp1)", "Light(lamp3)", start="Begin(lamp2)")


class Driven(machine_of(LEVELS.at(), properties=["deadlock"])):  # type: ignore[misc]  # made at run time
    """A machine that drives a system which forgets to stop at two."""

    def begin_system(self, world: Any) -> None:
        """Begin where the model does."""
        self.level = world.level

    def drive(self, step: Application, world: Any) -> None:
        """Turn the system's level, and compare."""
        if step.rule in {"TurnUp", "TurnTwice"}:
            self.level = min(2, self.level + (1 if step.rule == "TurnUp" else 2))
        if step.rule == "TurnOff":
            self.level = 0
        assert self.level == world.level


def test_a_system_under_test_is_driven_and_its_failure_told() -> None:
    with pytest.raises(AssertionError) as caught:
        run_state_machine_as_test(Driven, settings=Driven.effort)
    notes = "\n".join(caught.value.__notes__)
    line = next(line for line in notes.splitlines() if line.startswith("again: "))

    assert not isinstance(caught.value, ViolationError)
    assert "  1 Turn" in notes
    assert "  3 " not in notes
    assert 'import Driven; Driven.replay("Turn' in line


class Logged(machine_of(ENDLESS.at(), properties=["level_is_low"])):  # type: ignore[misc]  # made at run time
    """A machine with a field of its own, which notes what becomes of its systems."""

    made: ClassVar[list["Logged"]] = []
    failing: ClassVar[str] = ""

    def __init__(self) -> None:
        """Make the field after everything else is made."""
        super().__init__()
        self.log: list[str] = []
        self.made.append(self)

    def begin_system(self, _world: Any) -> None:
        """Note it."""
        self._note("begin")

    def drive(self, _step: Application, _world: Any) -> None:
        """Note it."""
        self._note("drive")

    def end_system(self) -> None:
        """Note it."""
        self._note("end")

    def _note(self, what: str) -> None:
        self.log.append(what)
        if what == self.failing:
            raise RuntimeError(what)


@pytest.fixture
def logged() -> Iterator[type[Logged]]:
    Logged.made.clear()
    yield Logged
    Logged.failing = ""


def test_each_run_sets_its_system_up_once_and_puts_it_away(logged: type[Logged]) -> None:
    logged.replay("Light(lamp1)", start="Begin(lamp2)")

    assert [["begin", "drive", "end"]] == [machine.log for machine in logged.made]


def test_a_machine_that_was_only_made_has_set_up_nothing(logged: type[Logged]) -> None:
    machine = logged()
    machine.teardown()

    assert [] == machine.log


def test_a_run_that_begins_again_puts_the_first_system_away(logged: type[Logged]) -> None:
    run_state_machine_as_test(logged, settings=settings(logged.effort, max_examples=10))

    logs = [[what for what in each.log if what != "drive"] for each in logged.made]
    assert all(log == ["begin", "end"] * (len(log) // 2) for log in logs)
    assert any(len(log) > 2 for log in logs)


@pytest.mark.parametrize(
    ("failing", "told"),
    [("begin", "before the first step"), ("drive", "  1 Light(lamp1)"), ("end", "  1 Light(lamp1)")],
)
def test_whatever_the_system_raises_tells_the_steps(logged: type[Logged], failing: str, told: str) -> None:
    logged.failing = failing
    with pytest.raises(RuntimeError, match=failing) as caught:
        logged.replay("Light(lamp1)", start="Begin(lamp2)")
    notes = "\n".join(caught.value.__notes__)

    assert told in notes
    assert "again: " in notes
    assert ("end" in logged.made[0].log) == (failing != "begin")


def test_runs_aim_at_something_or_wander_unless_told_otherwise() -> None:
    core = find_model("core").at("small", profile="nomad-2.0")
    machines = machine_of(core), machine_of(core, aims=False), machine_of(LEVELS.at())

    assert [["aim", "begin"], ["begin"], ["aim", "begin"]] == [
        sorted(each.function.__name__ for each in machine.setup_state().initializers) for machine in machines
    ]


@pytest.mark.deep
def test_a_suite_runs_it_with_warnings_as_errors(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(SUITE)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )

    assert 1 == done.returncode
    assert "FAILED test_mine.py::TestHasty::runTest" in done.stdout
    assert "ViolationError: managers_agree does not hold" in done.stdout
    assert "1 failed, 1 passed" in done.stdout
