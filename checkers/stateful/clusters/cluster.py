"""A cluster that lives through a history: the state of its servers, and every decision of its schedulers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from nomadspec.checkers.stateful.clusters.histories import (
    ChangeNode,
    Forget,
    History,
    Late,
    Promote,
    Register,
    Report,
    SetDeploymentStatus,
    Single,
    Step,
    Stop,
    Together,
    Wait,
)
from nomadspec.invariants.cluster.scheduler import Decision
from nomadspec.model.cluster.components.gc_checks import check_eval
from nomadspec.model.cluster.components.plan_applier import evaluate_plan
from nomadspec.model.cluster.components.plan_commit import Commit, Keyring, build_entry
from nomadspec.model.cluster.entities import (
    NS_PER_S,
    Allocation,
    AllocClient,
    AllocDeploymentStatus,
    DeploymentStatusUpdate,
    DesiredTransition,
    DrainStrategy,
    EvalStatus,
    Evaluation,
    Job,
    Plan,
    PlanResult,
    TaskState,
    Trigger,
)
from nomadspec.model.cluster.entities.allocation import is_terminal
from nomadspec.model.cluster.entities.deployment import is_active
from nomadspec.model.cluster.scheduler.choices import Choices, FreeChoices
from nomadspec.model.cluster.scheduler.outcome import Answer, Outcome, SubmitOnly
from nomadspec.model.cluster.scheduler.schedule import schedule
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.store import Entry, State, apply
from nomadspec.model.cluster.store import requests as ask
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.specification.profiles import Profile

BEGIN_NS: Final = 1_900_000_000 * NS_PER_S
"""When every history begins."""

_KEYRING: Final = Keyring(key_id="key", sign=lambda alloc, task: f"{alloc.id} {task}")


class Names(NamedTuple):
    """What the names of nodes and of jobs begin with."""

    node: str = "n"
    job: str = "j-"


@dataclass(slots=True)
class Cluster:
    """The state of a cluster under way."""

    names: Names
    profile: Profile
    choices: Choices
    state: State = field(default_factory=make_initial_state)
    now_ns: int = BEGIN_NS
    _index: int = 10
    _evals: int = 0

    def begin(self, history: History) -> None:
        """Set the cluster up."""
        self._apply(ask.SchedulerConfig(config=history.configuration))
        for number, node in enumerate(history.nodes):
            name = f"{self.names.node}{number}"
            self._apply(ask.NodeRegister(node=replace(node, id=name, name=name)))

    def take(self, step: Step) -> Iterator[Decision]:
        """Let something happen, then let the schedulers look at every job."""
        match step:
            case Together(steps):
                for each in steps:
                    self._happen(each)
            case Late(steps):
                self._look_late(steps)
            case _:
                self._happen(step)
        for _, job in sorted(self.state.jobs.items()):
            yield self.schedule(job)

    def _happen(self, step: Single) -> None:
        match step:
            case Register(job):
                self._register(job)
            case Stop(which):
                self._stop(which)
            case Report():
                self._report(step)
            case ChangeNode():
                self._change_node(step)
            case Promote():
                self._promote()
            case SetDeploymentStatus(to):
                self._set_deployment_status(to)
            case Forget():
                self._forget()
            case Wait(seconds):
                self.now_ns += seconds * NS_PER_S

    def _look_late(self, steps: Iterable[Single]) -> None:
        """Plan for every job by one snapshot, and let things happen before the plans are judged."""
        evals = [self._find_due(job) or self._make_eval(job) for _, job in sorted(self.state.jobs.items())]
        before = Snapshot.of(self.state)
        for each in steps:
            self._happen(each)
        for evaluation in evals:
            self._process(evaluation, before)

    def _register(self, job: Job) -> None:
        name = self.names.job + job.id
        named = replace(job, id=name, name=name, submit_time_ns=self.now_ns)
        self._apply(ask.JobRegister(job=named, namespace=job.namespace))

    def _stop(self, which: int) -> None:
        jobs = sorted(self.state.jobs)
        if jobs:
            namespace, job_id = jobs[which % len(jobs)]
            self._apply(ask.JobDeregister(job_id=job_id, namespace=namespace, submit_time_ns=self.now_ns))

    def _report(self, step: Report) -> None:
        living = [alloc for _, alloc in sorted(self.state.allocs.items()) if not is_terminal(alloc)]
        if not living:
            return
        alloc = living[step.which % len(living)]
        ended_ns = 0 if step.status is AllocClient.RUNNING else self.now_ns
        health = None
        if alloc.deployment_id and step.healthy is not None:
            health = AllocDeploymentStatus(healthy=step.healthy, timestamp_ns=self.now_ns)
        state = TaskState(
            state="dead" if ended_ns else "running",
            failed=step.status is AllocClient.FAILED,
            finished_at_ns=ended_ns,
        )
        told = Allocation(
            id=alloc.id,
            node_id=alloc.node_id,
            client_status=step.status,
            task_states={"main": state},
            deployment_status=health,
            modify_time_ns=self.now_ns,
        )
        self._apply(ask.AllocClientUpdate(alloc=(told,)))

    def _change_node(self, step: ChangeNode) -> None:
        nodes = sorted(self.state.nodes)
        node_id = nodes[step.which % len(nodes)]
        match step.to:
            case "drain":
                strategy = DrainStrategy(started_at_ns=self.now_ns)
                self._apply(ask.NodeUpdateDrain(node_id=node_id, drain_strategy=strategy))
                self._ask_to_leave(node_id)
            case "undrain":
                self._apply(ask.NodeUpdateDrain(node_id=node_id, mark_eligible=True))
            case "eligible" | "ineligible":
                self._apply(ask.NodeUpdateEligibility(node_id=node_id, eligibility=step.to))
            case _:
                self._apply(ask.NodeUpdateStatus(node_id=node_id, status=step.to))

    def _ask_to_leave(self, node_id: str) -> None:
        living = [each for each in self.state.list_allocs_of_node(node_id) if not is_terminal(each)]
        leave = {alloc.id: DesiredTransition(migrate=True) for alloc in living}
        self._apply(ask.AllocUpdateDesiredTransition(allocs=leave))

    def _promote(self) -> None:
        for deployment_id, deployment in sorted(self.state.deployments.items()):
            if is_active(deployment):
                self._apply(
                    ask.DeploymentPromote(deployment_id=deployment_id, all=True, promoted_at_ns=self.now_ns)
                )

    def _set_deployment_status(self, to: str) -> None:
        for deployment_id, deployment in sorted(self.state.deployments.items()):
            if is_active(deployment) and deployment.status != to:
                update = DeploymentStatusUpdate(
                    deployment_id=deployment_id, status=to, updated_at_ns=self.now_ns
                )
                self._apply(ask.DeploymentUpdateStatus(deployment_update=update))

    def _forget(self) -> None:
        """Collect as if everything had ended long ago."""
        for _, evaluation in sorted(self.state.evals.items()):
            check = check_eval(
                self.state,
                evaluation,
                now_ns=self.now_ns,
                cutoff_ns=self.now_ns,
                is_dead_batch_allowed=False,
            )
            if check.is_collectable or check.allocs:
                evals = (evaluation.id,) if check.is_collectable else ()
                self._apply(ask.EvalDelete(evals=evals, allocs=check.allocs))

    def schedule(self, job: Job) -> Decision:
        """Let the scheduler of a job look at it, for a follow-up that is due if there is one."""
        evaluation = self._find_due(job) or self._make_eval(job)
        before = Snapshot.of(self.state)
        outcome = self._process(evaluation, before)
        return Decision(
            before=before,
            evaluation=evaluation,
            outcome=outcome,
            after=Snapshot.of(self.state),
            now_ns=self.now_ns,
            profile=self.profile,
        )

    def _process(self, evaluation: Evaluation, before: Snapshot) -> Outcome:
        """Have an evaluation processed by a snapshot, and store what comes of it."""
        outcome = schedule(
            before,
            evaluation,
            self.now_ns,
            self.choices,
            SubmitOnly(self._submit),
            scheduler=evaluation.type,
            profile=self.profile,
        )
        evals = (*outcome.created_evals, *outcome.updated_evals)
        self._apply(ask.EvalUpdate(evals=evals))
        return outcome

    def _find_due(self, job: Job) -> Evaluation | None:
        evals = self.state.list_evals_of_job(job.namespace, job.id)
        due = (
            each for each in evals if each.status == EvalStatus.PENDING and each.wait_until_ns <= self.now_ns
        )
        return next(due, None)

    def _make_eval(self, job: Job) -> Evaluation:
        self._evals += 1
        evaluation = Evaluation(
            id=f"eval-{self._evals}",
            namespace=job.namespace,
            job_id=job.id,
            type=job.type,
            priority=job.priority,
            status=EvalStatus.PENDING,
            triggered_by=Trigger.NODE_UPDATE,
            job_modify_index=job.modify_index,
            create_time_ns=self.now_ns,
            modify_time_ns=self.now_ns,
        )
        self._apply(ask.EvalUpdate(evals=(evaluation,)))
        return self.state.evals[evaluation.id]

    def _submit(self, plan: Plan) -> Answer:
        """Judge a plan by the state that it was made from, and commit what fits."""
        result = evaluate_plan(self.state, plan, profile=self.profile)
        self._evals += 1
        ids = tuple(f"eval-{self._evals}-{number}" for number in range(len(self.state.jobs)))
        commit = Commit(self.now_ns, ids, _KEYRING)
        self._apply(build_entry(self.state, self.state, plan, result, commit))
        return Answer(
            result=self._answer(result), new_state=Snapshot.of(self.state) if result.refresh_index else None
        )

    def _answer(self, result: PlanResult) -> PlanResult:
        placed = {
            node_id: tuple(self.state.allocs.get(alloc.id, alloc) for alloc in allocs)
            for node_id, allocs in result.node_allocation.items()
        }
        return replace(result, node_allocation=placed, alloc_index=self._index)

    def _apply(self, request: Struct) -> None:
        self._index += 1
        entry = Entry(self._index, request)
        self.state = apply(self.state, entry, now_ns=self.now_ns, profile=self.profile).state


def live_through(
    history: History,
    *,
    profile: Profile,
    names: Names | None = None,
    choices: Choices | None = None,
) -> Iterator[Decision]:
    """Take the steps of a history one after the other, and give every decision as it is made."""
    cluster = Cluster(names or Names(), profile, choices or FreeChoices(history.seed))
    cluster.begin(history)
    for step in history.steps:
        yield from cluster.take(step)
