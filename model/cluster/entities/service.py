"""Services that a group or task registers."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from nomadspec.model.cluster.entities.identity import WorkloadIdentity


class ServiceProvider(StrEnum):
    """Who keeps the registrations of a service."""

    CONSUL = "consul"
    NOMAD = "nomad"


class CheckRestart(Struct, frozen=True, kw_only=True):
    """When a failing check restarts its task."""

    limit: int = 0
    grace_ns: int = 0
    ignore_warnings: bool = False


class ServiceCheck(Struct, frozen=True, kw_only=True):
    """A health check of a service."""

    name: str = ""
    type: str = ""
    command: str = ""
    args: tuple[str, ...] = ()
    path: str = ""
    protocol: str = ""
    port_label: str = ""
    expose: bool = False
    address_mode: str = ""
    interval_ns: int = 0
    timeout_ns: int = 0
    initial_status: str = ""
    notes: str = ""
    tls_server_name: str = ""
    tls_skip_verify: bool = False
    method: str = ""
    header: Mapping[str, tuple[str, ...]] = {}
    check_restart: CheckRestart | None = None
    grpc_service: str = ""
    grpc_use_tls: bool = False
    task_name: str = ""
    success_before_passing: int = 0
    failures_before_critical: int = 0
    failures_before_warning: int = 0
    body: str = ""
    on_update: str = ""


class ConsulConnect(Struct, frozen=True, kw_only=True):
    """The service mesh part of a service; its inner documents play no part in scheduling."""

    native: bool = False
    sidecar_service: Mapping[str, object] | None = None
    sidecar_task: Mapping[str, object] | None = None
    gateway: Mapping[str, object] | None = None


class ServiceWeights(Struct, frozen=True, kw_only=True):
    """How much traffic an instance takes, by its health."""

    passing: int = 0
    warning: int = 0


class Service(Struct, frozen=True, kw_only=True):
    """A service that a group or task registers."""

    name: str = ""
    task_name: str = ""
    port_label: str = ""
    address_mode: str = ""
    address: str = ""
    enable_tag_override: bool = False
    tags: tuple[str, ...] = ()
    canary_tags: tuple[str, ...] = ()
    checks: tuple[ServiceCheck, ...] = ()
    check_restart: CheckRestart | None = None
    connect: ConsulConnect | None = None
    meta: Mapping[str, str] = {}
    canary_meta: Mapping[str, str] = {}
    weights: ServiceWeights | None = None
    tagged_addresses: Mapping[str, str] = {}
    namespace: str = ""
    on_update: str = ""
    provider: str = ""
    cluster: str = ""
    identity: WorkloadIdentity | None = None
    kind: str = ""
