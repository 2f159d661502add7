"""Folding, focusing and finding in graphs of evaluations."""

import networkx as nx
import pytest

from nomadspec.checkers.diagrams.evals.drawing import draw_dag, render_dag
from nomadspec.checkers.diagrams.evals.folding import find_node, focus, fold, keep_evals
from nomadspec.checkers.diagrams.evals.records import EvalDag
from nomadspec.model.errors import UsageError
from tests.checkers.diagrams.evals.told import LOST, build_of, make_alloc, make_eval, play_text


def make_many(nodes: int) -> EvalDag:
    """Make a graph of about so many nodes: a job that is looked at in vain again and again."""
    evals = [
        make_eval(
            f"e{place:04}", 10 + place, triggered_by="node-update", node_id=f"n{place}", node_modify_index=9
        )
        for place in range(nodes // 2)
    ]
    return build_of(*evals)


def test_what_is_alike_is_one_node() -> None:
    folded = fold(make_many(500))

    assert [250, 250] == [node.count for node in folded.nodes]
    assert 1 == len(folded.edges)


def test_two_that_are_alike_stay_two() -> None:
    dag = make_many(4)

    assert dag == fold(dag)


def test_what_led_to_something_else_is_not_alike() -> None:
    allocs = tuple(make_alloc(f"a{place}", 7, "e1", name=f"web.web[{place}]") for place in range(4))
    replaced = make_alloc("b", 9, "e2", previous_allocation="a0")
    dag = build_of(make_eval("e1", 5), make_eval("e2", 8), allocs=(*allocs, replaced))

    assert [3] == [node.count for node in fold(dag).nodes if node.count > 1]


def test_folding_makes_no_circle() -> None:
    chain = [make_eval(f"e{place}", 5 + place, previous_eval=f"e{place - 1}") for place in range(9)]
    dag = fold(build_of(*chain))

    assert 9 == len(dag.nodes)
    assert nx.is_directed_acyclic_graph(nx.DiGraph((edge.source, edge.target) for edge in dag.edges))


def test_a_picture_of_five_hundred_nodes_is_small() -> None:
    picture = render_dag(fold(make_many(500)), "svg").decode()

    assert "250 alike" in picture
    assert 2 == len(draw_dag(fold(make_many(500))).nodes)


def test_too_many_nodes_are_not_drawn_but_written() -> None:
    dag = make_many(2400)

    with pytest.raises(UsageError, match="would have 2,400 nodes, and as svg at most 1,000 are drawn"):
        render_dag(dag, "svg")
    assert b"<graphml" in render_dag(dag, "graphml")


def test_focus_keeps_what_is_near() -> None:
    dag = play_text(LOST)
    blocked = next(node for node in dag.nodes if "queued-allocs" in node.label)

    assert [blocked] == list(focus(dag, blocked, 0).nodes)
    near = focus(dag, blocked, 1)
    assert ["big node-update", "big blocked queued-allocs"] == [" ".join(node.label) for node in near.nodes]
    assert set(near.edges) < set(dag.edges)


def test_evaluations_alone_are_joined_over_what_is_left_out() -> None:
    dag = keep_evals(play_text(LOST))

    assert {"eval", "event"} == {node.kind.value for node in dag.nodes}


def test_nodes_are_found_by_id_beginning_and_name() -> None:
    dag = build_of(
        make_eval("e10", 5),
        make_eval("e11", 6),
        allocs=(make_alloc("a", 7, "e10"), make_alloc("b", 8, "e11")),
    )

    assert "eval e10" == find_node(dag, "e10").id
    assert "alloc b" == find_node(dag, "web[0]").id
    assert "alloc b" == find_node(dag, f"{dag.nodes[-1].job}.web[0]").id
    with pytest.raises(UsageError, match="'e1' could be eval e10, eval e11"):
        find_node(dag, "e1")
    with pytest.raises(UsageError, match="There is no evaluation, allocation or deployment named 'x'"):
        find_node(dag, "x")
