from nomadspec.checkers.mutants.left_out import LeftOut, StepsWithout, Without, list_mistakes
from nomadspec.checkers.mutants.mutant import Mutant
from nomadspec.checkers.mutants.scene import Scene, make_scene
from tests.checkers.mutants.jar import JAR, mutant_of, search_of

SCENE = make_scene(JAR, search_of())
PLAIN = SCENE.leave_out()


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
    assert find_overlooked(PLAIN, mutant_of("the_lid_is_shut", "quantifier turned")) is None


def test_a_rule_that_happens_for_some_only_is_a_mistake_too() -> None:
    found = find_overlooked(PLAIN, mutant_of("all_are_happy", "quantifier turned"))

    assert "Take that never happens with child child1" == found


def test_worlds_that_differ_by_names_are_one() -> None:
    reduced: Scene = make_scene(JAR, search_of("two", "symmetry"))
    made_true = mutant_of("all_are_happy", "property made true")

    assert reduced.distinct < SCENE.distinct
    assert find_overlooked(PLAIN, made_true) == find_overlooked(reduced.leave_out(), made_true)


def test_a_rule_is_named_without_which_a_path_goes_on_for_ever() -> None:
    made_true = mutant_of("each_is_happy_at_last", "property made true")

    assert "Fill that never happens" == find_overlooked(PLAIN, made_true)
    assert find_overlooked(make_scene(JAR, search_of("two", "symmetry")).leave_out(), made_true) is None


def test_an_argument_with_which_a_rule_never_happens_is_named_after_all_rules() -> None:
    found = list_mistakes(SCENE.task.bounded, set(range(len(SCENE.task.bounded.traced))), by_argument=True)

    assert [
        "Fill that never happens",
        "Take that never happens",
        "Take that never happens with child child1",
        "Take that never happens with child child2",
    ] == list(found)
    assert 2 == len(list_mistakes(SCENE.task.bounded, {0, 1}, by_argument=False))


def test_the_other_steps_are_left() -> None:
    first, bounded = SCENE.steps.initial[0], SCENE.task.bounded
    (fill, *_) = SCENE.steps.successors(first)

    assert [fill] == StepsWithout(SCENE.steps, frozenset()).successors(first)
    assert [] == StepsWithout(SCENE.steps, frozenset({fill[0]})).successors(first)
    assert SCENE.steps.initial == StepsWithout(SCENE.steps, frozenset()).initial
    assert [] == list(Without(bounded, frozenset({fill[0]})).successors(bounded.initial[0]))
    assert 1 == len(list(Without(bounded, frozenset()).successors(bounded.initial[0])))
