"""Facts are shown as paths, and lead to the rules that decide them."""

import pytest

from nomadspec.checkers.oracle.families.scheduler import RULES
from nomadspec.checkers.oracle.relation.facts import Name
from nomadspec.checkers.oracle.relation.naming import find_rule_of, show_name

STOP = ("plans", "0", "NodeUpdate", "x", "DesiredDescription")
NAMES = ("plans", "0", "all NodeAllocation", "Name")
CLASS = ("ends", "created_evals", "e", "ClassEligibility", "arm")


@pytest.mark.parametrize(
    ("name", "path", "rule"),
    [
        (STOP, "outcome.plans[0].plan.NodeUpdate.x.DesiredDescription", "REC-94"),
        (("plans", "1", "Deployment", "Status"), "outcome.plans[1].plan.Deployment.Status", "REC-88"),
        (NAMES, "outcome.plans[0].plan.NodeAllocation.*.Name", "GENERIC-36"),
        (("ends", "all created_evals"), "outcome.created_evals.*", "GENERIC-41"),
        (("plans", "#"), "outcome.plans.#", "GENERIC-05"),
        (CLASS, "outcome.created_evals.e.ClassEligibility.arm", "FEAS-25"),
        (("ends", "error"), "outcome.error", "GENERIC-05"),
    ],
    ids=range(7),
)
def test_a_fact_has_a_place_and_a_rule(name: Name, path: str, rule: str) -> None:
    assert (show_name(name), find_rule_of(name, RULES)) == (path, rule)
