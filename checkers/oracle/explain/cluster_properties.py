"""Asks the properties of whole clusters on the way of a recorded one, as far as its state shows them.

What only the memory of a leader could tell is not in a log: properties that read it are left out. Of workers
it is known which state the plan that they committed was made on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import Final

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.explain.redelivered_calls import list_snapshots
from nomadspec.checkers.oracle.trace_replay import Replay
from nomadspec.checkers.oracle.trace_replay import Step as LoggedStep
from nomadspec.invariants.cluster.world.catalogue import list_properties
from nomadspec.invariants.cluster.world.registry import Property, Scope, Step
from nomadspec.model.cluster.acts import (
    Act,
    CollectGarbage,
    CommitPlan,
    DrainNodes,
    EvaluateJob,
    ReportAllocs,
    UpdateEval,
    WatchDeployments,
)
from nomadspec.model.cluster.entities import Evaluation
from nomadspec.model.cluster.store import requests as asked
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.world import Delivered, Settings, Worker, World, make_world, with_worker
from nomadspec.model.lifecycle.deployment import DEPLOYMENT
from nomadspec.model.lifecycle.table import list_open, spell
from nomadspec.model.specification.profiles import Profile

_SHOWN: Final = {
    "allocs": "allocs",
    "evals": "evals",
    "jobs": "jobs",
    "nodes": "nodes",
    "deployments": "deployments",
    "summaries": "job_summaries",
    "versions": "job_versions",
}
"""The parts of a world that a log shows, and what a state calls them."""
_PARTS: Final = tuple(_SHOWN)
_get_parts: Final = attrgetter(*_SHOWN.values())
_WORKER: Final = "a worker"
_STRIDE: Final = 16
"""What does not pass by itself is asked after so many entries, and at the end."""
_LASTING: Final = frozenset(
    {
        "blocked_eval_of_system_job_names_node",
        "chain_of_evals_has_no_cycle",
        "chain_of_replacements_has_no_cycle",
        "core_eval_is_never_stored",
        "indexes_are_in_order",
        "links_of_evals_lead_back",
        "reschedules_are_told_in_order",
        "snapshot_of_eval_is_older_than_its_entry",
        "versions_of_job_are_kept_once",
    }
)
"""Properties of rows that are broken as long as the row is there."""


class Broken(msgspec.Struct, frozen=True):
    """A property that an entry breaks, and by what."""

    at: int
    """The place of the entry among the steps."""
    step: Step
    promise: Property
    witness: str

    @property
    def index(self) -> int:
        """Give the index of the entry, after which the state is."""
        return self.step.after.state.latest_index

    @property
    def subject(self) -> str:
        """Give what is broken: the kind and the name with which each witness begins."""
        return " ".join(self.witness.split()[:2])


@cache
def list_shown() -> tuple[Property, ...]:
    """List the properties that a log can show to be broken."""
    return tuple(
        each for each in list_properties(Scope.ALWAYS, Scope.STEP) if _SHOWN.keys() >= set(each.reads)
    )


def list_broken(replay: Replay, profile: Profile, promises: Sequence[Property] = ()) -> Iterator[Broken]:
    """List what each entry of a log breaks, of some properties or of all; what stays broken is told once."""
    asker = _Asker(tuple(_list_steps(replay, profile)), tuple(_list_touched(replay)))
    asked = promises or list_shown()
    lasting = [each for each in asked if each.name in _LASTING]
    passing = [each for each in asked if each.name not in _LASTING]
    by_touched = {
        parts: [each for each in passing if each.is_touched(parts)] for parts in frozenset(asker.touched)
    }
    for start in range(0, len(asker.steps), _STRIDE):
        stretch = range(start, min(start + _STRIDE, len(asker.steps)))
        for at in stretch:
            for each in by_touched[asker.touched[at]]:
                if found := asker.ask(each, at):
                    yield from found
        for each in lasting:
            yield from asker.ask_stretch(each, stretch)


def _list_steps(replay: Replay, profile: Profile) -> Iterator[Step]:
    """List what each entry of a log does to the world, as far as it shows one."""
    world = make_world(Settings(profile=profile), workers=0)
    before = replace(world, state=make_initial_state())
    for logged, held in zip(replay.steps, _list_held(replay), strict=True):
        after = replace(world, state=logged.applied.state)
        yield Step(_give_plan(before, held), find_act(logged), after)
        before = after


def _list_touched(replay: Replay) -> Iterator[frozenset[str]]:
    """List which parts each entry of a log has changed, of those that a log shows."""
    before = _get_parts(make_initial_state())
    for logged in replay.steps:
        after = _get_parts(logged.applied.state)
        yield frozenset(name for name, old, new in zip(_PARTS, before, after, strict=True) if old is not new)
        before = after


@dataclass(frozen=True, slots=True)
class _Asker:
    """Asks properties of steps, and remembers what was broken already."""

    steps: Sequence[Step]
    touched: Sequence[frozenset[str]]
    """What each step has changed."""
    known: dict[str, frozenset[str]] = field(default_factory=dict)

    def ask(self, promise: Property, at: int) -> Sequence[Broken]:
        """Ask a property of one step, which has changed something that it reads."""
        witnesses, known = promise.list_witnesses(self.steps[at]), self.known.get(promise.name)
        if not witnesses and not known:
            return ()
        found = [Broken(at, self.steps[at], promise, each) for each in witnesses]
        if promise.scope is Scope.ALWAYS:
            self.known[promise.name] = frozenset(each.subject for each in found)
        return [each for each in found if known is None or each.subject not in known]

    def ask_stretch(self, promise: Property, stretch: range) -> Iterator[Broken]:
        """Ask a property after some steps, and of each of them only where it is broken then."""
        touched = [at for at in stretch if promise.is_touched(self.touched[at])]
        if touched:
            whole = Step(self.steps[stretch[0]].before, None, self.steps[stretch[-1]].after)
            if promise.list_witnesses(whole):
                yield from (broken for at in touched for broken in self.ask(promise, at))


def _list_held(replay: Replay) -> Iterator[Delivered | None]:
    """List for each entry what its worker held; nothing where the state is not known that it saw."""
    snapshots = list_snapshots(replay)
    for logged in replay.steps:
        request, index = logged.typed.entry.request, logged.typed.entry.index
        if not isinstance(request, asked.ApplyPlanResults):
            yield None
            continue
        least = next((each for each in reversed(snapshots[request.eval_id]) if each < index), 0)
        entry = Evaluation(id=request.eval_id)
        yield Delivered(eval=entry, token="", number=0, wait_index=0, snapshot_index=least)


def _give_plan(world: World, held: Delivered | None) -> World:
    return world if held is None else with_worker(world, Worker(id=_WORKER, held=held))


def find_act(logged: LoggedStep) -> Act:
    """Find by whom an entry was made, as far as properties ask for it.

    Only an operator pauses a deployment and lets it go on.
    """
    request = logged.typed.entry.request
    match request:
        case asked.DeploymentUpdateStatus(deployment_update=update) if update is not None:
            return _OPERATOR if update.status in _CALLED else _ACTS[asked.DeploymentUpdateStatus]
        case asked.EvalDelete(user_initiated=True):
            return _OPERATOR
    return _ACTS.get(type(request), _OPERATOR)


_CALLED: Final = spell(list_open(DEPLOYMENT))
_OPERATOR: Final = EvaluateJob(job_id="")
_COLLECTOR: Final = CollectGarbage(worker=_WORKER)
_ACTS: Final[Mapping[type, Act]] = {
    asked.AllocClientUpdate: ReportAllocs(node=""),
    asked.ApplyPlanResults: CommitPlan(),
    asked.BatchNodeUpdateDrain: DrainNodes(),
    asked.DeploymentDelete: _COLLECTOR,
    asked.DeploymentUpdateStatus: WatchDeployments(),
    asked.EvalDelete: _COLLECTOR,
    asked.EvalUpdate: UpdateEval(worker=_WORKER),
    asked.JobBatchDeregister: _COLLECTOR,
    asked.NodeBatchDeregister: _COLLECTOR,
}
"""Who makes an entry; everything else is asked for by operators and clients."""
