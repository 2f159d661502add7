"""Draws of plain values."""

from nomadspec.invariants.cluster.resources.draw import GivenValues


def test_given_values_are_given() -> None:
    draw = GivenValues({"n": 3, "f": True, "t": 2, "s": frozenset({1}), "p": 1})

    assert {1} == draw.growing("s")
    assert (3, True, "text 2", frozenset({1}), "b") == (
        draw.number("n"),
        draw.flag("f"),
        draw.text("t"),
        draw.numbers("s"),
        draw.pick("p", "ab"),
    )


def test_the_rest_is_as_little_as_may_be() -> None:
    draw = GivenValues()

    assert (0, 2, -3, 0) == (
        draw.number("a"),
        draw.number("b", least=2),
        draw.number("c", most=-3),
        draw.number("d", least=-1, most=1),
    )
    assert (False, "text 0", frozenset(), "a") == (
        draw.flag("f"),
        draw.text("t"),
        draw.numbers("s"),
        draw.pick("p", "ab"),
    )


def test_what_is_shown_is_kept() -> None:
    draw = GivenValues()
    draw.show("node", 7)

    assert {"node": 7} == draw.shown
