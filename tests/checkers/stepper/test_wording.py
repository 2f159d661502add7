"""Terms as text, and the reasons why no rule leads from one world to another."""

import pytest

from nomadspec.checkers.report.loading import load_model
from nomadspec.checkers.stepper.reasons import list_reasons
from nomadspec.checkers.stepper.wording import describe_term
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.logic import Value, all_of, any_of, count, ite, not_
from tests.tidy.source import ROOT

DRAIN = load_model(f"{ROOT}/docs/how-to/examples/drain.py:DRAIN").at("small")
S: Value = DRAIN.world(DRAIN.cell_terms)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (S.gone[0], "gone[node1]"),
        (not_(S.gone[0]), "not gone[node1]"),
        (S.place[0] == 1, "place[alloc1] == node2"),
        (S.place[0] != -1, "place[alloc1] != NONE"),
        (S.drained < S.drains, "drained < 2"),
        (S.drained >= 1, "drained >= 1"),
        (not_(S.drained <= 1), "drained > 1"),
        (S.place[0] == S.place[1], "place[alloc1] == place[alloc2]"),
        (all_of(S.gone[0], not_(S.gone[1])), "(gone[node1] and not gone[node2])"),
        (any_of(S.gone[0], S.drained == 2), "(gone[node1] or drained == 2)"),
        (not_(all_of(S.gone[0], S.gone[1])), "not (gone[node1] and gone[node2])"),
        (ite(S.gone[0], S.drained, 0), "(drained if gone[node1] else 0)"),
        (S.drained + 1, "drained + 1"),
        (S.drained + ite(S.gone[0], 1, 0) <= 2, "drained + (1 if gone[node1] else 0) <= 2"),
        (-S.drained, "-drained"),
        (True, "true"),
        (7, "7"),
    ],
)
def test_a_term_is_written_as_people_do(term: Value, text: str) -> None:
    assert text == describe_term(DRAIN.frame, term)


def test_a_long_term_is_cut() -> None:
    bounded = find_model("2pc").at("full", profile="nomad-2.0")
    s: Value = bounded.world(bounded.cell_terms)

    text = describe_term(bounded.frame, count(s.state[rm] == 1 for rm in s.rms) == 3)

    assert 160 == len(text)
    assert text.endswith("...")


def test_the_nearest_instance_of_each_rule_is_told_and_the_nearest_rule_first() -> None:
    first = DRAIN.initial[0]
    names = list(DRAIN.frame.cell_names)
    wanted = list(first)
    wanted[names.index("gone[node2]")] = True

    found = list_reasons(DRAIN, first, tuple(wanted))

    assert [
        ("Remove(node2)", ("draining[node2]",), []),
        ("Place(alloc1, node1)", (), ["place[alloc1]", "gone[node2]"]),
        ("Drain(node1)", (), ["draining[node1]", "gone[node2]", "drained"]),
    ] == [(one.application, one.fails, [cell.cell for cell in one.differs]) for one in found]
