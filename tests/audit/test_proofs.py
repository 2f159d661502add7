"""Proofs about random models agree with brute force: in the scope, and in other sizes where they say so."""

import pytest

from nomadspec.checkers.smt import prove
from tests.audit.brute import Graph
from tests.audit.described import Described
from tests.audit.judging import check_drawn, compare_proofs, search_larger
from tests.audit.loading import list_drawn, load
from tests.audit.text import write_model

MOST = 400
MANY = [pytest.param(first, 40, marks=pytest.mark.deep) for first in range(30_000, 36_000, 2_000)]


@pytest.mark.parametrize(("first", "number"), [(0, 2), pytest.param(0, 3, marks=pytest.mark.deep), *MANY])
def test_what_is_proved_is_true(first: int, number: int) -> None:
    for model, graph in list_drawn(first, number):
        check_drawn(model, find_differences(model, graph), write_model(model))


@pytest.mark.parametrize(("first", "number"), [(1_000, 1), *MANY])
def test_names_of_the_engine_prove_nothing(first: int, number: int) -> None:
    for model, graph in list_drawn(first, number, is_counting=True):
        check_drawn(model, find_differences(model, graph), write_model(model))


def find_differences(model: Described, graph: Graph) -> list[str]:
    """Prove what can be proved of a model, and compare."""
    drawn = load(model)
    names = [prop.name for prop in model.properties if prop.kind in {"always", "step"}]
    report = prove(drawn.at(), properties=names, bmc_steps=2, max_seconds=4)
    is_any_proved = any("proved" in proof.result.value for proof in report.proofs)
    graphs = search_larger(model, graph, MOST) if is_any_proved else {"scope": graph}
    return compare_proofs(graphs, drawn, report)
