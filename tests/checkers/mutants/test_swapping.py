import pytest

from nomadspec.checkers.mutants.mutant import Mutant
from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.model.errors import ModelError
from tests.checkers.mutants.jar import JAR, has_sweets, mutant_of


def test_whoever_calls_a_function_runs_the_other_text_for_a_while() -> None:
    mutant = mutant_of("fill", "condition dropped", "s.sweets < s.room")
    full = (2, 0, False, False, False)
    usual = JAR.at("two")
    with swapped(mutant.part.function, mutant.edit.definition):
        altered = JAR.at("two")
        with pytest.raises(ModelError, match="leaves its domain"):
            altered.step(full, altered.instances[0])

    assert usual.step(full, usual.instances[0]) is None


def test_the_text_comes_back_after_an_error() -> None:
    kept = has_sweets.__code__
    mutant = mutant_of("has_sweets", "comparison turned")
    with pytest.raises(KeyError, match="anything"):
        fail_while_swapped(mutant)

    assert kept is has_sweets.__code__


def fail_while_swapped(mutant: Mutant) -> None:
    kept = has_sweets.__code__
    with swapped(mutant.part.function, mutant.edit.definition):
        assert kept is not has_sweets.__code__
        raise KeyError("anything")
