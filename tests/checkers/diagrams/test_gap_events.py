"""Steps that break a property in a world that perhaps nothing leads to, drawn."""

import pytest

from nomadspec.checkers.diagrams.dag import EventStatus
from nomadspec.checkers.diagrams.gap_events import events_of_gap, list_values
from nomadspec.checkers.smt.proving import prove
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.story import Replay


@pytest.fixture
def replay() -> Replay:
    bounded = find_model("2pc").at("hasty")
    proof, *_ = prove(bounded, properties=["managers_agree"], bmc_steps=0, is_open=False).proofs
    assert proof.gap is not None
    assert proof.gap.replay is not None
    return proof.gap.replay


def test_the_world_says_what_the_step_and_the_property_look_at(replay: Replay) -> None:
    graph = events_of_gap("managers_agree", replay, "which nothing leads to.")
    origin, step, end = graph.events

    assert [EventStatus.ORIGIN, EventStatus.PLAIN, EventStatus.VIOLATING] == [e.status for e in graph.events]
    assert origin.label.startswith("a world\nwhich nothing leads to.\nstate[rm1] = ")
    assert "managers_agree\ndoes not hold" == end.label
    assert replay.moments[0].instance.rule.name == step.kind


def test_what_nobody_looks_at_is_left_out(replay: Replay) -> None:
    names = [name for name, _ in list_values("managers_agree", replay)]

    assert "state[rm1]" in names
    assert "counted[rm1]" not in names


def test_of_many_values_the_first_are_shown() -> None:
    bounded = find_model("core").at("unchecked")
    proofs = prove(bounded, properties=["no_node_is_oversubscribed"], bmc_steps=0, is_open=False).proofs
    assert proofs[0].gap is not None
    assert proofs[0].gap.replay is not None
    origin = events_of_gap(
        "no_node_is_oversubscribed", proofs[0].gap.replay, "which nothing leads to."
    ).events[0]

    assert 14 > len(origin.label.splitlines())
