"""Compares what was read of a running cluster with the states that it may have been read from."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.compare import Rules, compare, compare_rows
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.plain_json import write_plain
from nomadspec.checkers.oracle.reads.endpoints import READ_BESIDE, SHOWN_BESIDE, Endpoint, find_endpoint
from nomadspec.checkers.oracle.reads.payload import unpack
from nomadspec.checkers.oracle.reads.reading import Read, list_reads
from nomadspec.checkers.oracle.store_rows import name_record
from nomadspec.checkers.oracle.trace_allowed import (
    LOST_BYTES,
    Clock,
    FindEval,
    allow_clock,
    allow_lost_bytes,
    allow_memory,
)
from nomadspec.checkers.oracle.trace_replay import Replay, Step
from nomadspec.checkers.oracle.trace_stream import list_made
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.codec.computed import list_computed
from nomadspec.model.cluster.entities import Allocation, Evaluation, Job, Node, TaskState
from nomadspec.model.cluster.entities.evaluation import list_related
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.tables import (
    CONFIGURATION,
    EVALS,
    JOB_VERSIONS,
    NAMESPACES,
    NODE_POOLS,
    TABLES,
)

_RULES: Final[Rules] = (
    ("RelatedEvals", "WIRE-032"),
    ("JobVersion", "WIRE-040"),
    ("", "WIRE-134"),
)


_JUDGED_AT_END: Final = frozenset({CONFIGURATION, NAMESPACES, NODE_POOLS})
"""No dump of tables holds these: what is read of them in the end is compared with the very last state."""


class Surroundings(msgspec.Struct, frozen=True):
    """What is known beside a read."""

    replay: Replay
    clock: Clock
    find_eval: FindEval
    """Finds an evaluation that was made at any time."""
    gaps: frozenset[int]
    is_cut: bool
    """Whether entries may be missing at the end of the log."""


def compare_reads(
    folder: Path, replay: Replay, clock: Clock, context: Context, *, is_cut: bool
) -> Iterator[Difference]:
    """Compare each answer with the states that bear the index in its header: one of them has to be shown.

    An object may be read later than it was written, and a server that shares memory with its leader shows
    what it shows in events.

    Spec: WIRE-013, WIRE-020, WIRE-021, WIRE-134.
    """
    around = Surroundings(replay, clock, list_made(replay).get, replay.list_gaps(), is_cut)
    last = replay.steps[-1].typed.entry.index
    for told in list_reads(folder, context):
        endpoint = find_endpoint(told.path)
        if endpoint is None or told.index is None or told.index in around.gaps:
            continue
        if told.place.startswith("final") and endpoint.table in _JUDGED_AT_END:
            continue
        if told.index > last:
            context.miss(f"the log after entry {last}, and what was read then")
            continue
        yield from _compare_read(told, endpoint, around, context)


def _compare_read(
    told: Read, endpoint: Endpoint, around: Surroundings, context: Context
) -> Iterator[Difference]:
    """Compare a read with each state that it may show; what is told is how the nearest of them differs.

    Where the log was cut and its last state bears the index, the read may show what came after.
    """
    nearest: list[Difference] | None = None
    for state in _list_states(told.index or 0, endpoint, around.replay):
        tried = Context(profile=context.profile)
        found = list(_compare_bodies(told, endpoint, state, around, tried))
        if not found:
            context.forgiven.update(tried.forgiven)
            return
        if nearest is None or len(found) < len(nearest):
            nearest = found
    last = around.replay.steps[-1]
    if around.is_cut and endpoint.find_index(last.applied.state) == told.index:
        context.miss(f"the log after entry {last.typed.entry.index}, and what was read then")
    elif nearest is None:
        yield Difference(f"{told.place}.index", told.index, "no state bears this index", "WIRE-020")
    else:
        yield from nearest


def _list_states(index: int, endpoint: Endpoint, replay: Replay) -> Iterator[State]:
    """List the states whose answer bears an index, each that shows other rows than the one before."""
    steps = replay.steps
    first = bisect_left(steps, index, key=lambda step: step.typed.entry.index)
    known: list[int] | None = None
    for step in steps[first:] if index else (steps[0],):
        for state in _list_visible(step):
            if endpoint.find_index(state) != index:
                continue
            rows = list(map(id, _list_shown(endpoint, state))) if endpoint.name else None
            if rows is None or rows != known:
                yield state
            known = rows
        if step.typed.entry.index > index and endpoint.find_index(step.applied.state) != index:
            return


def _list_visible(step: Step) -> Iterator[State]:
    """List the states that an entry makes visible, one for each of its transactions.

    Spec: WIRE-087.
    """
    yield from (each.after for each in step.applied.transactions)
    yield step.applied.state


def _list_shown(endpoint: Endpoint, state: State) -> Iterator[Any]:
    """List the rows of an answer about one object, with all that may be shown in part beside it."""
    for row in endpoint.list_rows(state):
        yield row
        if isinstance(row, Evaluation):
            yield from state.list_evals_of_job(row.namespace, row.job_id)


def _compare_bodies(
    told: Read, endpoint: Endpoint, state: State, around: Surroundings, context: Context
) -> Iterator[Difference]:
    model = {name_record(endpoint.table, row): row for row in endpoint.list_rows(state)}
    for at, raw in enumerate(endpoint.list_bodies(told.body)):
        path = f"{told.place}.body[{at}]"
        beside = SHOWN_BESIDE.get(TABLES[endpoint.table].record, {}) if endpoint.is_stub else {}
        unknown: list[str] = []
        row: Any = read(TABLES[endpoint.table].record, _leave_out(raw, beside), unknown, source=path)
        own = model.pop(name_record(endpoint.table, row), None)
        if own is None:
            yield Difference(path, name_record(endpoint.table, row), ABSENT, "WIRE-134")
            continue
        for name in () if endpoint.is_stub else unknown:
            yield Difference(f"{path}.{name}", "is there", ABSENT, "WIRE-134")
        yield from _compare_beside(raw, own, beside, state, path)
        yield from _compare_row(raw, row, own, endpoint, around, context, path)
        if isinstance(row, Evaluation):
            yield from _compare_related(raw, row, state, around, context, path)
    for name in model:
        yield Difference(f"{told.place}.body", ABSENT, name, "WIRE-134")


def _leave_out(raw: Any, names: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- whatever stands in an answer
    """Leave members out of an object; what is no object is left to its reader, who refuses it."""
    return {name: value for name, value in raw.items() if name not in names} if isinstance(raw, dict) else raw


def _compare_row(
    raw: Mapping[str, Any],
    row: Any,  # noqa: ANN401 -- a row of any table
    own: Any,  # noqa: ANN401 -- the same
    endpoint: Endpoint,
    around: Surroundings,
    context: Context,
    path: str,
) -> Iterator[Difference]:
    row, own = _show(row), _show(own)
    if endpoint.table != JOB_VERSIONS:
        own = _unpack(own, row, context)
    row = allow_lost_bytes(allow_clock(row, own, around.clock, context), own, context)
    if isinstance(row, Evaluation):
        row = allow_memory(row, own, around.find_eval, context)
    if not endpoint.is_stub:
        yield from compare_rows(row, own, path, _RULES)
    else:
        told, model = write_plain(row), write_plain(own)
        hidden = {
            *list_computed(type(own)),
            *SHOWN_BESIDE.get(type(own), {}),
            *(name for name, value in raw.items() if value is None),
        }
        shown = raw.keys() - hidden
        told = {name: value for name, value in told.items() if name in shown}
        model = {name: value for name, value in model.items() if name in shown}
        yield from compare(told, model, path, _RULES)


def _compare_beside(
    raw: Mapping[str, Any],
    own: Any,  # noqa: ANN401 -- a row of any table
    beside: Mapping[str, Any],
    state: State,
    path: str,
) -> Iterator[Difference]:
    """Compare what is told beside the members of a row, and follows from them."""
    for name, compute in list_computed(type(own)).items():
        if name in raw:
            yield from compare(raw[name], compute(own), f"{path}.{name}", _RULES)
    for name, show in beside.items():
        if name in raw:
            shown = raw[name]
            if name in READ_BESIDE:
                shown = write_plain(read(READ_BESIDE[name], shown, source=f"{path}.{name}"))
            yield from compare(shown, show(own, state), f"{path}.{name}", _RULES)


def _compare_related(
    raw: Mapping[str, Any], row: Evaluation, state: State, around: Surroundings, context: Context, path: str
) -> Iterator[Difference]:
    """Compare the evaluations that are told in part beside one with what its links lead to.

    What the memory of the leader shows before it is written leads on, too: the links of the answer count.

    Spec: EVAL-31, OBJ-184, WIRE-032, WIRE-033.
    """
    if not row.related_evals:
        return
    stubs = list(raw["RelatedEvals"])
    parts = [read(Evaluation, stub, [], source=f"{path}.RelatedEvals") for stub in stubs]
    known = {part.id: part for part in parts}
    model = list_related(row, lambda name: known.get(name) or state.find_eval(name))
    told = [each.id for each in parts]
    yield from compare(told, [each.id for each in model], f"{path}.RelatedEvals", _RULES)
    for at, (stub, part) in enumerate(zip(stubs, parts, strict=True)):
        own, place = state.find_eval(part.id), f"{path}.RelatedEvals[{at}]"
        if own is None:
            yield Difference(place, part.id, ABSENT, "WIRE-032")
        else:
            yield from _compare_row(stub, part, own, _RELATED, around, context, place)


_RELATED: Final = Endpoint(EVALS, is_stub=True)


def _show(row: Any) -> Any:  # noqa: ANN401 -- a row of any table
    """Leave out what reads hide or add: identities, secrets, words for events, and related evaluations.

    Spec: WIRE-006, WIRE-032, WIRE-042, WIRE-047.
    """
    match row:
        case Allocation():
            tasks = {name: _without_words(task) for name, task in row.task_states.items()}
            return replace(row, signed_identities={}, task_states=tasks)
        case Evaluation():
            return replace(row, related_evals=())
        case Node():
            return replace(row, secret_id="")
    return row


def _unpack(own: Any, told: Any, context: Context) -> Any:  # noqa: ANN401 -- rows of any table
    """Show the payload of a job as reads of one job or allocation do: plain. Old versions show it packed.

    Where the log has lost bytes of it, nobody knows what it was.

    Spec: WIRE-042, WIRE-102.
    """
    if isinstance(own, Allocation) and own.job is not None and isinstance(told, Allocation) and told.job:
        return replace(own, job=_unpack(own.job, told.job, context))
    if not isinstance(own, Job) or not own.payload:
        return own
    plain = unpack(own.payload)
    if plain is None and "\ufffd".encode() in own.payload:
        context.forgive(LOST_BYTES)
        plain = told.payload
    return own if plain is None else replace(own, payload=plain)


def _without_words(task: TaskState | None) -> TaskState | None:
    return task and replace(task, events=tuple(replace(each, display_message="") for each in task.events))
