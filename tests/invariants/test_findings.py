"""What a finding says of itself."""

from dataclasses import replace

from nomadspec.model.quirks import PHANTOM_EFFECTS
from tests.checkers.findings import KNOWN


def test_the_cure_is_a_profile_of_the_release() -> None:
    assert "nomad-2.0 -X-03" == KNOWN.cured_profile


def test_what_leads_to_the_same_is_mended_as_well() -> None:
    both = replace(KNOWN, beside=(PHANTOM_EFFECTS,))

    assert "nomad-2.0 -X-03 -X-10" == both.cured_profile
