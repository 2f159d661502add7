"""Judges what becomes of deployments: by the watcher of the leader, and by what operators ask it for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from nomadspec.checkers.oracle.compare import compare
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.new_evals import read_new, show_new
from nomadspec.checkers.oracle.plain_json import write_plain
from nomadspec.model.cluster.components.deployment_calls import FAILED_BY_USER, PAUSED, RUNNING
from nomadspec.model.cluster.components.deployment_revert import Revert, choose_revert
from nomadspec.model.cluster.components.deployment_watch import (
    Watcher,
    compute_cutoff_ns,
    list_late_groups,
    look_at_allocs,
    wants_late_rollback,
)
from nomadspec.model.cluster.components.deployment_watcher import (
    FAILED_DEADLINE,
    FAILED_HEALTH,
    make_watcher_eval,
)
from nomadspec.model.cluster.entities import Deployment, DeploymentStatus, Evaluation, Job, Trigger
from nomadspec.model.cluster.entities.deployment import is_terminal
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import (
    AllocUpdateDesiredTransition,
    DeploymentAllocHealth,
    DeploymentPromote,
    DeploymentUpdateStatus,
)
from nomadspec.model.specification.profiles import Profile

Registered = Mapping[tuple[str, str], Sequence[Job]]
"""All versions of jobs so far, by namespace and ID."""


class Turn(NamedTuple):
    """What a deployment may be given: a status, in words, and the version that its job goes back to."""

    status: str
    description: str
    version: int | None = None


class Sight(NamedTuple):
    """A deployment in some state, and a job that its watcher may know."""

    state: State
    deployment: Deployment
    job: Job


def compare_status(
    request: DeploymentUpdateStatus,
    recent: Sequence[State],
    path: str,
    registered: Registered,
    profile: Profile,
) -> Iterator[Difference]:
    """Compare the status that a deployment is given, and the job that is restored with it.

    Spec: DEP-32, DEP-42, DEP-43, DEP-48, DEP-49, DEP-51, DEP-60.
    """
    update = request.deployment_update
    if update is None:
        return
    sights = list(_list_sights(recent, update.deployment_id, registered))
    now_ns = update.updated_at_ns
    turns = {turn for sight in sights for turn in _list_turns(sight, now_ns, profile)}
    version = request.job.version if request.job else None
    recorded = Turn(update.status, update.status_description, version)
    if recorded not in turns:
        yield from _tell_nearest(recorded, turns, path)
    yield from _compare_restored(request.job, sights, path)
    if recorded.status == DeploymentStatus.PAUSED:
        if request.eval is not None:
            yield Difference(f"{path}.Eval", request.eval.id, ABSENT, "DEP-48")
        return
    yield from _compare_eval(request.eval, sights, path)


def compare_promotion(
    request: DeploymentPromote, recent: Sequence[State], path: str, registered: Registered
) -> Iterator[Difference]:
    """Compare the evaluation of a promotion with the deployment that is promoted, once or again.

    Spec: DEP-34, DEP-40, DEP-45, DEP-50.
    """
    yield from _compare_eval(
        request.eval, list(_list_sights(recent, request.deployment_id, registered)), path
    )


def compare_health(
    request: DeploymentAllocHealth, recent: Sequence[State], path: str, registered: Registered
) -> Iterator[Difference]:
    """Compare what comes of health that somebody set: an unhealthy allocation fails its deployment.

    Spec: DEP-52, DEP-60.
    """
    sights = list(_list_sights(recent, request.deployment_id, registered))
    update = request.deployment_update
    recorded = None
    if update is not None:
        recorded = Turn(
            update.status, update.status_description, request.job.version if request.job else None
        )
    turns = {_turn_by_health(sight, request.unhealthy_allocation_ids) for sight in sights}
    if sights and recorded not in turns:
        shown = sorted(filter(None, turns), key=str)
        yield Difference(f"{path}.DeploymentUpdate", recorded, shown, "DEP-52")
    yield from _compare_restored(request.job, sights, path)
    yield from _compare_eval(request.eval, sights, path)


def compare_batch(
    request: AllocUpdateDesiredTransition, recent: Sequence[State], path: str, registered: Registered
) -> Iterator[Difference]:
    """Compare whom the watchers let be replaced, and for whom they ask, with what they see.

    Spec: DEP-33, DEP-37, DEP-38.
    """
    for entry in request.evals:
        yield from _compare_eval(entry, list(_list_sights(recent, entry.deployment_id, registered)), path)
    for alloc_id, told in request.allocs.items():
        asked = (told.reschedule, told.migrate, told.force_reschedule) if told else None
        if not any(_is_replaceable(state, alloc_id) for state in recent):
            yield Difference(f"{path}.Allocs.{alloc_id}", asked, ABSENT, "DEP-33")
        elif asked != (True, None, None):
            yield Difference(f"{path}.Allocs.{alloc_id}", asked, (True, None, None), "DEP-38")


def is_of_watchers(evals: Iterable[Evaluation]) -> bool:
    """True if a transition was asked for by the watchers of deployments."""
    return any(each.triggered_by == Trigger.DEPLOYMENT_WATCHER for each in evals)


# --- inside ---


def _list_sights(recent: Sequence[State], deployment_id: str, registered: Registered) -> Iterator[Sight]:
    """List what a watcher may see: the deployment that it tracks may be older than the allocations.

    Spec: DEP-32, DEP-33.
    """
    known = {
        id(found): found for state in recent if (found := state.find_deployment(deployment_id)) is not None
    }
    for state in recent:
        for deployment in known.values():
            for job in _list_jobs(state, deployment, registered):
                yield Sight(state, deployment, job)


def _list_jobs(state: State, deployment: Deployment, registered: Registered) -> Iterator[Job]:
    """List the jobs that the watcher may know: that of the deployment, and whatever came since.

    It keeps the one that it began with, although the store forgets all but the newest versions. That may be
    a version before that of the deployment, once it was called stable.

    Spec: DEP-31, DEP-63, OBJ-041.
    """
    key = deployment.namespace, deployment.job_id
    records = registered.get(key, ())
    written = [job.modify_index for job in records]
    first = max((index for index in written if index < deployment.create_index), default=0)
    versions = state.list_job_versions(*key)
    least = min((job.version for job in versions), default=0)
    yield from (job for job in versions if job.version >= deployment.job_version)
    yield from (job for job in records if deployment.job_version <= job.version < least)
    yield from (job for job in records if job.version < deployment.job_version and job.modify_index >= first)


def _list_turns(sight: Sight, now_ns: int, profile: Profile) -> Iterator[Turn]:
    state, deployment, job = sight
    if is_terminal(deployment):
        return
    yield Turn(DeploymentStatus.PAUSED, PAUSED)
    yield Turn(DeploymentStatus.RUNNING, RUNNING)
    groups = deployment.task_groups.values()
    wants_rollback = any(group is not None and group.auto_revert for group in groups)
    yield _fail(state, job, FAILED_BY_USER, wants_rollback=wants_rollback)
    found = look_at_allocs(state, Watcher(deployment_id=deployment.id, job=job), deployment, now_ns)
    if found.has_failed:
        for words in (
            (FAILED_HEALTH, FAILED_DEADLINE) if _may_be_spent(deployment, now_ns) else (FAILED_HEALTH,)
        ):
            yield _fail(state, job, words, wants_rollback=found.wants_rollback)
    late = list_late_groups(state, deployment, profile=profile)
    if late and 0 < compute_cutoff_ns(state, deployment) <= now_ns:
        yield _fail(state, job, FAILED_DEADLINE, wants_rollback=wants_late_rollback(job, late))


def _may_be_spent(deployment: Deployment, now_ns: int) -> bool:
    """True if the timer of a deployment's deadline may have run out once, if only to be set anew.

    Spec: DEP-26, DEP-41, DEP-42.
    """
    groups = filter(None, deployment.task_groups.values())
    deadlines = [group.progress_deadline_ns for group in groups if group.progress_deadline_ns]
    return bool(deadlines) and deployment.create_time_ns + min(deadlines) <= now_ns + NS_PER_S


def _fail(state: State, job: Job, words: str, *, wants_rollback: bool) -> Turn:
    revert = choose_revert(state, job, words) if wants_rollback else Revert(words)
    return Turn(DeploymentStatus.FAILED, revert.description, revert.target.version if revert.target else None)


def _turn_by_health(sight: Sight, unhealthy: Sequence[str]) -> Turn | None:
    if not unhealthy:
        return None
    state, deployment, job = sight
    found = [alloc for alloc_id in unhealthy if (alloc := state.find_alloc(alloc_id)) is not None]
    groups = [deployment.task_groups.get(alloc.task_group) for alloc in found]
    revert = Revert(FAILED_HEALTH)
    if any(group is not None and group.auto_revert for group in groups):
        revert = choose_revert(state, job, FAILED_HEALTH, says_no_target=False)
    return Turn(DeploymentStatus.FAILED, revert.description, revert.target.version if revert.target else None)


def _tell_nearest(recorded: Turn, turns: Iterable[Turn], path: str) -> Iterator[Difference]:
    alike = sorted(turn for turn in turns if turn.status == recorded.status and turn.version is not None)
    alike += sorted(turn for turn in turns if turn.status == recorded.status and turn.version is None)
    same = [turn for turn in alike if turn.description == recorded.description]
    if same:
        yield Difference(f"{path}.Job.Version", recorded.version, same[0].version, "DEP-60")
        return
    model = [turn.description for turn in alike] or ABSENT
    place = f"{path}.DeploymentUpdate.StatusDescription"
    yield Difference(place, recorded.description, model, "DEP-43")


def _compare_restored(job: Job | None, sights: Sequence[Sight], path: str) -> Iterator[Difference]:
    """Compare the job that is registered again with the stored version that it is.

    Spec: DEP-61.
    """
    if job is None:
        return
    key = job.namespace, job.id
    stored = [each for sight in sights for each in sight.state.list_job_versions(*key)]
    versions = {id(each): each for each in stored if each.version == job.version}
    models = list(map(write_plain, versions.values()))
    recorded = write_plain(job)
    if models and recorded not in models:
        yield from compare(recorded, models[0], f"{path}.Job", (("", "DEP-61"),))


def _compare_eval(entry: Evaluation | None, sights: Sequence[Sight], path: str) -> Iterator[Difference]:
    pairs = {(id(sight.deployment), id(sight.job)): sight for sight in sights}
    models = [read_new(make_watcher_eval(each.deployment, each.job, "", 0)) for each in pairs.values()]
    recorded = read_new(entry) if entry else None
    if entry is not None and not models:
        yield Difference(f"{path}.Eval.DeploymentID", entry.deployment_id, ABSENT, "DEP-40")
    elif models and recorded not in models:
        shown = show_new([recorded]) if recorded else ABSENT
        yield Difference(f"{path}.Eval", shown, show_new(models[:1]), "DEP-40")


def _is_replaceable(state: State, alloc_id: str) -> bool:
    alloc = state.find_alloc(alloc_id)
    deployment = state.find_deployment(alloc.deployment_id) if alloc else None
    if alloc is None or deployment is None or is_terminal(deployment):
        return False
    told = alloc.deployment_status
    return told is not None and told.healthy is False
