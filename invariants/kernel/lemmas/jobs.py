"""Lemmas about jobs."""

from nomadspec.model.kernel.ids import JobId
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import JobPhase
from nomadspec.model.language.logic import Flag, all_of, any_of, for_all, implies
from nomadspec.model.language.property import always


@always("GENERIC-57", "JOB-09", why="what needs more than its job asks for takes room of others", lemma=True)
def only_updated_jobs_ask_for_more(s: Kernel) -> Flag:
    """Instances need room beside the first unit only where versions are in-place updates."""
    return any_of(s.in_place_updates > 0, for_all(s.job_ask[j] == 0 for j in s.jobs))


@always(
    "JOB-07", "OBJ-048", why="a job that comes back begins with its first version", lemma=True, j=Kernel.jobs
)
def jobs_that_are_gone_have_no_version(s: Kernel, j: JobId) -> Flag:
    """A job that is not in the store has no version, and asks for nothing."""
    return implies(
        s.job_phase[j] == JobPhase.ABSENT,
        all_of(s.job_version[j] == 0, s.job_base[j] == 0, s.job_ask[j] == 0),
    )
