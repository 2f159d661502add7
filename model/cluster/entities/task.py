"""A task of a group."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from nomadspec.model.cluster.entities.constraint import Affinity, Constraint
from nomadspec.model.cluster.entities.identity import Consul, Vault, WorkloadIdentity
from nomadspec.model.cluster.entities.policy import RestartPolicy
from nomadspec.model.cluster.entities.resources import Resources
from nomadspec.model.cluster.entities.scaling import ScalingPolicy
from nomadspec.model.cluster.entities.service import Service


class Hook(StrEnum):
    """When a task with a lifecycle runs, seen from the main tasks."""

    PRESTART = "prestart"
    POSTSTART = "poststart"
    POSTSTOP = "poststop"


class Lifecycle(Struct, frozen=True, kw_only=True):
    """When a task runs, seen from the main tasks of its group."""

    hook: str = ""
    sidecar: bool = False


class ChangeScript(Struct, frozen=True, kw_only=True):
    """What runs in a task when a template changed."""

    command: str = ""
    args: tuple[str, ...] = ()
    timeout_ns: int = 0
    fail_on_error: bool = False
    run_on_first_render: bool = False


class WaitConfig(Struct, frozen=True, kw_only=True):
    """How long rendering waits for quiet."""

    min_ns: int | None = None
    max_ns: int | None = None


class Template(Struct, frozen=True, kw_only=True):
    """A file that is rendered for a task."""

    source_path: str = ""
    dest_path: str = ""
    embedded_tmpl: str = ""
    change_mode: str = ""
    change_signal: str = ""
    change_script: ChangeScript | None = None
    once: bool = False
    splay_ns: int = 0
    perms: str = ""
    uid: int | None = None
    gid: int | None = None
    left_delim: str = ""
    right_delim: str = ""
    envvars: bool = False
    vault_grace_ns: int = 0
    wait: WaitConfig | None = None
    err_missing_key: bool = False


class TaskArtifact(Struct, frozen=True, kw_only=True):
    """A file that is fetched for a task."""

    getter_source: str = ""
    getter_options: Mapping[str, str] = {}
    getter_headers: Mapping[str, str] = {}
    getter_mode: str = ""
    getter_insecure: bool = False
    relative_dest: str = ""
    chown: bool = False


class Secret(Struct, frozen=True, kw_only=True):
    """A secret that a plugin fetches for a task."""

    name: str = ""
    provider: str = ""
    path: str = ""
    config: Mapping[str, object] = {}
    env: Mapping[str, str] = {}


class LogConfig(Struct, frozen=True, kw_only=True):
    """How a task's logs are kept."""

    max_files: int = 0
    max_file_size_mb: int = 0
    disabled: bool = False


class VolumeMount(Struct, frozen=True, kw_only=True):
    """Where a task sees a volume of its group."""

    volume: str = ""
    destination: str = ""
    read_only: bool = False
    propagation_mode: str = ""
    selinux_label: str = ""


class DispatchPayload(Struct, frozen=True, kw_only=True):
    """Where a task finds the payload of a dispatch."""

    file: str = ""


class CSIPluginConfig(Struct, frozen=True, kw_only=True):
    """What makes a task a storage plugin."""

    id: str = ""
    type: str = ""
    mount_dir: str = ""
    stage_publish_base_dir: str = ""
    health_timeout_ns: int = 0


class Action(Struct, frozen=True, kw_only=True):
    """A command that operators may run in a task."""

    name: str = ""
    command: str = ""
    args: tuple[str, ...] = ()


class Task(Struct, frozen=True, kw_only=True):
    """A task of a group."""

    name: str = ""
    driver: str = ""
    user: str = ""
    config: Mapping[str, object] = {}
    env: Mapping[str, str] = {}
    services: tuple[Service, ...] = ()
    vault: Vault | None = None
    secrets: tuple[Secret, ...] = ()
    consul: Consul | None = None
    templates: tuple[Template, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    affinities: tuple[Affinity, ...] = ()
    resources: Resources | None = None
    restart_policy: RestartPolicy | None = None
    dispatch_payload: DispatchPayload | None = None
    lifecycle: Lifecycle | None = None
    meta: Mapping[str, str] = {}
    kill_timeout_ns: int = 0
    log_config: LogConfig | None = None
    artifacts: tuple[TaskArtifact, ...] = ()
    leader: bool = False
    shutdown_delay_ns: int = 0
    volume_mounts: tuple[VolumeMount, ...] = ()
    scaling_policies: tuple[ScalingPolicy, ...] = ()
    kill_signal: str = ""
    kind: str = ""
    csi_plugin_config: CSIPluginConfig | None = None
    identity: WorkloadIdentity | None = None
    identities: tuple[WorkloadIdentity, ...] = ()
    actions: tuple[Action, ...] = ()
    schedule: Mapping[str, object] | None = None


def is_main(task: Task) -> bool:
    """True if a task is one of those that the group is for.

    Spec: OBJ-121.
    """
    return task.lifecycle is None or not task.lifecycle.hook
