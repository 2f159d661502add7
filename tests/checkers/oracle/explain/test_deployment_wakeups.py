"""The watcher of a deployment heeds news of health, or is found not to."""

from msgspec.structs import replace

from nomadspec.checkers.oracle.explain.deployment_wakeups import list_unheeded
from nomadspec.checkers.oracle.trace_log import TypedEntry
from nomadspec.checkers.oracle.trace_replay import Replay, read_run_clock, replay_log
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import Entry
from nomadspec.model.cluster.store.requests import Outside
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.checkers.oracle.explain.replayed import replay_without
from tests.checkers.oracle.lying.forgotten import FORGOTTEN
from tests.checkers.oracle.lying.telling import is_named, read_rest

REPORTED, MARKED, FAILED = 31, 33, 40
"""In a recording: when something was unhealthy, might be replaced, and its deployment failed."""


def cut(replay: Replay, index: int) -> Replay:
    """End a log before an entry."""
    return replace(replay, steps=tuple(step for step in replay.steps if step.typed.entry.index < index))


def read_end(replay: Replay, seconds: int) -> int:
    """Read what time it was so many seconds after the report."""
    entry = next(step.typed.entry for step in replay.steps if step.typed.entry.index == REPORTED)
    return int(entry.request.alloc[0].modify_time_ns) + seconds * NS_PER_S  # type: ignore[attr-defined]  # a report


def test_what_is_recorded_is_heeded() -> None:
    """DEP-33."""
    for name in ("service_register", "update_auto_revert", "canary_pause"):
        rest = read_rest(name)

        assert list(list_unheeded(replay_recorded(name), rest.stop_index, rest.ended_ns)) == []


def test_that_something_is_healthy_has_to_wake_the_job() -> None:
    """DEP-33, DEP-36, DEP-37."""
    lie = next(FORGOTTEN["watcher: does not hear that something is healthy"].tell("service_register"))

    assert is_named(lie, list(list_unheeded(lie.replay, lie.rest.stop_index, lie.rest.ended_ns)))


def test_what_failed_has_to_be_replaceable_unless_the_deployment_fails() -> None:
    """DEP-33, DEP-36, DEP-38."""
    replay = replay_recorded("update_auto_revert")
    left = cut(replay_without(replay, MARKED), FAILED)
    found = list(list_unheeded(left, FAILED, read_end(replay, 10)))

    assert {(each.path, each.rule) for each in found} == {
        (f"raft-log[{REPORTED}].Alloc[0].DeploymentStatus.Healthy", "DEP-33")
    }
    assert list(list_unheeded(cut(replay, FAILED), FAILED, read_end(replay, 10))) == []


def test_nothing_is_said_of_what_was_told_just_before_the_end() -> None:
    """DEP-36, DEP-37."""
    replay = replay_recorded("update_auto_revert")
    left = cut(replay_without(replay, MARKED), FAILED)

    assert list(list_unheeded(left, FAILED, read_end(replay, 3))) == []
    assert list(list_unheeded(left, FAILED, None)) == []


def test_a_new_leader_looks_at_everything_anew() -> None:
    """DEP-31."""
    replay = replay_recorded("update_auto_revert")
    elected = TypedEntry("LogNoop", Entry(MARKED, Outside()))
    log = [elected if step.typed.entry.index == MARKED else step.typed for step in replay.steps]
    left = cut(replay_log(log, NOMAD_2_0, read_run_clock), FAILED)

    assert list(list_unheeded(left, FAILED, read_end(replay, 10))) == []
