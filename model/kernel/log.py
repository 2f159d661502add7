"""The log: what each committed entry does to the index that the applier's snapshot is measured by."""

from nomadspec.model.kernel.ids import JobId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import SnapshotIndex
from nomadspec.model.language.logic import ite


def note_entry(s: Kernel, t: Kernel) -> None:
    """An entry was committed: the store's index moves on, the applier's snapshot does not.

    The state that workers wait for after a rejection has come with it.
    """
    t.awaits = False
    t.snapshot.index = ite(s.snapshot.index == SnapshotIndex.AHEAD, SnapshotIndex.EVEN, SnapshotIndex.BEHIND)


def note_eval(s: Kernel, t: Kernel, job: JobId) -> None:
    """An entry wrote an evaluation of the job, or a plan of it.

    A server that is behind has to apply it before a worker may plan the job by it.
    """
    note_entry(s, t)
    for server in s.stale_servers:
        t.stale_usable[server, job] = False
