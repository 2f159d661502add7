"""One call of a scheduler that a file asks for: what it is given, and who answers its plans."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from nomadspec.checkers.oracle.families.scheduler_reading import Jobs, Tables, Vector, read_row, read_vector
from nomadspec.checkers.oracle.families.scheduler_replay import Replay, Unanswered
from nomadspec.checkers.oracle.limits import LIMITS, Limits
from nomadspec.checkers.scheduling.documents import Documents, list_files, read_each
from nomadspec.invariants.cluster.scheduler import Decision
from nomadspec.model.cluster.entities import Allocation, Evaluation, Plan, PlanResult
from nomadspec.model.cluster.entities.evaluation import is_open
from nomadspec.model.cluster.scheduler.choices import Choices, FreeChoices
from nomadspec.model.cluster.scheduler.outcome import Answer, Outcome, Submit, SubmitOnly
from nomadspec.model.cluster.scheduler.schedule import schedule
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.errors import InputError, UnknownNameError, UsageError
from nomadspec.model.specification.profiles import Profile

_VECTOR: Final = ("state", "eval", "choices", "outcome")
_SCHEDULERS: Final = ("service", "batch", "system", "sysbatch")


@dataclass(frozen=True, slots=True)
class Case:
    """One call of a scheduler."""

    snapshot: Snapshot
    evaluation: Evaluation
    scheduler: str
    now_ns: int
    choices: Choices
    submit: Submit

    @property
    def lacks_job(self) -> bool:
        """True if there is no such job, as after a purge."""
        return self.snapshot.find_job(self.evaluation.namespace, self.evaluation.job_id) is None

    @property
    def node_names(self) -> dict[str, str]:
        """What operators call the nodes, by ID."""
        return {node.id: node.name for node in self.snapshot.nodes}

    def freed(self) -> Case:
        """Leave aside what was recorded: choose freely, and take every plan whole."""
        snapshot = self.snapshot
        return dataclasses.replace(
            self, choices=FreeChoices(0), submit=lambda plan: Answer(result=take_whole(plan, snapshot))
        )

    def run(self, *, with_reasons: bool, profile: Profile) -> Outcome:
        """Make the call."""
        try:
            return schedule(
                self.snapshot,
                self.evaluation,
                self.now_ns,
                self.choices,
                SubmitOnly(self.submit),
                scheduler=self.scheduler,
                with_reasons=with_reasons,
                profile=profile,
            )
        except Unanswered:
            raise InputError(
                self.evaluation.id, "the scheduler hands over one plan more than was answered"
            ) from None


def read_case(path: Path, eval_id: str | None, limits: Limits = LIMITS) -> Case:
    """Read what a file or folder asks for; an ID tells which of several evaluations is meant."""
    if not path.exists():
        raise InputError(str(path), "there is no such file or folder")
    vectors = [each for file in list_files(path, limits) for each in _list_vectors(read_each(file, limits))]
    if vectors:
        return _read_recorded(_choose_vector(vectors, eval_id))
    return _read_cluster(Documents.read(path, limits), str(path), eval_id)


def _list_vectors(documents: Iterable[object]) -> Iterator[Mapping[str, Any]]:
    """List the recorded calls among documents, also where one holds a list of them."""
    for document in documents:
        for each in document if isinstance(document, list) else [document]:
            if isinstance(each, Mapping) and all(name in each for name in _VECTOR):
                yield each


def _choose_vector(vectors: list[Mapping[str, Any]], eval_id: str | None) -> Vector:
    read = [read_vector(each) for each in vectors]
    if eval_id is None and len(read) == 1:
        return read[0]
    names = {name: vector for vector in read for name in (vector.id, str(vector.eval.get("ID", "")))}
    if eval_id is None:
        example = f", such as --eval {read[0].id}" if read else ""
        raise UsageError(
            f"there are {len(read)} recorded calls in this file: say which one with --eval ID{example}"
        )
    return names[_find_id("recorded call", eval_id, names)]


def _find_id(kind: str, given: str, known: Iterable[str]) -> str:
    """Find the ID that is meant: like Nomad's command line, by how it begins, where only one begins so."""
    names = list(known)
    if given in names:
        return given
    found = [name for name in names if given and name.startswith(given)]
    if len(found) > 1:
        raise UsageError(f"Several IDs begin with {given!r}: {', '.join(found)}.")
    if not found:
        raise UnknownNameError(kind, given, names)
    return found[0]


def decide_as_recorded(document: Any, profile: Profile) -> Decision:  # noqa: ANN401 -- whatever a file holds
    """Make a recorded decision again; what was committed is not looked at, so it ends as it began."""
    case = _read_recorded(read_vector(document))
    outcome = case.run(with_reasons=False, profile=profile)
    return Decision(
        before=case.snapshot,
        evaluation=replace(case.evaluation, type=case.scheduler),
        outcome=outcome,
        after=case.snapshot,
        now_ns=case.now_ns,
        profile=profile,
    )


def _read_recorded(vector: Vector) -> Case:
    """Make the recorded choices again, and give the plans the recorded answers."""
    jobs, unknown = Jobs.of(vector), list[str]()
    tables = Tables.of(vector, jobs)
    told = vector.outcome.plans or []
    recorded = [
        jobs.read_plan(each.plan, f"outcome.plans[{turn}].plan", unknown) for turn, each in enumerate(told)
    ]
    return Case(
        snapshot=tables.build(),
        evaluation=read_row(Evaluation, vector.eval, "eval"),
        scheduler=vector.scheduler,
        now_ns=vector.now_ns,
        choices=vector.choices.replay(),
        submit=Replay(told, recorded, tables).submit,
    )


def _read_cluster(documents: Documents, source: str, eval_id: str | None) -> Case:
    """Choose freely, and take every plan whole; the time is that of the latest change."""
    snapshot = documents.build_snapshot()
    evaluation = _choose_evaluation(documents.find_all(Evaluation), source, eval_id)
    job = snapshot.find_job(evaluation.namespace, evaluation.job_id)
    scheduler = evaluation.type or (job.type if job else "")
    if scheduler not in _SCHEDULERS:
        raise InputError(
            source, f"there is no scheduler for evaluations of type {scheduler!r}", at=evaluation.id
        )
    times = [evaluation.modify_time_ns, evaluation.create_time_ns, evaluation.wait_until_ns]
    times += [alloc.modify_time_ns for alloc in snapshot.state.allocs.values()]
    return Case(
        snapshot=snapshot,
        evaluation=evaluation,
        scheduler=scheduler,
        now_ns=max(times),
        choices=FreeChoices(0),
        submit=lambda plan: Answer(result=take_whole(plan, snapshot)),
    )


def _choose_evaluation(known: list[Evaluation], source: str, eval_id: str | None) -> Evaluation:
    by_id = {evaluation.id: evaluation for evaluation in known}
    if eval_id is not None:
        return by_id[_find_id("evaluation", eval_id, by_id)]
    waiting = [evaluation for evaluation in known if is_open(evaluation)]
    if not known:
        hint = "fetch some: `nomad operator api /v1/evaluations > evaluations.json`"
        raise InputError(source, "there is no evaluation in it", hint=hint)
    if len(waiting) != 1:
        latest = max(waiting or known, key=lambda evaluation: evaluation.modify_index)
        how_many = f"{len(waiting)} evaluations wait" if waiting else "no evaluation waits"
        raise UsageError(f"{how_many} to be processed: say which one with --eval ID, as --eval {latest.id}")
    return waiting[0]


def take_whole(plan: Plan, snapshot: Snapshot) -> PlanResult:
    """Take all of a plan, as an applier does that knows of nothing against it."""
    index = snapshot.latest_index + 1

    def stamp(alloc: Allocation) -> Allocation:
        is_new = snapshot.find_alloc(alloc.id) is None
        return replace(alloc, create_index=index if is_new else alloc.create_index, modify_index=index)

    return PlanResult(
        node_update=plan.node_update,
        node_allocation={node: tuple(map(stamp, allocs)) for node, allocs in plan.node_allocation.items()},
        node_preemptions=plan.node_preemptions,
        deployment=plan.deployment,
        deployment_updates=plan.deployment_updates,
        alloc_index=index,
    )
