"""Who cites what."""

from nomadspec.checkers.reference.citations import Citation, anchor, list_citations, list_models


def test_a_rule_a_property_an_arrow_and_a_quirk_are_found() -> None:
    citations = list_citations()

    assert Citation("BROKER-22", "rule", "core", "Dequeue", "rules.md#core-dequeue") in citations
    assert (
        Citation(
            "PLAN-50",
            "property",
            "core",
            "no_node_is_oversubscribed",
            "properties.md#core-no-node-is-oversubscribed",
        )
        in citations
    )
    link = "../concepts/lifecycles.md#evaluation-the-five-statuses"
    assert Citation("EVAL-37", "lifecycle", "evaluation", "evaluation", link) in citations
    assert Citation("02/S5", "quirk", "02/S5", "02/S5", "quirks.md#quirk-02-s5") in citations


def test_no_citation_is_listed_twice() -> None:
    citations = list_citations()

    assert len(set(citations)) == len(citations)


def test_anchors_are_plain() -> None:
    assert "of-2pc-managers-agree" == anchor("2pc", "managers_agree")


def test_all_models_are_asked() -> None:
    assert ["core", "2pc"] == [model.name for model in list_models()][:2]
