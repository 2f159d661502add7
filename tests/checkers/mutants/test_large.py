import pytest

from nomadspec.checkers.mutants.difference import Difference, Effect
from nomadspec.checkers.mutants.large import LargeScene
from nomadspec.checkers.mutants.mutant import Mutant, list_mutants
from nomadspec.checkers.mutants.scene import make_scene
from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.model.errors import ModelError
from nomadspec.model.language.model_promises import PROMISES
from tests.checkers.mutants.jar import JAR, mutant_of, search_of

LARGE, KEPT = LargeScene(search_of(), JAR), make_scene(JAR, search_of())


@pytest.mark.parametrize("mutant", list_mutants(JAR)[::3], ids=lambda one: one.name)
def test_a_large_search_finds_what_a_kept_one_finds(mutant: Mutant) -> None:
    with swapped(mutant.part.function, mutant.edit.definition):
        try:
            kept = KEPT.compare(mutant.part)
        except ModelError:
            assert LARGE.compare(mutant.part).names & PROMISES.keys()
            return
        large = LARGE.compare(mutant.part)

    assert kept.names == large.names
    assert (kept.effect is Effect.WORLDS) == (large.effect is Effect.WORLDS)


def test_what_changes_nothing_is_not_searched() -> None:
    assert Difference(Effect.NONE) == LARGE.compare(mutant_of("fill", "off by one").part)


def test_a_property_is_asked_about_a_mutant_of_a_rule() -> None:
    mutant = mutant_of("take", "effect left out", "t.lid")
    with swapped(mutant.part.function, mutant.edit.definition):
        assert 4 == LARGE.find_first(mutant.part, "nobody_is_robbed")
        assert LARGE.find_first(mutant.part, "joy_lasts") is None
