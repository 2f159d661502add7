from nomadspec.checkers.mutants.mutant import list_mutants
from nomadspec.checkers.mutants.witnesses import rank_witnesses
from tests.checkers.mutants.jar import JAR, mutant_of

RULES = [one for one in list_mutants(JAR) if not one.part.is_property]
CHOICE = mutant_of("take", "effect left out", "t.lid")
LABEL = mutant_of("fill", "effect left out", "labelled")
GUARD = mutant_of("take", "condition dropped", "has_sweets")


def test_what_a_property_speaks_of_comes_first() -> None:
    ranked = rank_witnesses(JAR, mutant_of("nobody_is_robbed", "property made true"), RULES)
    names = [one.name for one in ranked]

    assert {one.name for one in RULES} == set(names)
    assert names.index(CHOICE.name) < names.index(LABEL.name)


def test_what_is_called_counts_as_said() -> None:
    ranked = rank_witnesses(JAR, mutant_of("nobody_is_robbed", "property made true"), [LABEL, GUARD])

    assert [GUARD, LABEL] == ranked


def test_without_anything_in_common_the_order_stays() -> None:
    joy = mutant_of("joy_lasts", "property made true")

    assert [LABEL, CHOICE] == rank_witnesses(JAR, joy, [LABEL, CHOICE])
    assert [CHOICE, LABEL] == rank_witnesses(JAR, joy, [CHOICE, LABEL])
