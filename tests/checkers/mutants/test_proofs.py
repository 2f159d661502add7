from nomadspec.checkers.mutants.mutant import list_mutants
from nomadspec.checkers.mutants.proofs import are_cheap, list_lost, prove_all
from nomadspec.checkers.mutants.swapping import swapped
from nomadspec.checkers.verdict import ProofResult
from nomadspec.invariants.catalogue import find_model


def test_a_mutant_loses_a_proof() -> None:
    model = find_model("2pc")
    usual = prove_all(model)
    mutant = next(
        one
        for one in list_mutants(model, ["ObeyCommit"])
        if one.edit.kind == "condition dropped" and one.edit.before == "s.commit_sent"
    )
    with swapped(mutant.part.function, mutant.edit.definition):
        lost = list_lost(usual, prove_all(model))

    assert {ProofResult.PROVED_UNBOUNDED} == set(usual.values())
    assert "committed_was_told" in lost


def test_an_answer_that_ran_out_of_time_says_nothing() -> None:
    usual = {"a": ProofResult.PROVED_UNBOUNDED, "b": ProofResult.UNKNOWN}
    found = {"a": ProofResult.UNKNOWN, "b": ProofResult.COUNTEREXAMPLE}

    assert [] == list_lost(usual, found)


def test_the_proofs_of_a_large_model_are_not_asked() -> None:
    assert are_cheap(find_model("core"))
    assert not are_cheap(find_model("kernel"))
