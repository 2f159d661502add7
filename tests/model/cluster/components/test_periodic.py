from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from nomadspec.checkers.oracle.reading import find_file, read_lines
from nomadspec.model.cluster.codec import Dialect, read
from nomadspec.model.cluster.components.periodic import (
    Dispatcher,
    Launch,
    add_job,
    advance,
    derive_child,
    find_catch_up,
    find_due,
    find_force_refusal,
    force_launch,
    has_running_child,
    launch_due,
    remove_job,
    set_enabled,
)
from nomadspec.model.cluster.entities import (
    NS_PER_S,
    Allocation,
    Evaluation,
    Job,
    ParameterizedJobConfig,
    PeriodicConfig,
)
from nomadspec.model.cluster.store.state import State
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.recorded import TRACES

MINUTE = 60 * NS_PER_S
HOUR = 60 * MINUTE
START = int(datetime.fromisoformat("2031-06-15T12:05:00+00:00").timestamp()) * NS_PER_S
HOURLY = Job(
    namespace="default",
    id="tide",
    type="batch",
    version=3,
    status="running",
    periodic=PeriodicConfig(enabled=True, specs=("@hourly",), spec_type="cron"),
)
ON = set_enabled(Dispatcher(profile=NOMAD_2_0), is_enabled=True)


def with_spec(job: Job, **change: object) -> Job:
    assert job.periodic is not None
    return replace(job, periodic=replace(job.periodic, **change))


QUIET = with_spec(HOURLY, prohibit_overlap=True)


def is_idle(_: Job) -> bool:
    return False


def is_busy(_: Job) -> bool:
    return True


def times(launches: tuple[Launch, ...]) -> list[int]:
    """Minutes after the start."""
    return [(launch.at_ns - START) // MINUTE for launch in launches]


def test_a_job_is_launched_at_its_times() -> None:
    """JOB-26."""
    dispatcher, launches = advance(add_job(ON, HOURLY, START), START + 2 * HOUR, is_idle)

    assert [55, 115] == times(launches)
    assert START + 175 * MINUTE == find_due(dispatcher, START + 3 * HOUR)


def test_a_child_is_the_parent_without_its_clock() -> None:
    """JOB-25, OBJ-015, OBJ-061."""
    child = derive_child(HOURLY, 1_700_000_000 * NS_PER_S + 5, 1_700_000_000 * NS_PER_S + 9)

    assert "tide/periodic-1700000000" == child.id == child.name
    assert ("tide", None, "", 3) == (child.parent_id, child.periodic, child.status, child.version)
    assert 9 == child.submit_time_ns % NS_PER_S


def test_jobs_that_are_due_together_are_launched_together() -> None:
    other = replace(HOURLY, id="bell")
    dispatcher = add_job(add_job(ON, HOURLY, START), other, START)
    _, launches = launch_due(dispatcher, START + 55 * MINUTE, is_idle)

    assert ["bell", "tide"] == [launch.child.parent_id for launch in launches]


def test_a_launch_that_would_overlap_is_left_out_and_not_made_up_for() -> None:
    """JOB-27."""
    dispatcher, skipped = advance(add_job(ON, QUIET, START), START + HOUR, is_busy)
    _, launches = advance(dispatcher, START + 2 * HOUR, is_idle)

    assert ([], [115]) == (times(skipped), times(launches))


def test_overlap_is_allowed_unless_it_is_forbidden() -> None:
    """JOB-27."""
    assert [55] == times(advance(add_job(ON, HOURLY, START), START + HOUR, is_busy)[1])


@pytest.mark.parametrize(
    "job",
    [
        replace(HOURLY, stop=True),
        replace(HOURLY, periodic=None),
        with_spec(HOURLY, enabled=False),
        replace(HOURLY, parameterized_job=ParameterizedJobConfig()),
    ],
)
def test_a_job_that_is_not_launched_by_the_clock_any_more_is_dropped(job: Job) -> None:
    """JOB-24, JOB-26."""
    assert not add_job(add_job(ON, HOURLY, START), job, START).tracked


def test_a_job_that_is_registered_anew_is_launched_by_its_new_clock() -> None:
    dispatcher = add_job(add_job(ON, HOURLY, START), with_spec(HOURLY, specs=("*/20 * * * *",)), START)

    assert START + 15 * MINUTE == find_due(dispatcher, START + HOUR)


@pytest.mark.parametrize("specs", [("0 0 30 2 *",), ("nonsense",)])
def test_a_job_without_a_next_launch_is_tracked_all_the_same(specs: tuple[str, ...]) -> None:
    """JOB-26."""
    dispatcher = add_job(ON, with_spec(HOURLY, specs=specs), START)

    assert ("default", "tide") in dispatcher.tracked
    assert find_due(dispatcher, START + 10_000 * HOUR) is None


def test_a_dispatcher_that_is_off_knows_nothing() -> None:
    off = set_enabled(add_job(ON, HOURLY, START), is_enabled=False)

    assert not off.tracked
    assert not add_job(off, HOURLY, START).tracked
    assert "periodic dispatch disabled" == find_force_refusal(off, "default", "tide")


def test_switching_on_again_forgets_nothing() -> None:
    assert set_enabled(add_job(ON, HOURLY, START), is_enabled=True).tracked


def test_a_deregistered_job_is_dropped() -> None:
    dispatcher = remove_job(add_job(ON, HOURLY, START), "default", "tide")

    assert not dispatcher.tracked
    assert dispatcher == remove_job(dispatcher, "default", "tide")


def test_a_launch_on_demand_happens_now_and_moves_nothing() -> None:
    """JOB-29: overlap or not."""
    dispatcher = add_job(ON, QUIET, START)

    assert find_force_refusal(dispatcher, "default", "tide") is None
    assert START == force_launch(dispatcher, "default", "tide", START).at_ns


def test_what_is_not_tracked_cannot_be_launched_on_demand() -> None:
    """JOB-29."""
    assert 'can\'t force run non-tracked job "tide" (default)' == find_force_refusal(ON, "default", "tide")


@pytest.mark.parametrize(
    ("job", "last", "is_running", "expected"),
    [
        (HOURLY, START - 3 * HOUR, is_idle, START),
        (HOURLY, START - MINUTE, is_idle, None),
        (HOURLY, START - 3 * HOUR, is_busy, START),
        (QUIET, START - 3 * HOUR, is_busy, None),
        (replace(HOURLY, stop=True), START - 3 * HOUR, is_idle, None),
        (with_spec(HOURLY, specs=("0 0 30 2 *",)), 0, is_idle, None),
    ],
)
def test_a_new_leader_makes_up_once_for_what_was_missed(
    job: Job, last: int, is_running: object, expected: int | None
) -> None:
    """JOB-28."""
    assert callable(is_running)
    launch = find_catch_up(job, last, START, is_running, NOMAD_2_0)

    assert expected == (launch and launch.at_ns)


@pytest.mark.parametrize(
    ("evaluation", "desired", "is_running"),
    [
        ("pending", "stop", True),
        ("blocked", "stop", True),
        ("complete", "run", True),
        ("complete", "stop", False),
        ("failed", "evict", False),
    ],
)
def test_a_child_runs_while_some_work_of_it_is_not_over(
    evaluation: str, desired: str, *, is_running: bool
) -> None:
    """JOB-27."""
    child = derive_child(HOURLY, START, START)
    state = State.of(
        jobs=[HOURLY, child],
        evals=[Evaluation(id="e", namespace="default", job_id=child.id, status=evaluation)],
        allocs=[
            Allocation(id="a", namespace="default", job_id=child.id, eval_id="e", desired_status=desired)
        ],
    )

    assert is_running == has_running_child(state, HOURLY)
    assert not has_running_child(state, replace(HOURLY, id="other"))


def test_what_was_dispatched_is_no_launch() -> None:
    """JOB-27: only launches count, not whatever else has this parent."""
    child = replace(derive_child(HOURLY, START, START), id="tide/dispatch-1-2")
    evaluation = Evaluation(id="e", namespace="default", job_id=child.id, status="pending")

    assert not has_running_child(State.of(jobs=[HOURLY, child], evals=[evaluation]), HOURLY)


@given(cuts=st.lists(st.integers(0, 300), max_size=5))
def test_it_does_not_matter_how_often_one_looks(cuts: list[int]) -> None:
    dispatcher = add_job(ON, HOURLY, START)
    whole = advance(dispatcher, START + 300 * MINUTE, is_idle)[1]
    parts: tuple[Launch, ...] = ()
    for cut in [*sorted(cuts), 300]:
        dispatcher, launches = advance(dispatcher, START + cut * MINUTE, is_idle)
        parts += launches

    assert whole == parts


def test_recorded_launches_are_what_the_parent_gives() -> None:
    """JOB-25: but for the indexes, which the parent in the log does not have yet."""
    path = find_file(TRACES / "periodic", "raft-log.ndjson")
    assert path is not None
    registered = [
        read(Job, line.document["Body"]["Job"], dialect=Dialect.LOG)
        for line in read_lines(path)
        if line.document.get("CommandType") == "JobRegisterRequestType"
    ]
    parents = {job.id: job for job in registered if not job.parent_id}
    children = [job for job in registered if job.parent_id]

    assert children
    for child in children:
        launch_ns = int(child.id.rpartition("-")[2]) * NS_PER_S
        bare = replace(child, create_index=0, modify_index=0, job_modify_index=0)
        assert bare == derive_child(parents[child.parent_id], launch_ns, child.submit_time_ns)
        assert launch_ns <= child.submit_time_ns < launch_ns + NS_PER_S
