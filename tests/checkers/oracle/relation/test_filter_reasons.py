"""The first refused node of a class is counted under its reason, later ones under their class."""

import pytest

from nomadspec.checkers.oracle.relation.filter_reasons import Texts
from nomadspec.checkers.oracle.relation.probing import Probed, Stretch
from nomadspec.model.cluster.scheduler.reasons import Filtered
from tests.model.cluster.scheduler.made import make_node

NODES = [make_node(name, computed_class=name) for name in "ab"]


def make_texts(rule: str) -> Texts:
    def refuse(text: str) -> Filtered:
        return Filtered(node_id="a", rule=rule, text=text)

    first = Stretch("web", {"a": refuse("missing drivers"), "b": refuse("no such volume")})
    second = Stretch("web", {"a": refuse(Texts.LEARNT), "b": refuse("no such volume")})
    return Texts.of(Probed(0, NODES, [first, second]))


@pytest.mark.parametrize(("rule", "is_of_job"), [("FEAS-21", True), ("FEAS-22", False)])
def test_what_is_kept_of_classes_is_told_from_the_rest(rule: str, *, is_of_job: bool) -> None:
    """FEAS-21, FEAS-22."""
    texts, node = make_texts(rule), NODES[0]

    assert [texts.is_learnt("web", each) for each in NODES] == [True, False]
    assert texts.is_of_job(node) is is_of_job
    assert list(texts.list_classes("web", NODES)) == [[node]]


def test_a_reason_that_another_group_met_is_the_reason() -> None:
    """FEAS-21."""
    assert make_texts("FEAS-21").find_first("api", NODES[0]) == "missing drivers"


def test_a_node_may_be_counted_under_its_reason_or_its_class() -> None:
    texts, visit = make_texts("FEAS-22"), Filtered(node_id="b", rule="FEAS-60", text="no such volume")

    assert texts.list_possible("web", NODES[0], visit) == ("missing drivers", Texts.LEARNT)
    assert texts.list_possible("web", NODES[1], visit) == ("no such volume",)
