"""What a finding says of itself."""

from tests.checkers.findings import KNOWN


def test_the_cure_is_a_profile_of_the_release() -> None:
    assert "nomad-2.0 -X-03" == KNOWN.cured_profile
