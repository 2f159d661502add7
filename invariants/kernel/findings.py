"""What is known to go wrong in the described release, found by exploring the kernel."""

from typing import Final

from nomadspec.invariants.findings import KnownFinding

FINDINGS: Final[tuple[KnownFinding, ...]] = ()
