"""What is asked of graphs of evaluations."""

import pytest

from nomadspec.checkers.diagrams.evals.folding import find_node
from nomadspec.checkers.diagrams.evals.queries import (
    explain,
    find_critical_path,
    list_cycles,
    list_ends,
    list_storms,
)
from nomadspec.model.errors import UsageError
from tests.checkers.diagrams.evals.told import FLAPPING, LOST, ROLLED, build_of, make_eval, play_text


def test_why_an_allocation_is_there() -> None:
    dag = play_text(LOST)
    chain = explain(dag, find_node(dag, "web[0]"))

    assert [(" ".join(link.node.label), link.kind and link.kind.value) for link in chain] == [
        ("node-1 misses heartbeat", None),
        ("web node-update", "caused"),
        ("web[0] running", "placed"),
    ]


def test_what_ended_an_allocation() -> None:
    dag = play_text(LOST)
    lost = next(node for node in dag.nodes if node.label == ("web[0]", "lost, stop"))

    assert ["web node-update"] == [" ".join(link.node.label) for link in list_ends(dag, lost)]


def test_the_critical_path_has_the_most_evaluations() -> None:
    path = [" ".join(node.label) for node in find_critical_path(play_text(ROLLED))]

    assert [line for line in path if "-" in line and "[" not in line] == [
        "web job-register",
        "web deployment-watcher",
        "web deployment-watcher",
        "web deployment-watcher",
    ]


def test_storms_count_what_came_of_a_cause() -> None:
    storms = [
        (" ".join(one.origin.label), one.direct, one.evals)
        for one in list_storms(play_text(FLAPPING))
        if "node" in one.origin.label[0]
    ]

    assert storms == [
        ("node-1 misses heartbeat", 3, 3),
        ("node-1 heartbeats", 3, 3),
        ("node-2 misses heartbeat", 3, 3),
        ("node-2 heartbeats", 3, 3),
    ]


def test_circles_of_evaluations_are_found() -> None:
    dag = build_of(
        make_eval("a", 5, next_eval="b"),
        make_eval("b", 6, next_eval="c"),
        make_eval("c", 7, next_eval="a"),
        make_eval("d", 8, previous_eval="d"),
        make_eval("e", 9, previous_eval="d"),
    )

    assert [["eval a", "eval b", "eval c"], ["eval d"]] == [
        [node.id for node in circle] for circle in list_cycles(dag)
    ]
    assert 3 == len(explain(dag, find_node(dag, "a")))
    with pytest.raises(UsageError, match="Causes go in circles"):
        find_critical_path(dag)
