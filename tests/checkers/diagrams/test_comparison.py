"""The hand-drawn diagrams, drawn again."""

import pytest

from nomadspec.checkers.diagrams.comparison import COLOURS, build_comparison_graph
from nomadspec.checkers.diagrams.differences import Verdict
from nomadspec.checkers.diagrams.upstream import DIAGRAMS, PHASES, STATUSES, DrawnDiagram
from nomadspec.model.specification.profiles import NOMAD_2_0


@pytest.mark.parametrize("diagram", DIAGRAMS, ids=lambda diagram: diagram.name)
def test_every_drawn_arrow_is_an_edge_with_its_number(diagram: DrawnDiagram) -> None:
    edges = [edge for edge in build_comparison_graph(diagram, NOMAD_2_0).edges if not edge.is_overlay]

    assert [int(edge.label.split(".")[0]) for edge in edges] == [arrow.number for arrow in diagram.arrows]


def test_what_is_wrong_is_red() -> None:
    wrong = COLOURS[Verdict.THEIRS]
    edges = build_comparison_graph(STATUSES, NOMAD_2_0).edges

    assert [edge.label.split(".")[0] for edge in edges if edge.style.stroke == wrong] == [
        "2",
        "8",
        "12",
        "13",
    ]


def test_the_statuses_are_drawn_as_there() -> None:
    nodes = build_comparison_graph(PHASES, NOMAD_2_0).nodes

    assert {node.id for node in nodes if node.style.is_dashed} == {
        "scheduling",
        "applying",
        "delayed",
        "deleted",
    }
    assert {node.style.fill for node in nodes} == {"#d5f6ea"}


def test_what_only_our_tables_have_is_laid_over_it() -> None:
    graph = build_comparison_graph(STATUSES, NOMAD_2_0)
    laid = {(edge.source, edge.target): edge.label for edge in graph.edges if edge.is_overlay}

    assert {edge.style.stroke for edge in graph.edges if edge.is_overlay} == {COLOURS[Verdict.OURS]}
    assert laid["blocked", "failed"] == "plan attempts used up\ndeliveries used up"
    assert laid["pending", "blocked"] == "some allocs found no place"
