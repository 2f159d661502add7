"""The reachable graph: all worlds and steps of a small scope, and marks where something is wrong."""

from collections import Counter
from pathlib import Path

import networkx as nx
import pytest

from nomadspec.checkers.diagrams.reachable import (
    FIRST,
    LEFT,
    WRONG,
    draw_reachable,
    find_format,
    find_reachable,
    render_reachable,
)
from nomadspec.checkers.explore import explore
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UsageError
from nomadspec.model.language.bounded import BoundedModel, Cells
from tests.checkers.failing import EMPTIED, GROWING

HASTY = find_model("2pc").at("hasty", sizes={"rms": 2})


def test_it_has_the_worlds_and_steps_of_a_search() -> None:
    report = explore(HASTY, stop_at_first=False)
    found = find_reachable(HASTY, HASTY.model.properties, 1000)

    assert report.distinct == len(found.worlds) == len({world.cells for world in found.worlds})
    assert report.generated - len(HASTY.initial) == len(found.steps)
    assert report.fired == {
        rule.name: Counter(taken.step.rule for taken in found.steps)[rule.name] for rule in HASTY.model.rules
    }
    assert [0] == [number for number, world in enumerate(found.worlds) if world.is_initial]


def test_what_is_wrong_is_marked_where_it_is() -> None:
    found = find_reachable(HASTY, HASTY.model.properties, 1000)
    prop = HASTY.model.find_property("managers_agree")
    wrong = [world.cells for world in found.worlds if "managers_agree" in world.wrong]

    assert wrong
    assert wrong == [world.cells for world in found.worlds if not HASTY.holds(prop, world.cells)]
    styles = {node.style.name for node in draw_reachable(found).nodes}
    assert {FIRST.name, WRONG.name} <= styles


def test_steps_that_fail_and_worlds_that_are_stuck_are_marked() -> None:
    emptied = find_reachable(EMPTIED.at(), (), 10)
    (opened,) = [world for world in emptied.worlds if not world.is_initial]

    assert [f"queues_are_used_well by Close(clerk{clerk})" for clerk in (1, 2, 3)] == list(opened.wrong)
    stuck = find_reachable(find_model("2pc").at("small", sizes={"rms": 1}, profile="nomad-2.0"), (), 100)
    assert all(not world.wrong for world in stuck.worlds)


def is_open(bounded: BoundedModel, cells: Cells) -> bool:
    return bounded.describe(cells)["is_open"] is True


def test_bounds_cut_it() -> None:
    bounded = GROWING.at()
    two = find_reachable(bounded, (), 100, max_depth=2)
    closed = find_reachable(bounded, (), 100, goes_on=lambda cells: not is_open(bounded, cells))

    assert explore(bounded, max_depth=2).distinct == len(two.worlds)
    assert any(world.is_cut for world in two.worlds)
    assert [False, True] == [world.is_cut for world in closed.worlds]
    assert LEFT in {node.style for node in draw_reachable(closed).nodes}


def test_too_many_worlds_are_refused() -> None:
    with pytest.raises(UsageError, match="More than 50 worlds"):
        find_reachable(HASTY, (), 50)


@pytest.mark.parametrize("fmt", ["dot", "mermaid", "svg", "graphml"])
def test_it_is_the_same_each_time(fmt: str) -> None:
    bounded = find_model("2pc").at("small", sizes={"rms": 1}, profile="nomad-2.0")
    pictures = {render_reachable(find_reachable(bounded, (), 100), fmt) for _ in range(2)}

    assert 1 == len(pictures)
    assert b"Prepare" in pictures.pop()


def test_graphml_is_read_by_others(tmp_path: Path) -> None:
    found = find_reachable(HASTY, HASTY.model.properties, 1000)
    path = tmp_path / "worlds.graphml"
    path.write_bytes(render_reachable(found, "graphml"))
    graph = nx.read_graphml(path, force_multigraph=True)

    assert (len(found.worlds), len(found.steps)) == (graph.number_of_nodes(), graph.number_of_edges())
    assert any("managers_agree" in data["wrong"] for _, data in graph.nodes(data=True))


def test_the_name_of_the_file_says_the_format() -> None:
    assert ["svg", "mermaid", "dot"] == [find_format(Path(name)) for name in ("a.svg", "a.MMD", "b.gv")]
    with pytest.raises(UsageError, match="says no format"):
        find_format(Path("a.pdf"))
