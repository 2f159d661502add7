import pytest

from nomadspec.checkers.mutants.mutant import Judged, list_mutants, sample_mutants
from nomadspec.model.errors import UnknownNameError
from tests.checkers.mutants.jar import JAR, mutant_of

ALL = list_mutants(JAR)


def test_every_mutant_has_a_name_of_its_own() -> None:
    assert len(ALL) == len({one.name for one in ALL})
    assert [one.name for one in ALL] == [one.name for one in list_mutants(JAR)]


def test_mutants_of_a_rule_are_in_what_it_runs() -> None:
    assert {"take", "has_sweets"} == {one.part.name for one in list_mutants(JAR, ["Take"])}


def test_mutants_of_a_property_are_in_its_text() -> None:
    assert {"joy_lasts"} == {one.part.name for one in list_mutants(JAR, [], ["joy_lasts"])}
    assert {"fill", "joy_lasts"} == {one.part.name for one in list_mutants(JAR, ["Fill"], ["joy_lasts"])}


@pytest.mark.parametrize(("rules", "properties"), [(["Tak"], []), ([], ["joy"])])
def test_unknown_names_are_refused(rules: list[str], properties: list[str]) -> None:
    with pytest.raises(UnknownNameError):
        list_mutants(JAR, rules, properties)


def test_a_larger_sample_contains_the_smaller_one() -> None:
    small, large = sample_mutants(ALL, 5, 3), sample_mutants(ALL, 9, 3)

    assert (5, 9) == (len(small), len(large))
    assert {one.name for one in small} < {one.name for one in large}


def test_seeds_draw_different_samples() -> None:
    assert sample_mutants(ALL, 5, 1) != sample_mutants(ALL, 5, 2)


def test_a_mutant_is_undecided_at_first() -> None:
    mutant = mutant_of("fill", "off by one")

    assert ("undecided", "") == (Judged(mutant).fate, Judged(mutant).by)
