"""What the solver proves of a model, and what it no longer proves of a mutant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.checkers.smt import prove
from nomadspec.checkers.verdict import ProofResult
from nomadspec.model.profile import INTENDED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomadspec.model.model import Model

MOST_PROPERTIES: Final = 60
"""The proofs of a model with more take minutes, too long for each mutant."""

_REFUTED: Final = frozenset({ProofResult.NOT_INDUCTIVE, ProofResult.COUNTEREXAMPLE})
_PROVED: Final = frozenset({ProofResult.PROVED_UNBOUNDED, ProofResult.PROVED_BOUNDED})

Results = dict[str, ProofResult]
"""How the proof of each property ended."""


def are_cheap(model: Model) -> bool:
    """Tell whether the proofs of a model can be asked of each mutant."""
    return len(model.properties) <= MOST_PROPERTIES


def prove_all(model: Model) -> Results:
    """Prove what can be proved of a model as it is intended, without a search for stories."""
    report = prove(model.at(profile=INTENDED.name), bmc_steps=0)
    return {proof.property: proof.result for proof in report.proofs}


def list_lost(usual: Mapping[str, ProofResult], found: Mapping[str, ProofResult]) -> list[str]:
    """List what was proved and is broken by a step now, or is only proved within the scope.

    An answer that ran out of time says nothing.
    """
    return [name for name, result in found.items() if _is_lost(usual[name], result)]


def _is_lost(usual: ProofResult, found: ProofResult) -> bool:
    is_bounded = usual is ProofResult.PROVED_UNBOUNDED and found is ProofResult.PROVED_BOUNDED
    return usual in _PROVED and (found in _REFUTED or is_bounded)
