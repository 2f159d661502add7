"""What is known to go wrong in the described release, found by exploring the kernel.

Findings are numbered for good: a number that is missing became a face of another finding with the same cause.
"""

from typing import Final

from nomadspec.invariants.kernel.findings.evals import ABOUT_EVALS
from nomadspec.invariants.kernel.findings.objects import ABOUT_OBJECTS
from nomadspec.invariants.kernel.findings.plans import ABOUT_PLANS

FINDINGS: Final = tuple(sorted((*ABOUT_PLANS, *ABOUT_EVALS, *ABOUT_OBJECTS), key=lambda finding: finding.id))
"""All of them, by their numbers."""
