"""All claims about resources by name."""

from __future__ import annotations

from typing import Final

from nomadspec.invariants.catalogue import RESOURCES
from nomadspec.invariants.cluster.resources.amounts import AMOUNT_CLAIMS
from nomadspec.invariants.cluster.resources.check import CHECK_CLAIMS
from nomadspec.invariants.cluster.resources.claim import Claim
from nomadspec.invariants.cluster.resources.cores import CORE_CLAIMS
from nomadspec.invariants.cluster.resources.devices import DEVICE_CLAIMS
from nomadspec.invariants.cluster.resources.members import MEMBER_CLAIMS
from nomadspec.invariants.cluster.resources.offers import OFFER_CLAIMS
from nomadspec.invariants.cluster.resources.ports import PORT_CLAIMS
from nomadspec.model.errors import UnknownNameError
from nomadspec.model.specification.profiles import Profile

ABOUT: Final = "which sets of allocations a node can take: claims about the functions that decide it"

CLAIMS: Final = (
    *AMOUNT_CLAIMS,
    *CORE_CLAIMS,
    *PORT_CLAIMS,
    *DEVICE_CLAIMS,
    *MEMBER_CLAIMS,
    *CHECK_CLAIMS,
    *OFFER_CLAIMS,
)


def list_broken(profile: Profile) -> tuple[str, ...]:
    """List the claims that who has the quirks of a profile breaks."""
    return tuple(claim.name for claim in CLAIMS if claim.quirk is not None and profile.has(claim.quirk))


def find_claim(name: str) -> Claim:
    """Find a claim by its name."""
    found = {claim.name: claim for claim in CLAIMS}
    if name not in found:
        raise UnknownNameError(f"property of {RESOURCES}", name, found)
    return found[name]
