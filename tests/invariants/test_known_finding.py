"""What a finding says of itself."""

from dataclasses import replace

from nomadspec.invariants.known_finding import SEVERITIES, Lasting, Loss, Severity
from nomadspec.model.specification.quirks import PHANTOM_EFFECTS
from tests.checkers.findings import KNOWN


def test_the_cure_is_a_profile_of_the_release() -> None:
    assert "nomad-2.0 -X-03" == KNOWN.cured_profile


def test_what_leads_to_the_same_is_mended_as_well() -> None:
    both = replace(KNOWN, beside=(PHANTOM_EFFECTS,))

    assert "nomad-2.0 -X-03 -X-10" == both.cured_profile


def test_who_is_hit_is_told_in_a_few_words() -> None:
    assert "every manager" == KNOWN.impact.who


def test_how_severe_something_is_follows_from_what_is_lost_for_how_long() -> None:
    assert Severity.CRITICAL is KNOWN.impact.severity
    assert {(loss, lasting) for loss in Loss for lasting in Lasting} == set(SEVERITIES)
    for loss in Loss:
        ranks = [SEVERITIES[loss, lasting].rank for lasting in Lasting]
        assert sorted(ranks) == ranks
    for lasting in Lasting:
        ranks = [SEVERITIES[loss, lasting].rank for loss in Loss]
        assert sorted(ranks) == ranks
