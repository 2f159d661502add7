"""Rows of proofs for any number of objects."""

import pytest

from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.checkers.smt import prove
from nomadspec.checkers.smt.open_rows import do_keep, find_proved
from nomadspec.checkers.verdict import ProofResult
from nomadspec.invariants.catalogue import find_model
from tests.checkers.mutants.jar import JAR, mutant_of

CORE = find_model("core").at(profile="intended")
TWO = JAR.at("two", profile="intended")
PROVED = find_proved(TWO)


@pytest.mark.deep
def test_what_is_proved_is_what_prove_proves() -> None:
    names = {prop.name for prop in CORE.model.properties}
    proofs = prove(CORE, bmc_steps=0).proofs

    proved = {one.property for one in proofs if one.result is ProofResult.PROVED_UNBOUNDED}
    assert proved & names == names & find_proved(CORE)


def test_the_rules_as_they_are_keep_it() -> None:
    assert do_keep(TWO, ["Fill", "Take"], PROVED)


def test_a_mistake_loses_some_of_it() -> None:
    mutant = mutant_of("fill", "condition dropped", "s.sweets")
    with swapped(mutant.part.function, mutant.edit.definition):
        assert not do_keep(TWO, ["Fill"], PROVED)
        assert do_keep(TWO, ["Take"], PROVED)
