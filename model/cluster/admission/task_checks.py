"""Checks of a task and of what it brings along."""

import re
from collections.abc import Iterator
from posixpath import normpath
from typing import Final

from nomadspec.model.cluster.admission.complaint import (
    Complaint,
    collect,
    complain,
    complain_freely,
    complain_where,
    render_duration,
)
from nomadspec.model.cluster.admission.preferences import check_affinities, check_constraint
from nomadspec.model.cluster.admission.resource_checks import check_resources
from nomadspec.model.cluster.entities import (
    Action,
    Constraint,
    Hook,
    JobType,
    Lifecycle,
    LogConfig,
    Operand,
    Task,
    TaskArtifact,
    TaskGroup,
    Template,
    VolumeMount,
)

_CHANGE_MODES: Final = ("noop", "signal", "script", "restart")
_ACTION_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")
_FOR_GROUPS_ONLY: Final = frozenset({Operand.DISTINCT_HOSTS, Operand.DISTINCT_PROPERTY})
_ALLOC_LEVELS_ABOVE_TASK: Final = 1
"""A task's own directory lies this deep in that of its allocation."""


def check_task(task: Task, group: TaskGroup, job_type: str) -> Iterator[Complaint]:
    """Check a task.

    Spec: OBJ-012, OBJ-035, OBJ-120, OBJ-121.
    """
    yield from _check_identity(task)
    yield from _check_preferences(task, job_type)
    if task.log_config is None:
        yield complain("Missing Log Config")
    elif group.ephemeral_disk is not None:
        yield from collect("", _check_logs(task.log_config, group.ephemeral_disk.size_mb))
    if task.resources is not None:
        yield from collect("", check_resources(task.resources))
    if task.lifecycle is not None:
        yield from _check_lifecycle(task.lifecycle)
    yield from _check_kill_timeout(task, group, job_type)
    for number, artifact in enumerate(task.artifacts, 1):
        yield from collect(f"Artifact {number} validation failed: ", _check_artifact(artifact))
    for number, template in enumerate(task.templates, 1):
        yield from collect(f"Template {number} validation failed: ", _check_template(template))
    for action in task.actions:
        yield from collect(f"Action {action.name} validation failed: ", _check_action(action))
    for position, mount in enumerate(task.volume_mounts):
        yield from _check_mount(position, mount, group)


def _check_identity(task: Task) -> Iterator[Complaint]:
    yield from complain_where(
        (not task.name, "Missing task name"),
        ("/" in task.name or "\\" in task.name, "Task name cannot include slashes"),
        (not task.driver, "Missing task driver"),
    )
    if "\0" in task.name:
        yield complain_freely("a task's name may not hold a null character")


def _check_preferences(task: Task, job_type: str) -> Iterator[Complaint]:
    for number, constraint in enumerate(task.constraints, 1):
        yield from _check_task_constraint(number, constraint)
    if job_type != JobType.SYSTEM:
        yield from check_affinities(task.affinities)
    elif task.affinities:
        yield complain("System jobs may not have an affinity block")


def _check_task_constraint(number: int, constraint: Constraint) -> Iterator[Complaint]:
    if constraint.operand in _FOR_GROUPS_ONLY:
        yield complain(f"Constraint {number} has disallowed Operand at task level: {constraint.operand}")
    else:
        yield from collect(f"Constraint {number} validation failed: ", check_constraint(constraint))


def _check_logs(logs: LogConfig, disk_mb: int) -> Iterator[Complaint]:
    storage_mb = logs.max_files * logs.max_file_size_mb
    if logs.max_files < 1:
        yield complain(f"minimum number of files is 1; got {logs.max_files}")
    if logs.max_file_size_mb < 1:
        yield complain_freely(f"the size of a log file must be at least 1 MB; got {logs.max_file_size_mb}")
    if storage_mb >= disk_mb:
        yield complain(
            f"log storage ({storage_mb} MB) must be less than requested disk capacity ({disk_mb} MB)"
        )


def _check_lifecycle(lifecycle: Lifecycle) -> Iterator[Complaint]:
    if not lifecycle.hook:
        yield complain("Lifecycle validation failed: no lifecycle hook provided")
    elif lifecycle.hook not in frozenset(Hook):
        yield complain(f"Lifecycle validation failed: invalid hook: {lifecycle.hook}")


def _check_kill_timeout(task: Task, group: TaskGroup, job_type: str) -> Iterator[Complaint]:
    if task.kill_timeout_ns < 0:
        yield complain("KillTimeout must be a positive value")
    progress_ns = group.update.progress_deadline_ns if group.update else 0
    if job_type == JobType.SERVICE and 0 < progress_ns < task.kill_timeout_ns:
        yield complain(
            f"KillTimout ({render_duration(task.kill_timeout_ns)}) longer than the group's "
            f"ProgressDeadline ({render_duration(progress_ns)})"
        )


def _check_artifact(artifact: TaskArtifact) -> Iterator[Complaint]:
    if not artifact.getter_source:
        yield complain("source must be specified")
    if _leaves_allocation(artifact.relative_dest):
        yield complain("destination escapes allocation directory")


def _leaves_allocation(destination: str) -> bool:
    steps_up = normpath(destination.lstrip("/") or ".").split("/").count("..")
    return steps_up > _ALLOC_LEVELS_ABOVE_TASK


def _check_template(template: Template) -> Iterator[Complaint]:
    if not template.source_path and not template.embedded_tmpl:
        yield complain("Must specify a source path or have an embedded template")
    if template.change_mode not in _CHANGE_MODES:
        known = ", ".join(_CHANGE_MODES)
        yield complain(f"Invalid change mode. Must be one of the following: {known}")
    elif template.change_mode == "signal" and not template.change_signal:
        yield complain("Must specify signal value when change mode is signal")
    elif template.change_mode == "script" and template.change_script is None:
        yield complain_freely("a template whose change mode is script needs a script")
    if template.splay_ns < 0:
        yield complain_freely("a template's splay may not be negative")


def _check_action(action: Action) -> Iterator[Complaint]:
    yield from complain_where(
        (not action.command, "command cannot be empty"),
        (_ACTION_NAME.fullmatch(action.name) is None, f"invalid name '{action.name}'"),
    )


def _check_mount(position: int, mount: VolumeMount, group: TaskGroup) -> Iterator[Complaint]:
    if mount.volume not in group.volumes:
        yield complain(f"Volume Mount ({position}) references undefined volume {mount.volume}")
