"""What the server has doubts about in a job that it takes."""

from collections.abc import Iterator

from nomadspec.model.cluster.admission.complaint import Complaint, collect, complain, complain_where
from nomadspec.model.cluster.admission.surroundings import Surroundings
from nomadspec.model.cluster.entities import Job, Task, TaskGroup


def list_warnings(job: Job, surroundings: Surroundings) -> tuple[Complaint, ...]:
    """List what is doubtful about a job.

    Spec: OBJ-070, OBJ-140.
    """
    return (
        *(warning for group in job.task_groups for warning in _warn_of_group(group)),
        *_warn_of_promotion(job),
        *_warn_of_periodic(job),
        *(warning for group in job.task_groups for warning in _warn_of_shutdown(group)),
        *_warn_of_memory(job, surroundings),
    )


def _warn_of_group(group: TaskGroup) -> Iterator[Complaint]:
    return collect(f'Group "{group.name}" has warnings: ', _list_doubts_about_group(group))


def _list_doubts_about_group(group: TaskGroup) -> Iterator[Complaint]:
    yield from complain_where(
        (
            group.max_client_disconnect_ns is not None,
            "MaxClientDisconnect is deprecated and ignored in favor of Disconnect.LostAfter",
        ),
        (
            group.stop_after_client_disconnect_ns is not None,
            "StopAfterClientDisconnect is deprecated and ignored favor of Disconnect.StopOnClientAfter",
        ),
        (
            group.prevent_reschedule_on_lost,
            "PreventRescheduleOnLost is deprecated and ignored in favor of Disconnect.Replace",
        ),
        *(
            (
                network.mbits > 0,
                "mbits has been deprecated as of Nomad 0.12.0. Please remove mbits from the network block",
            )
            for network in group.networks
        ),
    )
    for task in group.tasks:
        yield from collect(f'Task "{task.name}" has warnings: ', _list_doubts_about_task(task))


def _list_doubts_about_task(task: Task) -> Iterator[Complaint]:
    for identity in task.identities:
        if identity.ttl_ns == 0:
            text = f"Identity[{identity.name}] identities without an expiration are insecure"
            yield from collect("", (complain(text),))


def _warn_of_promotion(job: Job) -> Iterator[Complaint]:
    promoting = {group.update.auto_promote for group in job.task_groups if group.update is not None}
    if len(promoting) > 1:
        yield complain("auto_promote must be true for all groups to enable automatic promotion")


def _warn_of_periodic(job: Job) -> Iterator[Complaint]:
    if job.periodic is not None and job.periodic.spec:
        yield complain("cron is deprecated and may be removed in a future release. Use crons instead")


def _warn_of_shutdown(group: TaskGroup) -> Iterator[Complaint]:
    delays = (group.shutdown_delay_ns, *(task.shutdown_delay_ns for task in group.tasks))
    if group.services and not any(delays):
        yield complain(
            f'group "{group.name}" defines services, but neither the group nor any of its tasks have '
            "shutdown_delay set"
        )


def _warn_of_memory(job: Job, surroundings: Surroundings) -> Iterator[Complaint]:
    if surroundings.is_memory_oversubscription_enabled:
        return
    for group in job.task_groups:
        for task in group.tasks:
            if task.resources is not None and task.resources.memory_max_mb not in {
                0,
                task.resources.memory_mb,
            }:
                yield complain(
                    f'Memory oversubscription is not enabled; Task "{group.name}.{task.name}" memory_max '
                    "value will be ignored. Update the Scheduler Configuration to allow oversubscription."
                )
