"""Whole searches elsewhere: by a stand-in that sends everything there and back, and by Ray where it is."""

import pickle
from types import SimpleNamespace
from typing import Any

import pytest

from nomadspec.checkers.explore.named_search import Errand
from nomadspec.checkers.explore.sharded.ray_crew import find_cluster, is_ray_available
from nomadspec.checkers.explore.sharded.ray_scopes import FarSearches
from nomadspec.checkers.progress import Silence
from tests.checkers.explore.test_running import keep_result

ERRANDS = (Errand("2pc", "hasty", "X-03"), Errand("2pc", "hasty", "intended", "symmetry"))

LARGER = (Errand("core", "unchecked", "intended"), Errand("2pc", "small", "intended", "symmetry"))


class LostError(Exception):
    """A process is gone."""


class StandIn:
    """What is used of Ray, in one process."""

    exceptions = SimpleNamespace(WorkerCrashedError=LostError, GetTimeoutError=TimeoutError)

    def __init__(self, *, loses: bool = False) -> None:
        self.asked = 0
        self._loses = loses

    def remote(self, made: Any) -> Any:
        def start(*given: Any) -> bytes:
            self.asked += 1
            return pickle.dumps(made(*pickle.loads(pickle.dumps(given))))  # noqa: S301 -- written here

        return SimpleNamespace(remote=start)

    def get(self, answer: bytes, **_options: Any) -> Any:
        if self._loses:
            raise LostError
        return pickle.loads(answer)  # noqa: S301 -- written above


@pytest.mark.parametrize(
    "errand",
    [
        pytest.param(
            errand,
            id=f"{errand.model} {errand.scope} {errand.reduction}",
            marks=pytest.mark.deep if errand in LARGER else [],
        )
        for errand in (*ERRANDS, *LARGER)
    ],
)
@pytest.mark.parametrize("loses", [False, True])
def test_a_search_that_was_sent_away_or_lost_finds_the_same(errand: Errand, loses: bool) -> None:
    cluster: Any = StandIn(loses=loses)
    searches = FarSearches(cluster)

    searches.send(errand)
    report = searches.fetch(errand, Silence())

    assert 1 == cluster.asked
    assert keep_result(errand.run()) == keep_result(report)


if is_ray_available():

    @pytest.mark.deep
    @pytest.mark.filterwarnings("ignore")
    def test_two_processes_of_ray_find_the_same() -> None:
        searches = FarSearches(find_cluster())

        for errand in (*ERRANDS, *LARGER):
            searches.send(errand)

        for errand in (*ERRANDS, *LARGER):
            assert keep_result(errand.run()) == keep_result(searches.fetch(errand, Silence()))
