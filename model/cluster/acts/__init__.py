"""Acts: what each actor of the cluster can do next, read by scenarios, walks, explanations and refinement."""

from nomadspec.model.cluster.acts.allocs import RestartAlloc, StopAlloc
from nomadspec.model.cluster.acts.applier import CommitPlan, DispatchPlan, FailPlan, JudgePlan
from nomadspec.model.cluster.acts.clients import (
    EndTasks,
    FindServers,
    JudgeHealth,
    LoseServers,
    OverrunTasks,
    PullAllocs,
    ReportAllocs,
    RestartTasks,
    StartTasks,
    StopOutOfReach,
    StopTasks,
)
from nomadspec.model.cluster.acts.deployments import CallDeployment, SetHealth
from nomadspec.model.cluster.acts.dry_run import PlanJob
from nomadspec.model.cluster.acts.evaluations import (
    CancelCancelable,
    CancelDuplicates,
    FireBrokerTimer,
    ProcessUnblock,
    ReapFailedEval,
    UnblockFailed,
)
from nomadspec.model.cluster.acts.jobs import DeregisterJob, EvaluateJob, RegisterJob, RevertJob
from nomadspec.model.cluster.acts.launches import DispatchJob, ForcePeriodic, LaunchPeriodic
from nomadspec.model.cluster.acts.leadership import GainLeadership, LoseLeadership
from nomadspec.model.cluster.acts.loops import (
    CollectGarbage,
    DrainNodes,
    EnqueueCoreEval,
    WatchDeployments,
)
from nomadspec.model.cluster.acts.node_requests import (
    DrainNode,
    EndDrain,
    EvaluateNode,
    PurgeNode,
    SetEligibility,
)
from nomadspec.model.cluster.acts.nodes import Heartbeat, MissHeartbeat, RegisterNode
from nomadspec.model.cluster.acts.registry import Act, Timer, find_act, find_next_due, list_acts, list_choices
from nomadspec.model.cluster.acts.scaling import ScaleJob
from nomadspec.model.cluster.acts.settings import (
    Configure,
    DeleteEvals,
    DeleteNamespace,
    DeletePool,
    LoseEntry,
    WriteNamespace,
    WritePool,
)
from nomadspec.model.cluster.acts.versions import MarkStable, TagVersion
from nomadspec.model.cluster.acts.waits import CatchUp, TimeOutRefresh, TimeOutWait
from nomadspec.model.cluster.acts.workers import (
    Ack,
    CreateEval,
    Dequeue,
    Nack,
    ReblockEval,
    ReceiveAnswer,
    StartScheduler,
    SubmitPlan,
    UpdateEval,
)

__all__ = [
    "Ack",
    "Act",
    "CallDeployment",
    "CancelCancelable",
    "CancelDuplicates",
    "CatchUp",
    "CollectGarbage",
    "CommitPlan",
    "Configure",
    "CreateEval",
    "DeleteEvals",
    "DeleteNamespace",
    "DeletePool",
    "Dequeue",
    "DeregisterJob",
    "DispatchJob",
    "DispatchPlan",
    "DrainNode",
    "DrainNodes",
    "EndDrain",
    "EndTasks",
    "EnqueueCoreEval",
    "EvaluateJob",
    "EvaluateNode",
    "FailPlan",
    "FindServers",
    "FireBrokerTimer",
    "ForcePeriodic",
    "GainLeadership",
    "Heartbeat",
    "JudgeHealth",
    "JudgePlan",
    "LaunchPeriodic",
    "LoseEntry",
    "LoseLeadership",
    "LoseServers",
    "MarkStable",
    "MissHeartbeat",
    "Nack",
    "OverrunTasks",
    "PlanJob",
    "ProcessUnblock",
    "PullAllocs",
    "PurgeNode",
    "ReapFailedEval",
    "ReblockEval",
    "ReceiveAnswer",
    "RegisterJob",
    "RegisterNode",
    "ReportAllocs",
    "RestartAlloc",
    "RestartTasks",
    "RevertJob",
    "ScaleJob",
    "SetEligibility",
    "SetHealth",
    "StartScheduler",
    "StartTasks",
    "StopAlloc",
    "StopOutOfReach",
    "StopTasks",
    "SubmitPlan",
    "TagVersion",
    "TimeOutRefresh",
    "TimeOutWait",
    "Timer",
    "UnblockFailed",
    "UpdateEval",
    "WatchDeployments",
    "WriteNamespace",
    "WritePool",
    "find_act",
    "find_next_due",
    "list_acts",
    "list_choices",
]
