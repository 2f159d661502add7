"""The entries that the drainer writes: marks on allocations, evaluations of their jobs, and ended drains."""

from collections.abc import Iterable, Mapping
from typing import Final

from nomadspec.model.cluster.components.new_eval import make_eval
from nomadspec.model.cluster.components.node_evals import MakeId
from nomadspec.model.cluster.entities import (
    Allocation,
    DesiredTransition,
    Evaluation,
    JobType,
    NodeEvent,
    Trigger,
)
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.store.requests import (
    AllocUpdateDesiredTransition,
    BatchNodeUpdateDrain,
    DrainUpdate,
    Request,
)
from nomadspec.model.cluster.store.state import State

MOST_IDS: Final = 7281
"""An entry names no more objects than this."""

COMPLETE: Final = "Node drain complete"


def make_marks(state: State, alloc_ids: Iterable[str], now_ns: int, make_id: MakeId) -> tuple[Request, ...]:
    """Tell allocations to move, with one evaluation for each of their jobs.

    Where there are too many for one entry, those with the evaluations come last.

    Spec: DRAIN-10, DRAIN-15, TRIG-11.
    """
    allocs = [alloc for alloc_id in sorted(alloc_ids) if (alloc := state.find_alloc(alloc_id)) is not None]
    if not allocs:
        return ()
    transitions = {alloc.id: _transition(alloc) for alloc in allocs}
    jobs = {(alloc.namespace, alloc.job_id): alloc.job for alloc in reversed(allocs) if alloc.job is not None}
    evals = tuple(make_eval(job, Trigger.NODE_DRAIN, make_id(), now_ns) for _, job in sorted(jobs.items()))
    return split_marks(transitions, evals)


def split_marks(
    transitions: Mapping[str, DesiredTransition | None], evals: tuple[Evaluation, ...]
) -> tuple[Request, ...]:
    """Split marks into entries of a bearable size: all allocations before the first evaluation.

    Spec: DRAIN-15.
    """
    names = list(transitions)
    chunks = [names[at : at + MOST_IDS] for at in range(0, len(names), MOST_IDS)] or [[]]
    room = MOST_IDS - len(chunks[-1])
    parts = [{name: transitions[name] for name in chunk} for chunk in chunks]
    requests = [AllocUpdateDesiredTransition(allocs=part) for part in parts[:-1]]
    requests.append(AllocUpdateDesiredTransition(allocs=parts[-1], evals=evals[:room]))
    rest = evals[room:]
    requests.extend(
        AllocUpdateDesiredTransition(evals=rest[at : at + MOST_IDS]) for at in range(0, len(rest), MOST_IDS)
    )
    return tuple(requests)


def _transition(alloc: Allocation) -> DesiredTransition:
    is_batch = alloc.job is not None and alloc.job.type == JobType.BATCH
    return DesiredTransition(migrate=True, migrate_disable_placement=True if is_batch else None)


def make_ends(node_ids: list[str], now_ns: int, *, is_late: bool) -> tuple[Request, ...]:
    """Remove the strategies of nodes, which stay ineligible.

    Spec: DRAIN-12, DRAIN-13, DRAIN-15.
    """
    event = NodeEvent(
        message=COMPLETE,
        subsystem="Drain",
        details={"deadline_reached": "true"} if is_late else {},
        timestamp_ns=now_ns,
    )
    chunks = [node_ids[at : at + MOST_IDS] for at in range(0, len(node_ids), MOST_IDS)]
    return tuple(
        BatchNodeUpdateDrain(
            updates=dict.fromkeys(chunk, DrainUpdate()),
            node_events=dict.fromkeys(chunk, event),
            updated_at_s=now_ns // NS_PER_S,
        )
        for chunk in chunks
    )
