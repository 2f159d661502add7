"""An order is found in which every search counts what its metrics say, or none is."""

from collections.abc import Mapping
from typing import Any

from nomadspec.checkers.oracle.relation.layout import lay_out
from nomadspec.checkers.oracle.relation.probing import Probed, Stretch
from nomadspec.model.cluster.entities import Allocation, AllocMetric, NodeScoreMeta
from nomadspec.model.cluster.scheduler.reasons import Dropped, Exhausted, Filtered, Scored, Visit
from tests.model.cluster.scheduler.made import make_node

NODES = [make_node(name, node_class="thin" if name < "d" else "", computed_class=name) for name in "abcdef"]


def score(**scores: float) -> dict[str, Visit]:
    return {name: Scored(node_id=name, scores={}, norm_score=each) for name, each in scores.items()}


def make_stretch(
    node_id: str, verdicts: Mapping[str, Visit], visited: int, shown: str, limit: int = 2, **counts: Any
) -> Stretch:
    told = tuple(
        NodeScoreMeta(node_id=name, norm_score=each.norm_score)
        for name in shown
        if isinstance(each := verdicts[name], Scored)
    )
    metrics = AllocMetric(nodes_evaluated=visited, score_meta_data=told, **counts)
    return Stretch("web", verdicts, Allocation(node_id=node_id, metrics=metrics), limit)


def find(*stretches: Stretch, eligibility: Mapping[str, bool] | None = None) -> str | None:
    layout = lay_out(Probed(0, NODES, list(stretches)), eligibility or {})
    assert layout.is_impossible == (layout.order is None)
    return None if layout.order is None else "".join(node.id for node in layout.order)


EQUAL = score(a=0.5, b=0.5, c=0.5, d=0.5, e=0.5, f=0.5)


def test_each_search_visits_whom_it_shows() -> None:
    """RANK-07, RANK-20: of equal scores the first is taken."""
    order = find(make_stretch("d", EQUAL, 2, "db"), make_stretch("e", EQUAL, 2, "ea"))

    assert order is not None
    assert order[:4] == "dbea"


def test_searches_that_cannot_both_be_have_no_order() -> None:
    assert find(make_stretch("d", EQUAL, 2, "db"), make_stretch("d", EQUAL, 2, "da")) is None


def test_who_is_refused_or_full_stands_before_the_last() -> None:
    """RANK-15."""
    verdicts = {
        **EQUAL,
        "a": Filtered(node_id="a", rule="FEAS-26", text="missing drivers"),
        "b": Exhausted(node_id="b", rule="RANK-30", dimension="memory"),
        "f": Dropped(node_id="f", rule="NET-09"),
    }
    order = find(
        make_stretch(
            "d",
            verdicts,
            4,
            "dc",
            nodes_filtered=1,
            nodes_exhausted=1,
            constraint_filtered={"missing drivers": 1},
            dimension_exhausted={"memory": 1},
            class_filtered={"thin": 1},
            class_exhausted={"thin": 1},
        )
    )

    assert order is not None
    assert set(order[:4]) == set("abcd")
    assert order[3] in "cd"


def test_whoever_is_put_aside_is_visited_beyond_the_limit() -> None:
    """RANK-18."""
    verdicts = {**EQUAL, **score(b=-0.5)}

    order = find(make_stretch("d", verdicts, 3, "dcb"))

    assert order is not None
    assert set(order[:3]) == set("dcb")
    assert order[2] != "b"


def test_the_reason_of_a_class_is_counted_once() -> None:
    """FEAS-22: the second search meets a class anew, or one that the first has met."""
    first = {**EQUAL, "a": Filtered(node_id="a", rule="FEAS-26", text="missing drivers")}
    later = {**EQUAL, "a": Filtered(node_id="a", rule="FEAS-22", text="computed class ineligible")}

    def find_with(text: str) -> str | None:
        counts: dict[str, Any] = {
            "nodes_filtered": 1,
            "constraint_filtered": {text: 1},
            "class_filtered": {"thin": 1},
        }
        return find(make_stretch("d", first, 2, "db"), make_stretch("e", later, 3, "ef", **counts))

    assert find_with("missing drivers") is not None
    assert find_with("computed class ineligible") is None


def test_classes_that_were_found_good_were_met() -> None:
    """RANK-07: five equal scores are shown, so that others may have been met as well."""
    taken = make_stretch("a", EQUAL, 2, "a", limit=2)

    assert find(taken) is None
    wide = make_stretch("a", EQUAL, 5, "abcde", limit=5)
    assert find(wide, eligibility={"f": False}) is not None
    assert find(wide, eligibility={"f": True, "e": True, "d": True, "c": True, "b": True, "a": True}) is None


def test_no_nodes_have_no_order_to_find() -> None:
    assert lay_out(Probed(0, (), []), {}).order == ()
