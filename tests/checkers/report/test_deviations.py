"""Quirks and findings at rules and properties."""

from nomadspec.checkers.report.deviations import (
    find_deviation_titles,
    list_deviation_facts,
    list_finding_ids,
    list_quirk_ids,
)
from nomadspec.invariants.catalogue import find_model

KERNEL = find_model("kernel")
LOSE_HANDLER = KERNEL.find_rule("LoseHandler")
IS_EVALUATED = KERNEL.find_property("no_live_alloc_on_down_node")


def test_a_rule_has_the_quirks_that_it_asks_for_and_what_they_lead_to() -> None:
    assert ["X-20"] == list_quirk_ids("kernel", LOSE_HANDLER)
    (finding,) = list_finding_ids("kernel", LOSE_HANDLER)
    assert finding in list_finding_ids("kernel", IS_EVALUATED)


def test_a_property_has_the_findings_that_violate_it_and_their_cures() -> None:
    assert "X-20" in list_quirk_ids("kernel", IS_EVALUATED)
    assert ["F-09", "F-22", "F-36"] == list_finding_ids("kernel", IS_EVALUATED)


def test_findings_belong_to_their_model() -> None:
    assert [] == list_finding_ids("core", IS_EVALUATED) == list_quirk_ids("core", IS_EVALUATED)


def test_both_stand_with_their_titles() -> None:
    facts = list(list_deviation_facts("kernel", LOSE_HANDLER))
    titles = find_deviation_titles("kernel", LOSE_HANDLER)

    assert ["quirks", "findings"] == [name for name, _ in facts]
    assert [line for _, line in facts] == [
        f"{one}: {title.removesuffix('.')}" for one, title in titles.items()
    ]
