"""Hands on Ray: with a stand-in that sends everything there and back, and with Ray where it is installed."""

import pickle
import sys
from threading import Thread
from types import SimpleNamespace
from typing import Any

import click
import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.explore.running import LOST_NOTE
from nomadspec.checkers.explore.sharded import ray_crew
from nomadspec.checkers.explore.sharded.ray_crew import find_cluster, is_ray_available
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UsageError
from nomadspec.model.language.bounded import BoundedModel
from tests.checkers.explore.test_running import VIOLATED, keep_result

SMALL = find_model("2pc").at("small", sizes={"rms": 4}, profile="nomad-2.0")


class LostError(Exception):
    """A hand is gone."""


class Remote:
    """An object that is asked as Ray's are; what it is told and answers is written and read again."""

    def __init__(self, made: type, given: tuple[Any, ...]) -> None:
        self._object = made(*pickle.loads(pickle.dumps(given)))  # noqa: S301 -- written here
        self.do = SimpleNamespace(remote=self._do)
        self.is_gone = False

    def _do(self, *given: Any) -> Any:
        answer = self._object.do(*pickle.loads(pickle.dumps(given, protocol=5)))  # noqa: S301 -- written here
        return self, pickle.dumps(answer, protocol=5)


class StandIn:
    """What is used of Ray, in one process."""

    exceptions = SimpleNamespace(RayActorError=LostError, GetTimeoutError=TimeoutError)

    def __init__(self, *losses: int) -> None:
        self.actors: list[Remote] = []
        self._asked = 0
        self._losses = losses

    def is_initialized(self) -> bool:
        return True

    def init(self, **_options: Any) -> object:
        raise AssertionError

    def remote(self, made: type) -> Any:
        def start(*given: Any) -> Remote:
            self.actors.append(Remote(made, given))
            return self.actors[-1]

        return SimpleNamespace(remote=start)

    def get(self, answers: list[Any], **_options: Any) -> list[Any]:
        self._asked += 1
        if self._asked in self._losses:
            raise LostError
        return [pickle.loads(answer) for _, answer in answers]  # noqa: S301 -- written here

    def kill(self, actor: Any) -> None:
        actor.is_gone = True


@pytest.mark.parametrize("engine", [pytest.param("interpreted", marks=pytest.mark.deep), "compiled"])
@pytest.mark.parametrize("bounded", [SMALL, VIOLATED])
def test_hands_elsewhere_find_the_same(
    bounded: BoundedModel, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = StandIn()
    monkeypatch.setattr("nomadspec.checkers.explore.sharded.ray_crew.find_cluster", lambda: cluster)

    report = explore(bounded, engine=engine, workers=2, ray=True)

    assert keep_result(explore(bounded, engine=engine)) == keep_result(report)
    assert "2 processes on Ray share the search" in report.engine_notes
    assert [True, True] == [actor.is_gone for actor in cluster.actors]


@pytest.mark.parametrize("losses", [(1,), pytest.param((9,), marks=pytest.mark.deep), (3, 20)])
def test_a_hand_that_is_gone_costs_time_only(
    losses: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = StandIn(*losses)
    monkeypatch.setattr("nomadspec.checkers.explore.sharded.ray_crew.find_cluster", lambda: cluster)
    report = explore(SMALL, engine="compiled", workers=2, ray=True)

    assert keep_result(explore(SMALL)) == keep_result(report)
    assert LOST_NOTE in report.engine_notes
    assert 2 + 2 * len(losses) == sum(actor.is_gone for actor in cluster.actors)


def test_where_all_hands_go_the_search_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = StandIn(*range(9, 100))
    monkeypatch.setattr("nomadspec.checkers.explore.sharded.ray_crew.find_cluster", lambda: cluster)

    assert "worker" == explore(SMALL, engine="compiled", workers=2, ray=True).stopped_by


@pytest.mark.parametrize(("is_alive", "stopped_by"), [(True, None), (False, "worker")])
def test_answers_are_waited_for_as_long_as_the_machine_is_there(
    is_alive: bool, stopped_by: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(StandIn):
        def get(self, answers: list[Any], **options: Any) -> list[Any]:
            self._asked += 1
            if not is_alive or self._asked % 2:
                raise TimeoutError
            return super().get(answers, **options)

        def nodes(self) -> list[dict[str, Any]]:
            return [{"NodeID": "elsewhere", "Alive": True}, {"NodeID": "here", "Alive": is_alive}]

        def get_runtime_context(self) -> Any:
            return SimpleNamespace(get_node_id=lambda: "here")

    monkeypatch.setattr("nomadspec.checkers.explore.sharded.ray_crew.find_cluster", Slow)

    assert stopped_by == explore(SMALL, engine="compiled", workers=2, ray=True).stopped_by


def test_where_ray_is_missing_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_crew, "find_spec", lambda _name: None)

    with pytest.raises(UsageError, match="pip install ray"):
        explore(SMALL, ray=True)


def test_what_ray_says_does_not_stand_among_results(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Talking(StandIn):
        def is_initialized(self) -> bool:
            return False

        def init(self, **_options: Any) -> object:
            return None

    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(ray_crew, "find_spec", lambda _name: True)
    monkeypatch.setattr(ray_crew, "import_module", lambda _name: Talking())
    find_cluster()
    speaker = Thread(target=lambda: print("(raylet) A worker died"), name="ray_listen_error_messages")  # noqa: T201 -- as Ray does
    speaker.start()
    speaker.join()
    click.echo("the result")

    assert ("the result\n", "(raylet) A worker died\n") == capsys.readouterr()


if is_ray_available():

    @pytest.mark.deep
    @pytest.mark.filterwarnings("ignore")
    @pytest.mark.parametrize("reduction", ["none", "symmetry"])
    def test_two_processes_of_ray_find_the_same(reduction: str) -> None:
        bounded = find_model("core").at("small", profile="nomad-2.0")

        report = explore(bounded, reduction=reduction, engine="compiled", workers=2, ray=True)

        assert find_cluster().is_initialized()
        assert keep_result(explore(bounded, reduction=reduction)) == keep_result(report)
