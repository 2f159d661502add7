"""The statuses of a job."""

import pytest

from nomadspec.model.lifecycle.job import JOB, JobStatus
from nomadspec.model.lifecycle.table import ABSENT, is_legal
from nomadspec.model.specification.profiles import INTENDED
from nomadspec.model.specification.quirks import FORCED_RUNNING


@pytest.mark.parametrize("source", [ABSENT, *JobStatus])
@pytest.mark.parametrize("target", JobStatus)
def test_a_derived_status_may_change_in_every_way(source: JobStatus | None, target: JobStatus) -> None:
    assert is_legal(JOB, source, target, INTENDED)


def test_a_stopped_system_job_runs_again_only_by_a_quirk() -> None:
    forced = [arrow for arrow in JOB.arrows if arrow.quirk is FORCED_RUNNING]

    assert [(arrow.source, arrow.target) for arrow in forced] == [(JobStatus.DEAD, JobStatus.RUNNING)]
