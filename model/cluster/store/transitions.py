"""Desired transitions: the entry that asks allocations to move, stop or be rescheduled."""

from nomadspec.model.cluster.store.alloc_writes import write_transition
from nomadspec.model.cluster.store.evals import write_evals
from nomadspec.model.cluster.store.requests import AllocUpdateDesiredTransition
from nomadspec.model.cluster.store.run import Run
from nomadspec.model.cluster.store.tables import ALLOCS


def ask_allocs(run: Run, request: AllocUpdateDesiredTransition) -> None:
    """Overlay what is asked of allocations, then write the evaluations; unknown ones are skipped.

    Spec: OBJ-411, ALLOC-15, JOB-32, FSM-03.
    """
    draft = run.begin()
    for alloc_id, asked in request.allocs.items():
        alloc = draft.allocs.get(alloc_id)
        if alloc is not None and asked is not None:
            write_transition(draft, alloc, asked)
    draft.touch(ALLOCS)
    write_evals(draft, request.evals)
    run.commit(draft)
    for evaluation in request.evals:
        run.hand_eval(evaluation)
