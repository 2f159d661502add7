"""What a complete graph says about fairness and cycles."""

import pytest

from nomadspec.checkers.explore.graph import Graph
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.search_state import Explored
from nomadspec.checkers.explore.task import make_task
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.model import Model
from tests.checkers.explore.models import DIAL, GATE_OPEN, LAMPS


def make_graph(model: Model) -> Graph:
    task = make_task(model.at(), None, "none", stops_at_first=False)
    search = Search(task)
    search.expand(1000, 1000)
    return Graph(task, search.explored)


def test_each_fairness_group_has_a_bit_of_its_own() -> None:
    lamps, gate = make_graph(LAMPS), make_graph(GATE_OPEN)

    assert [1, 2, 0] == lamps.group_bits
    assert (3, 0) == (lamps.weak, lamps.strong)
    assert [1, 2] == gate.group_bits
    assert (1, 2) == (gate.weak, gate.strong)


def test_what_is_possible_in_a_world_and_what_happens_inside() -> None:
    gate = make_graph(GATE_OPEN)

    assert [1, 3, 0] == [gate.possible(world) for world in range(3)]
    assert [1, 1] == [gate.happening(world, {0, 1}) for world in (0, 1)]
    assert 2 == gate.happening(1, {2})


def test_a_path_lingers_where_nothing_is_owed() -> None:
    assert [2] == make_graph(GATE_OPEN).lingering
    assert [] == make_graph(LAMPS).lingering


def test_worlds_on_cycles_are_kept_and_those_before_them_not() -> None:
    gate = make_graph(GATE_OPEN)

    assert [0, 1, 2] == gate.cyclic
    assert [] == make_graph(DIAL).cyclic


def test_without_kept_steps_there_is_no_graph() -> None:
    task = make_task(LAMPS.at(), [], "none", stops_at_first=False)

    with pytest.raises(ImpossibleError, match="no steps were kept"):
        Graph(task, Explored(None, []))
