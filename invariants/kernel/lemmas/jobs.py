"""Lemmas about jobs."""

from nomadspec.model.kernel.state import Kernel
from nomadspec.model.language.logic import Value, any_of, for_all
from nomadspec.model.language.property import always


@always("GENERIC-57", "JOB-09", why="what grows without being asked to takes the room of others", lemma=True)
def only_updated_jobs_ask_for_more(s: Kernel) -> Value:
    """Instances need room beside the first unit only where versions are taken over in place."""
    return any_of(s.in_place_updates > 0, for_all(s.job_ask[j] == 0 for j in s.jobs))
