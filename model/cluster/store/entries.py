"""Applies log entries: which function each type of entry calls, and what comes of an entry."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec

from nomadspec.model.cluster.store import (
    clients,
    deployments,
    evals,
    jobs,
    nodes,
    plans,
    requests,
    settings,
    transitions,
)
from nomadspec.model.cluster.store.handed_to_leader import Handed
from nomadspec.model.cluster.store.run import RefusedError, Run, Transaction
from nomadspec.model.cluster.store.state import State
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import Profile

Handler = Callable[[Run, Any], bool | None]


class Entry(msgspec.Struct, frozen=True):
    """A log entry: its index and what it asks for, whose type is the type of the entry."""

    index: int
    request: msgspec.Struct


class Applied(msgspec.Struct, frozen=True, gc=False):
    """What comes of a log entry."""

    state: State
    error: str | None = None
    """The answer to an entry that was refused; an entry with two transactions may have done its second."""
    answer: bool | None = None
    """The answer to compare-and-set."""
    handed: tuple[Handed, ...] = ()
    """What the leader's memory gets, in order."""
    transactions: tuple[Transaction, ...] = ()
    """The committed transactions, in order."""


HANDLERS: Final[Mapping[type[msgspec.Struct], Handler]] = MappingProxyType(
    {
        requests.NodeRegister: nodes.register_node,
        requests.NodeDeregister: nodes.deregister_node,
        requests.NodeBatchDeregister: nodes.deregister_nodes,
        requests.NodeUpdateStatus: nodes.update_node_status,
        requests.NodeUpdateDrain: nodes.update_node_drain,
        requests.BatchNodeUpdateDrain: nodes.update_node_drains,
        requests.NodeUpdateEligibility: nodes.update_node_eligibility,
        requests.UpsertNodeEvents: nodes.add_node_events,
        requests.JobRegister: jobs.register_job,
        requests.JobDeregister: jobs.deregister_job,
        requests.JobBatchDeregister: jobs.deregister_jobs,
        requests.JobStability: jobs.mark_job_stable,
        requests.JobVersionTagging: jobs.tag_job_version,
        requests.ReconcileJobSummaries: jobs.reconcile_job_summaries,
        requests.ScalingEventRegister: jobs.register_scaling_event,
        requests.EvalUpdate: evals.update_evals,
        requests.EvalDelete: evals.delete_evals,
        requests.AllocClientUpdate: clients.update_allocs,
        requests.AllocUpdateDesiredTransition: transitions.ask_allocs,
        requests.ApplyPlanResults: plans.apply_plan,
        requests.DeploymentUpdateStatus: deployments.change_deployment_status,
        requests.DeploymentPromote: deployments.promote_deployment,
        requests.DeploymentAllocHealth: deployments.set_alloc_health,
        requests.DeploymentDelete: deployments.delete_deployments,
        requests.SchedulerConfig: settings.write_configuration,
        requests.NodePoolUpsert: settings.write_node_pools,
        requests.NodePoolDelete: settings.delete_node_pools,
        requests.NamespaceUpsert: settings.write_namespaces,
        requests.NamespaceDelete: settings.delete_namespaces,
        requests.Outside: settings.note_outside,
    }
)
"""Who applies which request."""

REQUEST_TYPES: Final[Mapping[str, type[msgspec.Struct]]] = MappingProxyType(
    {request.__name__: request for request in HANDLERS if request is not requests.Outside}
    | {
        "JobVersionTag": requests.JobVersionTagging,
        "DeploymentStatusUpdate": requests.DeploymentUpdateStatus,
    }
)
"""The request of each type of entry, by the name of the type."""

OUTSIDE_TABLES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "Autopilot": (),
        "ClusterMetadata": (),
        "OneTimeTokenExpire": (),
        "ServiceRegistrationDeleteByID": (),
        "ServiceRegistrationDeleteByNodeID": (),
        "ServiceRegistrationUpsert": (),
        "WrappedRootKeysUpsert": ("root_keys",),
    }
)
"""The types of entries that the model leaves out, with the tables whose indexes they move."""


def apply(state: State, entry: Entry, *, now_ns: int = 0, profile: Profile) -> Applied:
    """Apply a log entry: all of it, or, where it is refused, what its other transactions do.

    The time is that of the server's own clock, which few entries look at.

    Spec: OBJ-020, FSM-01, 01/S14.
    """
    run = Run(state, entry.index, now_ns, profile)
    error: str | None = None
    answer: bool | None = None
    try:
        answer = HANDLERS[type(entry.request)](run, entry.request)
    except RefusedError as refusal:
        error = str(refusal)
    return Applied(run.state, error, answer, tuple(run.handed), tuple(run.transactions))


def find_request_type(name: str) -> type[msgspec.Struct]:
    """Find the request of a type of entry."""
    found = REQUEST_TYPES.get(name)
    if found is None:
        raise InputError("", f"there is no type of log entry {name!r}")
    return found
