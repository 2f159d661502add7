import ast

from nomadspec.checkers.mutants.places import Node, Place


def make_zero(node: Node) -> tuple[str, str, ast.expr]:
    node.value = 0
    return "1", "0", node


def test_a_place_changes_the_node_that_it_names() -> None:
    expression = ast.parse("1", mode="eval").body
    place = Place("off by one", 0, make_zero)

    assert ("1", "0", expression) == place.change(expression)
    assert "0" == ast.unparse(expression)
