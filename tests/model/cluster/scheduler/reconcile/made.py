"""Groups of allocations written in a few words, and what the reconciler makes of them in as few.

``0-4 D; 5 down`` are five allocations of an older version that cannot follow their job where they are, and
one whose node is down. What is decided is shown as text by kind: ``place`` (``1:R`` replaces what failed,
``1:L`` what was lost, ``1:M`` what moves, ``1:C`` is a canary, an arrow says: of an older version), ``stop``
(each with the initials of its reason), ``change`` (``I`` in place, ``X`` destructively, ``A`` told who looks
again, ``U`` unknown, ``K`` back), ``follow``, ``deploy`` and ``count``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from nomadspec.model.cluster.entities import (
    NS_PER_S,
    Allocation,
    AllocDeploymentStatus,
    AllocMetric,
    AllocState,
    Deployment,
    DeploymentState,
    DesiredTransition,
    DisconnectStrategy,
    DrainStrategy,
    Evaluation,
    Job,
    Node,
    NodeScoreMeta,
    RescheduleEvent,
    ReschedulePolicy,
    RescheduleTracker,
    Task,
    TaskGroup,
    TaskState,
    UpdateStrategy,
)
from nomadspec.model.cluster.policy.names import find_index
from nomadspec.model.cluster.policy.update import UpdateVerdict
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.reasons import ReasonLog
from nomadspec.model.cluster.scheduler.reconcile.cluster import Reconciled, ReconcileInput, reconcile
from nomadspec.model.cluster.scheduler.reconcile.deployments import find_deployments
from nomadspec.model.cluster.scheduler.reconcile.group import begin_run, fill_buckets
from nomadspec.model.cluster.scheduler.reconcile.group_run import GroupRun
from nomadspec.model.cluster.scheduler.requests import PlacementRequest
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile

NOW_S: Final = 1_000_000
NOW_NS: Final = NOW_S * NS_PER_S
P: Final = ReschedulePolicy(
    attempts=2, interval_ns=600 * NS_PER_S, delay_ns=5 * NS_PER_S, delay_function="constant"
)
BATCH_POLICY: Final = ReschedulePolicy(
    attempts=1, interval_ns=24 * 3600 * NS_PER_S, delay_ns=5 * NS_PER_S, delay_function="constant"
)
PATIENCE: Final = DisconnectStrategy(lost_after_ns=300 * NS_PER_S)
_REASONS: Final = {
    "alloc not needed due to job update": "NN",
    "alloc not needed due to disconnected client reconnect": "RC",
    "alloc is being migrated": "MI",
    "alloc is lost since its node is down": "LO",
    "alloc was rescheduled because it failed": "RS",
}
_COUNTERS: Final = {
    "ignore": "Ig",
    "place": "Pl",
    "stop": "St",
    "migrate": "Mi",
    "in_place_update": "In",
    "destructive_update": "De",
    "canary": "Ca",
    "disconnect": "Di",
    "reconnect": "Re",
    "reschedule_now": "RN",
    "reschedule_later": "RL",
}
_DRAINING: Final = DrainStrategy()


def ago(seconds: float) -> int:
    """Give the time so many seconds before now."""
    return NOW_NS - int(seconds * NS_PER_S)


def policy(delay: float = 5, **fields: Any) -> ReschedulePolicy:
    """Make a policy of constant delay, unlimited unless it is told how many attempts it allows."""
    usual: dict[str, Any] = {"delay_function": "constant", "unlimited": "attempts" not in fields}
    return ReschedulePolicy(delay_ns=int(delay * NS_PER_S), **usual | fields)


def _node(**fields: Any) -> dict[str, Any]:
    return {"node": Node(**fields)}


def _unknown(seconds: str) -> dict[str, Any]:
    return {"client_status": "unknown", "alloc_states": _unknown_since(float(seconds))}


def _unknown_since(seconds: float) -> tuple[AllocState, ...]:
    return (AllocState(value="unknown", time_ns=ago(seconds)),)


def _health(*, healthy: bool | None = None, canary: bool = False) -> dict[str, Any]:
    return {
        "deployment_id": "d",
        "deployment_status": AllocDeploymentStatus(healthy=healthy, canary=canary),
    }


def _transition(name: str) -> dict[str, Any]:
    return {"asked": {name: True}}


_MARKS: Final[Mapping[str, Callable[[str], dict[str, Any]]]] = {
    "D": lambda _: {"version": 0, "verdict": UpdateVerdict.DESTRUCTIVE},
    "I": lambda _: {"version": 0, "verdict": UpdateVerdict.IN_PLACE},
    "older": lambda _: {"version": 0},
    "d": lambda _: _health(),
    "d+": lambda _: _health(healthy=True),
    "d-": lambda _: _health(healthy=False),
    "c": lambda _: {**_health(canary=True), "placed": True},
    "p": lambda _: {**_health(healthy=True), "placed": True},
    "of": lambda deployment: {"deployment_id": deployment},
    "f": lambda age: {"client_status": "failed", "ended": float(age)},
    "ended": lambda age: {"ended": float(age)},
    "events": lambda ages: {"events": [float(age) for age in ages.split(",")]},
    "tried": lambda _: {"tracker": RescheduleTracker(last_reschedule="no placement")},
    "complete": lambda _: {"client_status": "complete", "ended": 60, "has_failed": False},
    "pending": lambda _: {"client_status": "pending"},
    "lost": lambda _: {"client_status": "lost"},
    "stop": lambda _: {"desired_status": "stop"},
    "evict": lambda _: {"desired_status": "evict"},
    "down": lambda _: _node(status="down"),
    "disc": lambda _: _node(status="disconnected"),
    "gone": lambda _: {"node": None},
    "drain": lambda _: _node(status="ready", drain_strategy=_DRAINING),
    "init": lambda _: _node(status="initializing", drain_strategy=_DRAINING),
    "mig": lambda _: _transition("migrate"),
    "resched": lambda _: _transition("reschedule"),
    "force": lambda _: _transition("force_reschedule"),
    "stay": lambda _: _transition("migrate_disable_placement"),
    "unk": _unknown,
    "ar": lambda _: {"alloc_states": _unknown_since(60)},
    "follow": lambda eval_id: {"followup_eval_id": eval_id},
    "next": lambda alloc_id: {"next_allocation": alloc_id},
    "id": lambda alloc_id: {"id": alloc_id},
    "score": lambda score: {"score": float(score)},
    "since": lambda age: {"since": float(age)},
    "group": lambda name: {"task_group": name},
}


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A job of the group `web` and what it is reconciled with."""

    count: int = 3
    update: UpdateStrategy | None = None
    policy: ReschedulePolicy | None = P
    disconnect: DisconnectStrategy | None = None
    deployment: Deployment | None = None
    is_batch: bool = False
    has_job: bool = True
    eval_id: str = "E"
    map_order: str = "asc"
    version: int = 1
    stop: bool = False
    profile: Profile = NOMAD_2_0

    def make_job(self, version: int) -> Job:
        """Make a version of the job; only how it came to be tells them apart."""
        group = TaskGroup(
            name="web",
            count=self.count,
            update=self.update,
            reschedule_policy=self.policy,
            disconnect=self.disconnect,
            tasks=(Task(name="main", kill_timeout_ns=5 * NS_PER_S),),
        )
        return Job(
            id="j",
            namespace="default",
            type="batch" if self.is_batch else "service",
            stop=self.stop and version == self.version,
            version=version,
            create_index=10,
            modify_index=20 + version,
            job_modify_index=20 + version,
            task_groups=(group,),
        )

    def make_allocs(self, text: str) -> "Allocs":
        """Make allocations from a text."""
        allocs = Allocs([], {}, {}, [])
        for part in filter(None, (part.strip() for part in text.split(";"))):
            indexes, *marks = part.split()
            for index in _list_indexes(indexes):
                allocs.add(self, index, marks)
        return allocs

    def make_input(self, text: str) -> ReconcileInput:
        """Make all that the reconciler looks at."""
        allocs = self.make_allocs(text)
        deployment = self.deployment
        state = deployment.task_groups.get("web") if deployment else None
        if deployment is not None and state is not None:
            state = replace(state, placed_canaries=tuple(allocs.placed))
            deployment = replace(deployment, task_groups={"web": state})
        return ReconcileInput(
            job=self.make_job(self.version) if self.has_job else None,
            job_id="j",
            is_batch=self.is_batch,
            deployment=deployment,
            allocs=tuple(allocs.rows),
            tainted=allocs.tainted,
            evaluation=Evaluation(id=self.eval_id, priority=50, job_id="j"),
            now_ns=NOW_NS,
            choices=ReplayedChoices(
                is_descending=self.map_order == "desc", ids=[f"F{number}" for number in range(1, 9)]
            ),
            updater=Updater(allocs.verdicts),
            reasons=ReasonLog(is_on=True),
            profile=self.profile,
        )

    def begin(self, text: str) -> GroupRun:
        """Begin to reconcile the group, up to its buckets."""
        call = self.make_input(text)
        job = self.make_job(self.version)
        allocs = {alloc.id: alloc for alloc in call.allocs}
        run = begin_run(call, job, job.task_groups[0], find_deployments(call), allocs)
        fill_buckets(run)
        return run

    def solve(self, text: str) -> dict[str, str]:
        """Reconcile, and show what is decided."""
        return show(reconcile(self.make_input(text)))


@dataclass
class Allocs:
    """Allocations under construction, and what else is said of them."""

    rows: list[Allocation]
    tainted: dict[str, Node | None]
    verdicts: dict[str, UpdateVerdict]
    placed: list[str]

    def add(self, scene: Scene, index: int, marks: list[str]) -> None:
        """Add an allocation with its own node."""
        said: dict[str, Any] = {"asked": {}}
        for mark in marks:
            name, _, value = mark.partition("=")
            found = _MARKS[name](value)
            said["asked"] |= found.pop("asked", {})
            said |= found
        alloc = _make_alloc(scene, index, f"a{len(self.rows):02}", said)
        self.rows.append(alloc)
        if "node" in said:
            self.tainted[alloc.node_id] = said["node"]
        self.verdicts[alloc.id] = said.get("verdict", UpdateVerdict.IGNORE)
        if said.get("placed"):
            self.placed.append(alloc.id)


def _make_alloc(scene: Scene, index: int, usual_id: str, said: dict[str, Any]) -> Allocation:
    alloc_id, group = said.get("id", usual_id), said.get("task_group", "web")
    copied = {"desired_status", "client_status", "alloc_states", "deployment_id", "deployment_status"}
    copied |= {"followup_eval_id", "next_allocation"}
    score = said.get("score")
    usual: dict[str, Any] = {"desired_status": "run", "client_status": "running"}
    return Allocation(
        id=alloc_id,
        job_id="j",
        job=scene.make_job(said.get("version", scene.version)),
        name=f"j.{group}[{index}]",
        task_group=group,
        node_id=f"node of {alloc_id}",
        desired_transition=DesiredTransition(**said["asked"]),
        reschedule_tracker=_make_tracker(said),
        metrics=AllocMetric(score_meta_data=(NodeScoreMeta(norm_score=score),))
        if score is not None
        else None,
        task_states=_make_task_states(said),
        modify_time_ns=ago(3600),
        **usual | {name: said[name] for name in copied if name in said},
    )


def _make_tracker(said: dict[str, Any]) -> RescheduleTracker | None:
    events = tuple(
        RescheduleEvent(reschedule_time_ns=ago(age), prev_alloc_id="before", prev_node_id="n", delay_ns=1)
        for age in said.get("events", ())
    )
    tracker: RescheduleTracker | None = said.get("tracker")
    return RescheduleTracker(events=events, last_reschedule="ok") if events else tracker


def _make_task_states(said: dict[str, Any]) -> dict[str, TaskState]:
    if "since" in said:
        return {"main": TaskState(state="running", started_at_ns=ago(said["since"]))}
    if "ended" not in said:
        return {}
    has_failed = said.get("has_failed", True)
    return {"main": TaskState(state="dead", failed=has_failed, finished_at_ns=ago(said["ended"]))}


def _list_indexes(text: str) -> list[int]:
    indexes: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        indexes += range(int(first), int(last or first) + 1)
    return indexes


@dataclass(frozen=True)
class Updater:
    """Says of each allocation what its mark says."""

    verdicts: Mapping[str, UpdateVerdict]

    def judge(self, alloc: Allocation, _group: TaskGroup) -> tuple[UpdateVerdict, Allocation | None]:
        """Judge an allocation."""
        verdict = self.verdicts[alloc.id]
        return verdict, alloc if verdict is UpdateVerdict.IN_PLACE else None


def make_update(parallel: int = 1, canary: int = 0, **fields: Any) -> UpdateStrategy:
    """Make an update block."""
    return UpdateStrategy(max_parallel=parallel, canary=canary, **fields)


def make_deployment(status: str = "running", *, version: int = 1, **fields: Any) -> Deployment:
    """Make the deployment `d` of a version; what is given beside is the state of its group."""
    return Deployment(
        id="d",
        job_id="j",
        job_version=version,
        job_create_index=10,
        status=status,
        create_index=15,
        task_groups={"web": DeploymentState(**fields)},
    )


def case(case_id: str, settings: dict[str, Any], allocs: str, **expected: str) -> Any:
    """Give one case of a table: the job, its allocations, and what is decided."""
    return pytest.param(Scene(**settings), allocs, expected, id=case_id)


def show(decided: Reconciled) -> dict[str, str]:
    """Show what was decided, by kind; kinds of which nothing was decided are left out."""
    lost = {stop.alloc.id for stop in decided.stops if _REASONS[stop.description] == "LO"}
    shown = {
        "place": " ".join(_show_placement(request, lost) for request in decided.placements),
        "stop": " ".join(
            f"{_index(stop.alloc)}{_REASONS[stop.description]}{_arrow(stop.followup_eval_id)}"
            for stop in decided.stops
        ),
        "change": " ".join(_list_changes(decided)),
        "follow": " ".join(_show_followup(each) for each in decided.followup_evals),
        "deploy": " ".join(_list_deployments(decided)),
        "count": "; ".join(_list_counts(decided)),
    }
    return {kind: text for kind, text in shown.items() if text}


def _index(alloc: Allocation) -> str:
    prefix = "" if alloc.task_group == "web" else f"{alloc.task_group}."
    return f"{prefix}{find_index(alloc.name, alloc.job_id, alloc.task_group)}"


def _arrow(eval_id: str) -> str:
    return f">{eval_id}" if eval_id else ""


def _show_placement(request: PlacementRequest, lost: set[str]) -> str:
    index, down = find_index(request.name, "j", "web"), "↓" if request.is_downgrade else ""
    if request.previous is None:
        return f"{index}:C" if request.is_canary else f"{index}{down}"
    kind = "R" if request.is_reschedule else "L" if request.previous.id in lost else "M"
    return f"{index}:{kind}{'c' if request.is_canary else ''}{down}"


def _list_changes(decided: Reconciled) -> list[str]:
    return [
        *(f"I{_index(alloc)}" for alloc in decided.in_place_updates),
        *(f"X{_index(update.alloc)}" for update in decided.destructive),
        *(f"A{_index(alloc)}>{alloc.followup_eval_id}" for alloc in decided.attribute_updates),
        *(f"U{_index(alloc)}>{alloc.followup_eval_id}" for alloc in decided.disconnect_updates),
        *(f"K{_index(alloc)}" for alloc in decided.reconnect_updates),
    ]


def _show_followup(evaluation: Evaluation) -> str:
    wait_s = evaluation.wait_until_ns / NS_PER_S - NOW_S
    return f"{evaluation.id}={evaluation.triggered_by}+{wait_s:g}"


def _list_deployments(decided: Reconciled) -> list[str]:
    shown = [f"{update.deployment_id}:{update.status}" for update in decided.deployment_updates]
    made = decided.deployment
    state = made.task_groups.get("web") if made else None
    if made is not None and state is not None:
        shown.append(f"new total={state.desired_total} canaries={state.desired_canaries}")
    return shown


def _list_counts(decided: Reconciled) -> list[str]:
    shown: list[str] = []
    for name, counters in decided.desired_updates.items():
        counts = [
            f"{short}{count}" for field, short in _COUNTERS.items() if (count := getattr(counters, field))
        ]
        shown.append(("" if name == "web" else f"{name}: ") + " ".join(counts))
    return [text for text in shown if text]


MARKS = (
    "D", "I", "older", "d", "d+", "d-", "c", "p", "f=10", "f=1", "complete", "pending", "lost", "stop",
    "down", "disc", "gone", "drain", "init", "mig", "resched", "force", "stay", "unk=5", "unk=301", "ar",
    "tried", "follow=E", "follow=other", "next=a00", "events=100",
)  # fmt: skip


@st.composite
def groups(draw: st.DrawFn) -> tuple[Scene, str]:
    """Draw a job and allocations of it, likely or not."""
    deployment = make_deployment(
        draw(st.sampled_from(("running", "paused", "failed", "successful", "blocked"))),
        version=draw(st.integers(0, 1)),
        desired_total=draw(st.integers(0, 3)),
        desired_canaries=draw(st.integers(0, 1)),
        healthy_allocs=draw(st.integers(0, 3)),
        promoted=draw(st.booleans()),
    )
    settings: dict[str, Any] = {
        "count": draw(st.integers(0, 4)),
        "update": draw(st.sampled_from((None, make_update(0), make_update(2), make_update(1, 1)))),
        "policy": draw(st.sampled_from((None, policy(5), policy(0), policy(5, attempts=1)))),
        "disconnect": draw(st.sampled_from((None, PATIENCE))),
        "deployment": draw(st.sampled_from((None, deployment))),
        "is_batch": draw(st.booleans()),
        "has_job": draw(st.sampled_from((True, True, True, False))),
        "stop": draw(st.sampled_from((False, False, False, True))),
        "map_order": draw(st.sampled_from(("asc", "desc"))),
        "profile": draw(st.sampled_from((NOMAD_2_0, NOMAD_2_0, INTENDED))),
    }
    parts = draw(
        st.lists(st.tuples(st.integers(0, 4), st.lists(st.sampled_from(MARKS), max_size=3)), max_size=8)
    )
    return Scene(**settings), "; ".join(f"{index} {' '.join(marks)}" for index, marks in parts)
