"""How a check says no."""

from nomadspec.model.cluster.scheduler.feasibility.refusal import refuse
from nomadspec.model.cluster.scheduler.reasons import Filtered
from tests.model.cluster.scheduler.made import make_node


def test_a_refusal_names_node_rule_words_and_operands() -> None:
    refused = refuse(make_node("n7"), "FEAS-26", "missing drivers", driver="exec")

    expected = Filtered(node_id="n7", rule="FEAS-26", text="missing drivers", operands={"driver": "exec"})
    assert expected == refused
