from nomadspec.checkers.mutants.left_out import LeftOut
from nomadspec.checkers.mutants.mutant import Mutant
from nomadspec.checkers.mutants.scene import Scene, make_scene
from tests.checkers.mutants.jar import JAR, mutant_of, search_of

PLAIN = LeftOut(make_scene(JAR, search_of()))


def find_overlooked(left_out: LeftOut, mutant: Mutant) -> str | None:
    (name,) = mutant.part.properties
    return left_out.find_overlooked(mutant, JAR.find_property(name))


def test_a_rule_is_named_without_which_only_the_mutant_is_reached() -> None:
    shut = mutant_of("the_lid_is_shut", "comparison turned")

    assert "Fill that never happens" == find_overlooked(PLAIN, shut)
    assert "Fill that never happens" == find_overlooked(
        PLAIN, mutant_of("all_are_happy", "property made true")
    )


def test_a_mutant_that_is_missed_with_the_property_overlooks_nothing() -> None:
    assert find_overlooked(PLAIN, mutant_of("all_are_happy", "quantifier turned")) is None


def test_worlds_that_differ_by_names_are_one() -> None:
    reduced: Scene = make_scene(JAR, search_of("two", "symmetry"))
    made_true = mutant_of("all_are_happy", "property made true")

    assert reduced.distinct < len(make_scene(JAR, search_of()).worlds)
    assert find_overlooked(PLAIN, made_true) == find_overlooked(LeftOut(reduced), made_true)
