"""The part of the page of properties that is about functions: the claims, and the faults that break each."""

from nomadspec.checkers.reference.citations import anchor
from nomadspec.checkers.reference.markdown import begin, code, heading, items, table, titled
from nomadspec.checkers.smt.resources.faults import FAULTS
from nomadspec.invariants.catalogue import RESOURCES
from nomadspec.invariants.cluster.resources.claim import Claim
from nomadspec.invariants.cluster.resources.claims import ABOUT, CLAIMS

_HOW = "[How they are proved](../how-to/prove-resources.md) is a page of its own."


def compute_claims_part() -> str:
    """Write all claims: an overview, then each."""
    listed = [
        (f"[{claim.name}](#{anchor(RESOURCES, claim.name)})", claim.dimension, begin(claim.why))
        for claim in CLAIMS
    ]
    return "\n\n".join(
        [
            heading(2, code(RESOURCES), anchor("properties", RESOURCES)),
            f"{begin(ABOUT)}. {_HOW}",
            table(["claim", "about", "why"], listed),
            *map(_describe, CLAIMS),
        ]
    )


def _describe(claim: Claim) -> str:
    facts = [
        f"**Kind** claim about {claim.dimension}.",
        f"**Why:** {begin(claim.why)}",
        f"**Proved for** {claim.scope}.",
        f"**Formalises** {titled(claim.spec)}.",
        f"**Parts** {'; '.join(part.name for part in claim.parts)}.",
    ]
    faults = [
        (code(fault.function.__qualname__), code(fault.old), code(fault.new) if fault.new else "nothing")
        for fault in FAULTS
        if fault.breaks == claim.name
    ]
    return "\n\n".join(
        [
            heading(3, claim.name, anchor(RESOURCES, claim.name)),
            items(facts),
            "It breaks when one of these functions is changed:",
            table(["function", "what stands there", "what stands there instead"], faults),
        ]
    )
