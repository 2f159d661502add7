from nomadspec.checkers.usual_profile import USUAL_PROFILE, bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.specification.profiles import NOMAD_2_0, find_profile


def test_it_is_that_of_the_scope_else_that_of_the_release() -> None:
    two_phase = find_model("2pc")

    assert NOMAD_2_0.name == USUAL_PROFILE
    assert NOMAD_2_0 == bind_as_usual(two_phase).profile
    assert find_profile("X-03") == bind_as_usual(two_phase, "hasty").profile


def test_sizes_that_are_given_win() -> None:
    assert {"rms": 2} == bind_as_usual(find_model("2pc"), "hasty", sizes={"rms": 2}).sizes
