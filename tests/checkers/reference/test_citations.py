"""Who cites what."""

import pytest

from nomadspec.checkers.reference.citations import Citation, anchor, list_citations, list_models


def test_a_rule_a_property_an_arrow_and_a_quirk_are_found() -> None:
    citations = list_citations()

    assert Citation("BROKER-22", "rule", "core", "Dequeue", "rules.md#core-dequeue") in citations
    assert (
        Citation(
            "PLAN-54",
            "property",
            "core",
            "no_node_is_oversubscribed",
            "properties.md#core-no-node-is-oversubscribed",
        )
        in citations
    )
    link = "../concepts/lifecycles.md#evaluation-the-five-statuses"
    assert Citation("EVAL-37", "lifecycle", "evaluation", "evaluation", link) in citations
    link = "../concepts/cluster-properties.md"
    name = "snapshot_of_eval_is_older_than_its_entry"
    assert Citation("OBJ-183", "property", "cluster", name, link) in citations
    assert Citation("02/S5", "quirk", "02/S5", "02/S5", "quirks.md#quirk-02-s5") in citations


def test_no_citation_is_listed_twice() -> None:
    citations = list_citations()

    assert len(set(citations)) == len(citations)


def test_anchors_are_plain() -> None:
    assert "of-2pc-managers-agree" == anchor("2pc", "managers_agree")


def test_all_models_are_asked() -> None:
    assert ["core", "2pc"] == [model.name for model in list_models()][:2]


@pytest.mark.parametrize(
    ("spec_id", "citing"),
    {
        "REC-01": set(),
        "EVAL-16": {"UseUpAttempts"},
        "GENERIC-14": set(),
        "PLAN-50": set(),
        "PLAN-52": set(),
        "SYSTEM-01": set(),
        "NODE-01": set(),
        "OBJ-211": set(),
        "OBJ-231": set(),
        "FSM-29": set(),
        "ALLOC-04": set(),
        "JOB-09": {"RegisterAgain", "numbers_only_grow"},
        "REC-04": {"scheduler_ends_deployment_for_a_reason"},
        "BROKER-06": {
            "EndWait",
            "nothing_is_pending_for_a_free_job",
            "an_eval_is_pending_for_its_job",
            "place_follows_its_table",
        },
    }.items(),
)
def test_what_a_rule_does_not_say_is_not_cited_for(spec_id: str, citing: set[str]) -> None:
    """REC-01 says that the reconciler is a function, PLAN-50 that an order is free, NODE-01 what goes in."""
    assert citing == {one.name for one in list_citations() if one.spec_id == spec_id and _is_of_a_model(one)}


_ELSEWHERE = {"cluster", "resources"}
"""Owners of properties that are of no model."""


def _is_of_a_model(citation: Citation) -> bool:
    return citation.kind in {"rule", "property"} and citation.owner not in _ELSEWHERE
