"""Replaying the log of a recorded cluster."""

from nomadspec.checkers.oracle.trace_log import TypedEntry
from nomadspec.checkers.oracle.trace_replay import LATE_NS, read_late_clock, read_run_clock, replay_log
from nomadspec.model.cluster.entities import Deployment, DeploymentState, Evaluation, Job
from nomadspec.model.cluster.store import Entry
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import (
    ApplyPlanResults,
    DeploymentPromote,
    EvalUpdate,
    JobRegister,
)
from nomadspec.model.specification.profiles import NOMAD_2_0

STATE = DeploymentState(progress_deadline_ns=100, require_progress_by_ns=5)
PLAN = ApplyPlanResults(
    deployment=Deployment(id="d1", status="running", task_groups={"g": STATE}), updated_at_ns=40
)
PROMOTE = DeploymentPromote(deployment_id="d1", all=True, eval=Evaluation(id="e1", create_time_ns=50))
LOG = [TypedEntry("ApplyPlanResults", Entry(3, PLAN)), TypedEntry("DeploymentPromote", Entry(5, PROMOTE))]


def test_the_clock_of_the_run_shows_when_an_entry_was_made() -> None:
    assert 50 == read_run_clock(PROMOTE)
    assert 8 == read_run_clock(DeploymentPromote(promoted_at_ns=8))
    assert 7 == read_run_clock(JobRegister(job=Job(submit_time_ns=7)))
    assert 0 == read_run_clock(JobRegister())
    assert 40 == read_run_clock(PLAN)
    assert 0 == read_run_clock(EvalUpdate())
    assert LATE_NS == read_late_clock(PLAN)


def test_times_of_the_servers_own_clock_are_known() -> None:
    replay = replay_log(LOG, NOMAD_2_0, read_run_clock)

    assert replay.clock.is_own(150)
    assert not replay.clock.is_own(5)
    assert not replay.clock.is_own(0)


def test_states_are_found_by_index() -> None:
    replay = replay_log(LOG, NOMAD_2_0, read_run_clock)

    assert make_initial_state() == replay.find_state(2)
    assert 1 == len(replay.find_state(4).deployments)
    assert 5 == replay.find_state(9).index_of("deployment")
