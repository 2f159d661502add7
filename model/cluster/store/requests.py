"""What a log entry asks for: one struct a type of entry, with the field names of the wire.

Spec: WIRE-101, WIRE-103, OBJ-283.
"""

from collections.abc import Mapping

import msgspec

from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    DeploymentStatusUpdate,
    DesiredTransition,
    DrainStrategy,
    Evaluation,
    Instant,
    Job,
    Namespace,
    Node,
    NodeEvent,
    NodePool,
    ScalingEvent,
    SchedulerConfiguration,
    VersionTag,
)


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What every request may carry beside its own fields; the framing plays no part in its effect."""

    region: str = ""
    namespace: str = ""
    auth_token: str = ""
    idempotency_token: str = ""
    forwarded: bool = False


# --- nodes ---


class NodeRegister(Request, frozen=True, kw_only=True):
    """A client registers its node."""

    node: Node = Node()
    node_event: NodeEvent | None = None
    create_node_pool: bool = False


class NodeDeregister(Request, frozen=True, kw_only=True):
    """An operator removes a node."""

    node_id: str = ""


class NodeBatchDeregister(Request, frozen=True, kw_only=True):
    """The garbage collector removes nodes."""

    node_ids: tuple[str, ...] = ()


class NodeUpdateStatus(Request, frozen=True, kw_only=True):
    """A heartbeat comes, is missed or comes again."""

    node_id: str = ""
    status: str = ""
    identity_signing_key_id: str = ""
    force_identity_renewal: bool = False
    node_event: NodeEvent | None = None
    updated_at_s: int = 0


class NodeUpdateDrain(Request, frozen=True, kw_only=True):
    """A drain is set, changed or removed."""

    node_id: str = ""
    drain_strategy: DrainStrategy | None = None
    mark_eligible: bool = False
    node_event: NodeEvent | None = None
    updated_at_s: int = 0
    meta: Mapping[str, str] = {}
    updated_by: str = ""


class DrainUpdate(msgspec.Struct, frozen=True, kw_only=True):
    """What a batch asks of one node."""

    drain_strategy: DrainStrategy | None = None
    mark_eligible: bool = False


class BatchNodeUpdateDrain(Request, frozen=True, kw_only=True):
    """The drainer ends the drains of nodes."""

    updates: Mapping[str, DrainUpdate | None] = {}
    node_events: Mapping[str, NodeEvent | None] = {}
    updated_at_s: int = 0


class NodeUpdateEligibility(Request, frozen=True, kw_only=True):
    """A node is made eligible, or ineligible."""

    node_id: str = ""
    eligibility: str = ""
    node_event: NodeEvent | None = None
    updated_at_s: int = 0


class UpsertNodeEvents(Request, frozen=True, kw_only=True):
    """Clients tell what happened on their nodes."""

    node_events: Mapping[str, tuple[NodeEvent, ...]] = {}


# --- jobs ---


class JobRegister(Request, frozen=True, kw_only=True):
    """A job is registered, launched or dispatched."""

    submission: Mapping[str, object] | None = None
    job: Job | None = None
    enforce_index: bool = False
    job_modify_index: int = 0
    policy_override: bool = False
    preserve_counts: bool = False
    preserve_resources: bool = False
    eval_priority: int = 0
    eval: Evaluation | None = None
    deployment: Deployment | None = None


class JobDeregister(Request, frozen=True, kw_only=True):
    """A job is stopped or purged."""

    job_id: str = ""
    purge: bool = False
    global_: bool = False
    eval_priority: int = 0
    no_shutdown_delay: bool = False
    eval: Evaluation | None = None
    submit_time_ns: int = 0


class JobToDeregister(msgspec.Struct, frozen=True, kw_only=True):
    """One job of a batch."""

    namespace: str = ""
    id: str = ""
    purge: bool = False


class JobBatchDeregister(Request, frozen=True, kw_only=True):
    """The garbage collector purges jobs."""

    jobs: tuple[JobToDeregister, ...] = ()
    evals: tuple[Evaluation, ...] = ()
    submit_time_ns: int = 0


class JobStability(Request, frozen=True, kw_only=True):
    """A version of a job is marked stable, or no longer so."""

    job_id: str = ""
    job_version: int = 0
    stable: bool = False


class JobVersionTagging(Request, frozen=True, kw_only=True):
    """A version of a job gets a tag; without one, the tag of that name is removed."""

    job_id: str = ""
    name: str = ""
    tag: VersionTag | None = None
    version: int = 0


class ReconcileJobSummaries(Request, frozen=True, kw_only=True):
    """The counts of all jobs are to be made anew from what is there."""


class ScalingEventRegister(Request, frozen=True, kw_only=True):
    """A group was scaled, or should have been."""

    job_id: str = ""
    task_group: str = ""
    scaling_event: ScalingEvent | None = None


# --- evaluations and allocations ---


class EvalUpdate(Request, frozen=True, kw_only=True):
    """Evaluations are created or get their outcome."""

    evals: tuple[Evaluation, ...] = ()
    eval_token: str = ""


class EvalDelete(Request, frozen=True, kw_only=True):
    """Evaluations and allocations are collected, or deleted by an operator."""

    evals: tuple[str, ...] = ()
    allocs: tuple[str, ...] = ()
    filter: str = ""
    next_token: str = ""
    per_page: int = 0
    user_initiated: bool = False


class AllocClientUpdate(Request, frozen=True, kw_only=True):
    """A client tells how its allocations are."""

    alloc: tuple[Allocation, ...] = ()
    evals: tuple[Evaluation, ...] = ()


class AllocUpdateDesiredTransition(Request, frozen=True, kw_only=True):
    """Allocations are asked to migrate, to be rescheduled or to stop at once."""

    allocs: Mapping[str, DesiredTransition | None] = {}
    evals: tuple[Evaluation, ...] = ()


class ApplyPlanResults(msgspec.Struct, frozen=True, kw_only=True):
    """What the plan applier let through of a plan."""

    allocs_stopped: tuple[Allocation, ...] = ()
    allocs_updated: tuple[Allocation, ...] = ()
    allocs_preempted: tuple[Allocation, ...] = ()
    job: Job | None = None
    deployment: Deployment | None = None
    deployment_updates: tuple[DeploymentStatusUpdate, ...] = ()
    eval_id: str = ""
    evals: tuple[Evaluation, ...] = ()
    preemption_evals: tuple[Evaluation, ...] = ()
    ineligible_nodes: tuple[str, ...] = ()
    updated_at_ns: int = 0


# --- deployments ---


class DeploymentUpdateStatus(Request, frozen=True, kw_only=True):
    """A deployment changes its status; the job may be rolled back with it."""

    eval: Evaluation | None = None
    deployment_update: DeploymentStatusUpdate | None = None
    job: Job | None = None


class DeploymentPromote(Request, frozen=True, kw_only=True):
    """Canaries become ordinary allocations."""

    deployment_id: str = ""
    all: bool = False
    groups: tuple[str, ...] = ()
    promoted_at_ns: int = 0
    eval: Evaluation | None = None


class DeploymentAllocHealth(Request, frozen=True, kw_only=True):
    """An operator or the watcher sets the health of allocations."""

    deployment_id: str = ""
    healthy_allocation_ids: tuple[str, ...] = ()
    unhealthy_allocation_ids: tuple[str, ...] = ()
    timestamp_ns: Instant = 0
    deployment_update: DeploymentStatusUpdate | None = None
    job: Job | None = None
    eval: Evaluation | None = None


class DeploymentDelete(Request, frozen=True, kw_only=True):
    """The garbage collector removes deployments."""

    deployments: tuple[str, ...] = ()


# --- what the operator sets up ---


class SchedulerConfig(Request, frozen=True, kw_only=True):
    """The configuration of the schedulers is replaced."""

    config: SchedulerConfiguration = SchedulerConfiguration()
    cas: bool = False


class NodePoolUpsert(Request, frozen=True, kw_only=True):
    """Node pools are created or changed."""

    node_pools: tuple[NodePool, ...] = ()


class NodePoolDelete(Request, frozen=True, kw_only=True):
    """Node pools are deleted."""

    names: tuple[str, ...] = ()


class NamespaceUpsert(Request, frozen=True, kw_only=True):
    """Namespaces are created or changed."""

    namespaces: tuple[Namespace, ...] = ()


class NamespaceDelete(Request, frozen=True, kw_only=True):
    """Namespaces are deleted."""

    namespaces: tuple[str, ...] = ()


class Outside(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of a subject that the model leaves out: it moves the indexes of its tables and no more."""

    tables: tuple[str, ...] = ()
