"""Scopes in words."""

import pytest

from nomadspec.checkers.smt.open_frame import OpenFrame
from nomadspec.checkers.smt.wording import describe_open, describe_scope, join_words
from nomadspec.invariants.catalogue import find_model


def test_an_open_world_says_what_may_be_any_number() -> None:
    told = {name: describe_open(OpenFrame(find_model(name).at())) for name in ("core", "2pc")}

    assert "any number of jobs, nodes and workers; any cap, deliveries and flips; 2 slots" == told["core"]
    assert "any number of rms" == told["2pc"]


def test_a_scope_says_how_many_there_are() -> None:
    assert "rms 5" == describe_scope(find_model("2pc").at())


@pytest.mark.parametrize(
    ("words", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_words_are_joined(words: list[str], text: str) -> None:
    assert text == join_words(words)
