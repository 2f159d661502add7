"""The log: what each committed entry does to the index that the applier's snapshot is measured by."""

from nomadspec.model.domain import Id
from nomadspec.model.kernel.state import Kernel, Lead
from nomadspec.model.logic import ite


def note_entry(s: Kernel, t: Kernel) -> None:
    """An entry was committed: the store's index moves on, and the applier's snapshot does not."""
    t.awaits = False
    t.snap_lead = ite(s.snap_lead == Lead.AHEAD, Lead.EVEN, Lead.BEHIND)


def note_eval(s: Kernel, t: Kernel, job: Id) -> None:
    """An entry wrote an evaluation of the job: whoever takes one of them needs to have seen this."""
    note_entry(s, t)
    for follower in s.followers:
        t.old_usable[follower, job] = False
