from dataclasses import replace

from nomadspec.checkers.mutants.large import LargeScene
from nomadspec.checkers.mutants.scene import MOST_WORLDS, Scene
from nomadspec.checkers.mutants.searching import (
    compare_in,
    find_left_out_in,
    find_overlooked_in,
    make_any_scene,
)
from tests.checkers.mutants.jar import JAR, mutant_of, search_of

TWO = make_any_scene(JAR, search_of())
ROBBING = mutant_of("take", "effect left out", "t.lid")
HARMLESS = mutant_of("fill", "effect left out", "labelled")


def test_a_search_with_many_worlds_is_not_kept() -> None:
    many = replace(search_of(), distinct=MOST_WORLDS + 1)

    assert isinstance(TWO, Scene)
    assert isinstance(make_any_scene(JAR, many), LargeScene)


def test_a_mutant_is_in_force_while_it_is_searched() -> None:
    assert "nobody_is_robbed" in compare_in(TWO, ROBBING).names
    assert frozenset() == compare_in(TWO, HARMLESS).names


def test_a_property_overlooks_what_it_does_not_notice_as_soon() -> None:
    made_true = mutant_of("nobody_is_robbed", "property made true")
    turned = mutant_of("nobody_is_robbed", "comparison turned", "s.lid")

    assert ROBBING.name == find_overlooked_in(TWO, made_true, [ROBBING])
    assert find_overlooked_in(TWO, made_true, []) is None
    assert ROBBING.name == find_overlooked_in(TWO, turned, [ROBBING])


def test_rules_are_left_out_where_all_steps_are_known() -> None:
    made_true = mutant_of("all_are_happy", "property made true")
    large = make_any_scene(JAR, replace(search_of(), distinct=MOST_WORLDS + 1))

    assert "Fill that never happens" == find_left_out_in(TWO, made_true)
    assert find_left_out_in(large, made_true) is None
    assert find_left_out_in(TWO, mutant_of("joy_lasts", "property made true")) is None
