"""Lifecycles as graphs."""

import subprocess
import sys

import pytest

from nomadspec.checkers.diagrams import palette
from nomadspec.checkers.diagrams.graph import Edge, Graph
from nomadspec.checkers.diagrams.lifecycle import build_lifecycle_graph, render_lifecycle
from nomadspec.checkers.diagrams.render import FORMATS
from nomadspec.model.errors import UsageError
from nomadspec.model.lifecycle.catalogue import LIFECYCLES, find_lifecycle
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, find_profile

EVERY = pytest.mark.parametrize("name", LIFECYCLES)


def build(name: str, profile: str = "nomad-2.0") -> Graph:
    return build_lifecycle_graph(find_lifecycle(name), find_profile(profile))


def find_edges(graph: Graph, source: str, target: str) -> list[Edge]:
    return [edge for edge in graph.edges if (edge.source, edge.target) == (source, target)]


@EVERY
def test_every_status_is_drawn_and_every_edge_joins_drawn_nodes(name: str) -> None:
    graph = build(name)
    nodes = {node.id for node in graph.nodes}

    assert {status.name.lower() for status in LIFECYCLES[name].list_statuses()} <= nodes
    assert {end for edge in graph.edges for end in (edge.source, edge.target)} <= nodes


@EVERY
def test_as_intended_nothing_is_orange(name: str) -> None:
    styles = {edge.style for edge in build(name, "intended").edges}

    assert styles.isdisjoint({palette.QUIRK, palette.QUIRK_CREATION})


def test_an_edge_of_a_quirk_names_it_on_every_line() -> None:
    (edge,) = find_edges(build("evaluation"), "canceled", "complete")

    assert edge.style is palette.QUIRK
    assert [line.split(" [")[1] for line in edge.label.splitlines()] == [
        "02/S5]",
        "X-07]",
        "BUG-013]",
        "X-09]",
    ]


def test_a_profile_of_one_quirk_draws_only_that_one() -> None:
    (edge,) = find_edges(build("evaluation", "02/S5"), "canceled", "complete")

    assert edge.label == "called off, yet run [02/S5]"


def test_changes_are_solid_and_creations_dashed() -> None:
    change, creation = find_edges(build("evaluation"), "blocked", "blocked")
    dashed = {change.style.name: change.style.is_dashed, creation.style.name: creation.style.is_dashed}

    assert dashed == {"change": False, "creation": True}


def test_the_triggers_of_new_evals_are_on_one_edge() -> None:
    (edge,) = find_edges(build("evaluation"), "origin", "pending")

    assert edge.style is palette.CREATION
    assert {"job-register", "node-update", "reconnect"} <= set(edge.label.splitlines())


def test_the_happy_path_is_one_heavy_line() -> None:
    graph = build("evaluation-full")
    weights = {edge.source: edge.weight for edge in graph.edges if edge.weight > 1}
    happy = [(edge.source, edge.target) for edge in graph.edges if edge.style is palette.HAPPY]

    assert weights == {"origin": 20, "pending": 20, "scheduling": 20, "complete": 20}
    assert happy == [("pending", "scheduling"), ("scheduling", "complete"), ("complete", "deleted")]


def test_what_leads_from_everywhere_is_drawn_once() -> None:
    graph = build("evaluation-place")
    flushes = [edge.source for edge in graph.edges if "flush" in edge.label.splitlines()]

    assert flushes == ["any"]


def test_deletion_is_drawn_only_as_a_status() -> None:
    assert "deleted" in {node.id for node in build("evaluation-full").nodes}
    assert "deleted" not in {node.label for node in build("evaluation").nodes}


@pytest.mark.parametrize(
    ("status", "style"),
    [
        ("pending", palette.LIVE),
        ("complete", palette.GOOD),
        ("failed", palette.TROUBLE),
        ("canceled", palette.ENDED),
        ("applying", palette.QUASI),
    ],
)
def test_colours_say_what_a_status_is(status: str, style: object) -> None:
    assert style in [node.style for node in build("evaluation-full").nodes if node.id == status]


@pytest.mark.parametrize(
    "fmt", [pytest.param(fmt, marks=pytest.mark.deep if fmt == "png" else []) for fmt in FORMATS]
)
def test_rendering_is_stable(fmt: str) -> None:
    node = find_lifecycle("node")

    assert render_lifecycle(node, NOMAD_2_0, fmt) == render_lifecycle(node, NOMAD_2_0, fmt)
    assert render_lifecycle(node, NOMAD_2_0, fmt) != render_lifecycle(node, INTENDED, fmt)


def test_an_unknown_format_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        render_lifecycle(find_lifecycle("node"), NOMAD_2_0, "jpeg")


def test_the_renderer_is_loaded_only_to_draw() -> None:
    code = "import sys, nomadspec.checkers.diagrams.lifecycle; print('pygraphviz' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"False\n"


def test_the_ids_on_edges_stand_below_with_their_titles() -> None:
    assert ("02/S5: A cancelled delayed evaluation may still become ready",) == build(
        "evaluation", "02/S5"
    ).notes
    assert () == build("evaluation", "intended").notes
