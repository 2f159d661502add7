"""Jobs: the writes that register, stop, purge, mark and tag them."""

from typing import Final

from msgspec.structs import replace

from nomadspec.model.entities import (
    Deployment,
    DesiredTransition,
    EvalStatus,
    Evaluation,
    Job,
    PeriodicLaunch,
)
from nomadspec.model.store.canonical import canonicalize_job
from nomadspec.model.store.deployment_writes import cancel_older_deployments, write_deployment
from nomadspec.model.store.draft import Draft
from nomadspec.model.store.evals import write_eval, write_evals
from nomadspec.model.store.handed import TrackPeriodic, UntrackPeriodic
from nomadspec.model.store.job_writes import carry_over, purge_job, stop_job, write_job, write_stability
from nomadspec.model.store.requests import (
    JobBatchDeregister,
    JobDeregister,
    JobRegister,
    JobStability,
    JobVersionTagging,
)
from nomadspec.model.store.run import RefusedError, Run
from nomadspec.model.store.tables import JOB_VERSIONS, PERIODIC_LAUNCHES
from nomadspec.model.store.transitions import ask_alloc
