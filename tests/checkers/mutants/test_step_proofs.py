from nomadspec.checkers.mutants.difference import Difference, Effect
from nomadspec.checkers.mutants.mutant import list_mutants
from nomadspec.checkers.mutants.stages import list_stages
from nomadspec.checkers.mutants.step_proofs import Stage
from tests.checkers.mutants.jar import JAR, mutant_of

SIZES = list_stages(JAR)["proofs"]
STAGE = Stage(JAR, SIZES)
RULES = [one for one in list_mutants(JAR) if not one.part.is_property]


def test_a_step_that_loses_what_is_proved_is_noticed() -> None:
    found = STAGE.compare(mutant_of("take", "effect left out", "t.lid"))

    assert frozenset({"nobody_is_robbed"}) == found.names


def test_a_hole_in_the_properties_lets_a_mutant_pass() -> None:
    assert Difference(Effect.NONE) == STAGE.compare(mutant_of("fill", "effect left out", "labelled"))


def test_a_property_that_is_not_proved_any_more_is_noticed() -> None:
    found = STAGE.compare(mutant_of("nobody_is_robbed", "comparison turned", "s.sweets == 0"))

    assert frozenset({"nobody_is_robbed"}) == found.names


def test_a_property_that_no_solver_is_asked_about_is_left_alone() -> None:
    assert Difference(Effect.NONE) == STAGE.compare(mutant_of("all_are_happy", "quantifier turned"))
    assert STAGE.find_overlooked(mutant_of("all_are_happy", "quantifier turned"), RULES) is None


def test_a_property_made_true_overlooks_what_the_property_notices() -> None:
    overlooked = STAGE.find_overlooked(mutant_of("nobody_is_robbed", "property made true"), RULES)
    noticed = [one for one in RULES if STAGE.compare(one).names]

    assert overlooked in {one.name for one in noticed}


def test_a_property_of_another_text_lets_a_step_pass_that_the_property_refuses() -> None:
    turned = mutant_of("nobody_is_robbed", "comparison turned", "s.lid")
    overlooked = next(one for one in RULES if one.name == STAGE.find_overlooked(turned, RULES))

    assert STAGE.find_overlooked(turned, []) is None
    assert STAGE.find_overlooked(turned, [overlooked]) == overlooked.name


def test_a_property_that_notices_no_mutant_of_a_rule_may_notice_a_slip() -> None:
    made_true = mutant_of("joy_lasts", "property made true")

    assert STAGE.find_overlooked(made_true, RULES) is None
    assert STAGE.find_slip(made_true) is not None


def test_no_slips_are_looked_for_where_nothing_is_proved() -> None:
    assert STAGE.find_slip(mutant_of("all_are_happy", "quantifier turned")) is None


def test_what_is_known_to_be_proved_is_not_proved_again() -> None:
    stage = Stage(JAR, SIZES, ["joy_lasts"])

    assert ["joy_lasts"] == list(stage.steps.proved)
    assert frozenset() == stage.compare(mutant_of("take", "effect left out", "t.lid")).names
