"""Examples of the solver as plain values."""

from typing import Any

import pytest

from nomadspec.checkers.smt.resources.example import replay
from nomadspec.invariants.cluster.resources.draw import GivenValues
from nomadspec.model.cluster.entities import Node
from nomadspec.model.errors import ImpossibleError
from nomadspec.model.language.logic import implies, not_
from nomadspec.model.specification.profiles import INTENDED
from tests.checkers.smt.resources.claims import claim_of, prove_statement


def test_every_kind_of_value_is_read() -> None:
    def say(draw: Any) -> Any:
        texts = draw.text("t") == draw.text("u")
        chosen = draw.pick("p", (1, 2)) == 2
        in_set = not_(draw.numbers("s").isdisjoint((draw.number("n"),)))
        return implies(draw.flag("f"), not_(texts) if chosen else not_(in_set))

    example = prove_statement(say).example
    assert example is not None
    assert {"f", "n", "p", "s", "t", "u"} == set(example.values)
    assert example.values["f"] is True
    assert str(example.values["n"]) in str(example.values["s"])


def test_objects_are_written_as_the_interface_does() -> None:
    def say(draw: Any) -> Any:
        draw.show("node", Node(id="n1", node_max_allocs=draw.number("most")))
        draw.show("number", 7)
        return draw.number("most") != 3

    example = prove_statement(say).example
    assert example is not None
    assert {"node": {"ID": "n1", "NodeMaxAllocs": 3}} == example.objects


def test_what_does_hold_is_no_example() -> None:
    claim = claim_of(lambda draw: draw.number("n") == 0)

    with pytest.raises(ImpossibleError, match=r"says that toy does not hold for \{'m': 4\}; but it does"):
        replay(claim, claim.parts[0], INTENDED, GivenValues({"m": 4}))


def test_sets_that_cannot_be_shown_are_no_example() -> None:
    proof = prove_statement(lambda draw: draw.numbers("s") <= frozenset(range(50)))

    assert ("broken", None) == (proof.answer.value, proof.example)
