"""Small claims for the tests of the proofs, and all ways through a function."""

from collections.abc import Callable

from nomadspec.checkers.smt.question import Patience
from nomadspec.checkers.smt.resources.paths import PathSearch, Way
from nomadspec.checkers.smt.resources.proof import PartProof, prove_part
from nomadspec.invariants.cluster.resources.claim import Claim, part
from nomadspec.invariants.cluster.resources.draw import Draw
from nomadspec.model.language.logic import Value
from nomadspec.model.specification.profiles import INTENDED


def claim_of(*says: Callable[[Draw], Value], is_unbounded: bool = True) -> Claim:
    """Make a claim of statements."""
    parts = tuple(part(f"part {number}", say) for number, say in enumerate(says, 1))
    return Claim("toy", "toys", "for the test", ("PLAN-54",), "any toys", parts, is_unbounded)


def prove_statement(say: Callable[[Draw], Value], seconds: float | None = None) -> PartProof:
    """Prove one statement."""
    claim = claim_of(say)
    return prove_part(claim, claim.parts[0], INTENDED, Patience(seconds, 2.0))


def list_ways(say: Callable[[Draw], Value]) -> tuple[PathSearch, list[Way]]:
    """List all ways through a statement."""
    search = PathSearch(Patience(None, 2.0))
    return search, list(search.list_ways(say))
