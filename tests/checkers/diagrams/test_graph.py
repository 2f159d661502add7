"""What a picture is made of."""

from nomadspec.checkers.diagrams.graph import (
    Edge,
    EdgeStyle,
    Graph,
    Node,
    NodeStyle,
    list_edge_styles,
    list_edges,
    list_node_styles,
)

ROOM = NodeStyle("room")
YARD = NodeStyle("yard")
WALK = EdgeStyle("walk")
JUMP = EdgeStyle("jump")
HOUSE = Graph(
    title="House",
    nodes=(Node("kitchen", "kitchen", ROOM), Node("attic", "attic", ROOM), Node("garden", "garden", YARD)),
    edges=(
        Edge("attic", "garden", JUMP),
        Edge("kitchen", "garden", WALK),
        Edge("kitchen", "attic", WALK, label="b"),
        Edge("kitchen", "attic", WALK, label="a"),
        Edge("kitchen", "attic", JUMP),
    ),
)


def test_edges_are_sorted_by_their_ends_then_style_then_label() -> None:
    drawn = [(edge.source, edge.target, edge.style.name, edge.label) for edge in list_edges(HOUSE)]

    assert drawn == [
        ("kitchen", "attic", "jump", ""),
        ("kitchen", "attic", "walk", "a"),
        ("kitchen", "attic", "walk", "b"),
        ("kitchen", "garden", "walk", ""),
        ("attic", "garden", "jump", ""),
    ]


def test_styles_are_listed_once_in_order_of_use() -> None:
    assert list_node_styles(HOUSE) == (ROOM, YARD)
    assert list_edge_styles(HOUSE) == (JUMP, WALK)
