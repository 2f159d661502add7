"""What had to come and did not is found, and nothing where all came."""

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.explain.obligations import REST_NS, Rest, compare_obligations
from nomadspec.model.cluster.store.requests import DeploymentUpdateStatus, EvalUpdate
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.explain.replayed import list_rules, replay_soak, replay_without
from tests.checkers.oracle.lying.telling import read_rest
from tests.recorded import list_traces


@pytest.mark.parametrize("name", ["canary_manual", "node_down_during_update", "drain_two", "leader_failover"])
def test_a_recording_in_which_all_came_owes_nothing(name: str) -> None:
    assert list(compare_obligations(replay_recorded(name), read_rest(name), NOMAD_2_0)) == []


@pytest.mark.deep
def test_no_recording_owes_anything() -> None:
    for folder in list_traces():
        assert (
            list(compare_obligations(replay_recorded(folder.name), read_rest(folder.name), NOMAD_2_0)) == []
        )


def test_an_evaluation_that_never_ends_is_found() -> None:
    """EVAL-37."""
    replay, rest = replay_recorded("canary_manual"), read_rest("canary_manual")
    index, entry = next(
        (step.typed.entry.index, step.typed.entry.request.evals[0])
        for step in replay.steps
        if isinstance(step.typed.entry.request, EvalUpdate)
        and step.typed.entry.request.evals[0].snapshot_index
    )

    left = replay_without(replay, index)

    assert list_rules(list(compare_obligations(left, rest, NOMAD_2_0))) == [
        (f"raft-log[{entry.create_index}].Evals", "EVAL-37")
    ]
    assert list(compare_obligations(left, replace(rest, is_quiet=False), NOMAD_2_0)) == []


def test_a_deployment_that_had_to_fail_is_found() -> None:
    """DEP-43."""
    replay, rest = replay_recorded("first_version_fails"), read_rest("first_version_fails")
    step = next(step for step in replay.steps if isinstance(step.typed.entry.request, DeploymentUpdateStatus))

    at = replay.steps.index(step)
    cut = replace(replay, steps=replay.steps[:at])
    rest = replace(rest, stop_index=step.typed.entry.index - 1)

    assert "DEP-43" in {each.rule for each in compare_obligations(cut, rest, NOMAD_2_0)}


def test_a_node_whose_change_wakes_nobody_is_found() -> None:
    """TRIG-09, TRIG-29."""
    replay = replay_soak("soak_small_nodes")
    woken = [
        (step.typed.entry.index, step.typed.entry.request.evals[0].node_modify_index)
        for step in replay.steps
        if isinstance(step.typed.entry.request, EvalUpdate)
        and any(
            each.triggered_by == "node-update" and not each.create_index
            for each in step.typed.entry.request.evals
        )
    ]
    index, cause = woken[len(woken) // 2]

    found = list(compare_obligations(replay_without(replay, index), Rest(0, 0, is_quiet=False), NOMAD_2_0))

    assert (f"raft-log[{cause}]", "TRIG-09") in list_rules(found)
    assert {each.rule for each in found} == {"TRIG-09"}


def test_a_deployment_that_ignores_its_deadline_is_found() -> None:
    """DEP-42."""
    replay, rest = replay_recorded("progress_deadline"), read_rest("progress_deadline")
    index = next(
        step.typed.entry.index
        for step in replay.steps
        if isinstance(step.typed.entry.request, DeploymentUpdateStatus)
    )

    found = list(compare_obligations(replay_without(replay, index), rest, NOMAD_2_0))

    assert "DEP-42" in {each.rule for each in found}


def test_an_evaluation_that_nobody_serves_or_a_dead_server_holds_is_not_owed() -> None:
    """WORKER-01, BROKER-40."""
    known = {"stop_index": 5, "ended_ns": 7}
    idle = {"name": "s1", "settings": {"num_schedulers": 0}}
    one = {"name": "s2", "settings": {"enabled_schedulers": ["batch"]}}
    killed = [{"kind": "process", "agent": "s1", "signal": "SIGKILL"}]

    assert Rest.of({**known, "cluster": {"servers": [idle]}}).served == frozenset()
    assert Rest.of({**known, "cluster": {"servers": [idle, one]}}).served == frozenset({"batch"})
    assert Rest.of({**known, "cluster": {"servers": [{"name": "s1"}]}}).served is None
    assert Rest.of({**known, "cluster": {"servers": [one]}, "actions": killed}).patience_ns == REST_NS
    assert Rest.of({**known, "cluster": {"servers": [idle]}, "actions": killed}).patience_ns > REST_NS


def test_a_scenario_that_does_not_say_when_it_ended_tells_nothing() -> None:
    assert not Rest.of({"stop_index": 5}).is_quiet
    assert not Rest.of({"stop_index": 5, "ended_ns": 7, "warnings": ["not quiet"]}).is_quiet
    assert Rest.of({"stop_index": 5, "ended_ns": 7}).is_quiet
