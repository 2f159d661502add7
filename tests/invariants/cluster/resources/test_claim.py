"""Claims and their parts."""

from nomadspec.invariants.cluster.resources.claim import Part, part
from nomadspec.invariants.cluster.resources.draw import GivenValues
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0


def test_a_part_is_told_the_profile() -> None:
    plain = part("p", lambda draw: draw.number("n") == 0)
    asking = Part("p", lambda _draw, profile: profile is INTENDED)

    assert plain.state(GivenValues(), INTENDED)
    assert asking.state(GivenValues(), INTENDED)
    assert not asking.state(GivenValues(), NOMAD_2_0)
