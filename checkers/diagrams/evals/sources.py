"""Reads a history from a file: a scenario, the recording of a cluster, or what the HTTP API answers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final, TypeVar

from nomadspec.checkers.diagrams.evals.records import History
from nomadspec.checkers.diagrams.evals.tellers import Teller, ToldRun, tell_objects
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.limits import Limits
from nomadspec.checkers.oracle.reading import find_file, read_document
from nomadspec.checkers.oracle.trace_log import LOG, read_log
from nomadspec.checkers.oracle.trace_replay import read_run_clock
from nomadspec.checkers.report.stories import SCHEMA
from nomadspec.checkers.scenario.language import read_lines
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.checkers.scheduling.documents import Documents
from nomadspec.model.cluster.entities import Allocation, AllocationStub, Deployment, Evaluation
from nomadspec.model.cluster.store import apply
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import ApplyPlanResults
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import Profile

SCENARIO_ENDING: Final = ".scenario"
_STORY_ENDING: Final = ".json"

Row = TypeVar("Row", Evaluation, Allocation, Deployment)


def is_story(path: Path, limits: Limits) -> bool:
    """True if a file is a story of the kernel or of another model, which has a graph of its own."""
    if path.is_dir() or path.suffix != _STORY_ENDING:
        return False
    document = read_document(path, limits)
    return isinstance(document, dict) and document.get("schema") == SCHEMA


def read_history(path: Path, profile: Profile, limits: Limits) -> History:
    """Read what happened from whatever a path leads to."""
    if path.suffix == SCENARIO_ENDING:
        return play_scenario(path, profile)
    if path.is_dir() and find_file(path, LOG) is not None:
        return replay_recording(path, profile, limits)
    return read_objects(path, limits)


def play_scenario(path: Path, profile: Profile) -> History:
    """Play a scenario and tell what happened; what it expects does not matter here."""
    run = ToldRun(profile, path.parent)
    play_lines(read_lines(path), profile, run=run)
    return run.teller.tell(path.name)


def replay_recording(folder: Path, profile: Profile, limits: Limits) -> History:
    """Apply the log of a recorded cluster, entry by entry, and tell what happened."""
    state, teller = make_initial_state(), Teller()
    for typed in read_log(folder, Context(profile=profile, limits=limits)):
        request = typed.entry.request
        after = apply(state, typed.entry, now_ns=read_run_clock(request), profile=profile).state
        plans = [request] if isinstance(request, ApplyPlanResults) else []
        teller.follow(state, after, plans)
        state = after
    return teller.tell(folder.name)


def read_objects(path: Path, limits: Limits) -> History:
    """Read evaluations, allocations and deployments as the HTTP API answers them, alone or in lists."""
    documents = Documents.read(path, limits)
    allocs = [*documents.find_all(Allocation), *map(_expand, documents.find_all(AllocationStub))]
    evals = _keep_newest(documents.find_all(Evaluation))
    if not evals:
        hint = "give a .scenario, the folder of a recording, or what /v1/evaluations answers"
        raise InputError(str(path), "there is no evaluation in it", hint=hint)
    deployments = _keep_newest(documents.find_all(Deployment))
    return tell_objects(path.name, evals, _keep_newest(allocs), deployments)


def _expand(stub: AllocationStub) -> Allocation:
    shared = set(Allocation.__struct_fields__) & set(AllocationStub.__struct_fields__)
    return Allocation(**{name: getattr(stub, name) for name in sorted(shared)})


def _keep_newest(rows: Iterable[Row]) -> list[Row]:
    """Keep each object once, as it was last; of two that are equally new the one that was read first."""
    kept: dict[str, Row] = {}
    for row in rows:
        if row.id not in kept or kept[row.id].modify_index < row.modify_index:
            kept[row.id] = row
    return list(kept.values())
