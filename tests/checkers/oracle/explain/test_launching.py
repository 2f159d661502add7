"""A launch that overlaps another, which is prohibited, is found, and one that had to come and did not."""

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.acts import compare_acts
from nomadspec.checkers.oracle.explain.launching import Forced, list_missed
from nomadspec.checkers.oracle.trace_replay import LATE_NS
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import Entry, apply
from nomadspec.model.cluster.store.requests import JobRegister
from nomadspec.model.specification.profiles import NOMAD_2_0, find_profile
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.lying.others import LIES
from tests.checkers.oracle.lying.telling import Lie, read_forced, tell_lies

OVERLAP = "periodic: launched though the one before runs"


def list_rules(lie: Lie, forced: Forced | None) -> set[str | None]:
    """List which rules a log breaks where so much is known of launches that were forced."""
    return {each.rule for each in compare_acts(lie.replay, Context(profile=NOMAD_2_0), forced)}


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        (OVERLAP, "JOB-27"),
        ("periodic: a launch that is due does not come", "JOB-26"),
    ],
)
def test_a_launch_at_the_wrong_time_is_found(kind: str, rule: str) -> None:
    (lie,) = tell_lies("periodic", LIES[kind], 1)

    assert rule in list_rules(lie, read_forced("periodic"))


def test_a_launch_that_an_operator_may_have_forced_may_overlap() -> None:
    """JOB-27, JOB-29."""
    (lie,) = tell_lies("periodic", LIES[OVERLAP], 1)
    forced = Forced(frozenset(), (("tick", 0, LATE_NS),))

    assert "JOB-27" not in list_rules(lie, None) | list_rules(lie, forced)
    assert "JOB-27" in list_rules(lie, Forced(frozenset(), (("slow", 0, LATE_NS), ("tick", 0, NS_PER_S))))


def test_a_recording_tells_which_launches_were_forced() -> None:
    """WIRE-066."""
    asked = {"path": "/v1/job/a%2Fb/periodic/force?namespace=n"}
    refused = {"at_ns": 7, "done_ns": 8, "request": asked, "response": {"status": 500}}

    assert read_forced("periodic") == Forced(
        frozenset({"18079b2e-91b9-bd7d-53ec-92b0ed18391b", "2baca89c-91a5-f53b-33e7-414b52c75fed"}),
        (("tick", 1795263708159636995, 1795263708160680558),),
    )
    assert Forced.of({"actions": [refused]}) == Forced(frozenset(), (("a/b", 7, 8),))
    assert Forced.of({"actions": [{"request": asked}]}) == Forced(frozenset(), (("a/b", 0, LATE_NS),))
    assert Forced.of({"actions": [{"kind": "process"}, 7]}) == Forced(frozenset())
    assert Forced.of({}) is None


def test_the_last_launch_is_missed_once_it_is_due() -> None:
    """JOB-26."""
    state = replay_recorded("periodic").find_state(22)
    due_ns = 1_795_263_690 * NS_PER_S

    assert list(list_missed(state, due_ns + 9 * NS_PER_S, NOMAD_2_0)) == []
    assert {each.rule for each in list_missed(state, due_ns + 11 * NS_PER_S, NOMAD_2_0)} == {"JOB-26"}


def test_a_launch_is_due_by_the_profile() -> None:
    """JOB-26, 01/S6: the release launches no more once the last of several expressions gives no time."""
    replay = replay_recorded("periodic")
    job = replay.find_state(22).find_job("default", "tick")
    assert job is not None
    assert job.periodic is not None
    periodic = replace(job.periodic, specs=(*job.periodic.specs, "0 0 30 2 *"))
    request = JobRegister(namespace=job.namespace, job=replace(job, periodic=periodic))
    state = apply(replay.find_state(22), Entry(23, request), profile=NOMAD_2_0).state
    mended = find_profile(f"{NOMAD_2_0.name} -01/S6")
    ended_ns = job.submit_time_ns + 60 * NS_PER_S

    assert list(list_missed(state, ended_ns, NOMAD_2_0)) == []
    assert {each.rule for each in list_missed(state, ended_ns, mended)} == {"JOB-26"}
