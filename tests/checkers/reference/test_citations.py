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


def test_what_a_rule_does_not_say_is_not_cited_for() -> None:
    """REC-01 says that the reconciler is a function, EVAL-16 what is not made, GENERIC-14 what is lost."""
    citing = {
        spec_id: {one.name for one in list_citations() if one.spec_id == spec_id and one.kind in _OF_MODELS}
        for spec_id in ("REC-01", "EVAL-16", "GENERIC-14")
    }

    assert {"REC-01": set(), "EVAL-16": {"UseUpAttempts"}, "GENERIC-14": set()} == citing


_OF_MODELS = {"rule", "property"}
