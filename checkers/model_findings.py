"""The known findings of the package's models, by ID and by model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomadspec.invariants.kernel.findings.catalogue import FINDINGS
from nomadspec.model.errors import UnknownNameError
from nomadspec.model.specification.profiles import find_profile

if TYPE_CHECKING:
    from nomadspec.invariants.known_finding import KnownFinding


def list_findings(model: str | None = None) -> tuple[KnownFinding, ...]:
    """List the known findings, of one model or of all."""
    return tuple(one for one in FINDINGS if model in {None, one.model})


def find_finding(name: str) -> KnownFinding:
    """Find a known finding by its ID."""
    for one in FINDINGS:
        if one.id == name:
            return one
    raise UnknownNameError("finding", name, (one.id for one in FINDINGS))


def name_known(model: str, profile: str) -> tuple[KnownFinding, ...]:
    """List the known findings that a profile must show: those whose quirk it has."""
    chosen = find_profile(profile)
    return tuple(one for one in list_findings(model) if chosen.has(one.cure))
