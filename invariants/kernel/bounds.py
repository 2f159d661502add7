"""Where a scope ends, and what comes true at last need not come true any more."""

from nomadspec.model.kernel.kernel import is_out_of_records
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.logic import (
    Value,
    all_of,
    any_of,
)


def is_cut_short(s: Kernel) -> Value:
    """True while the scope ends here, or that an operator pauses the broker or may have deleted something."""
    return any_of(is_out_of_records(s), s.paused, all_of(s.pauses_made > 0, s.gc_deletions_made > 0))
