"""What every component of the kernel believes at the decisive step of a story, side by side.

The store says what is so. The broker and the blocked evaluations remember what they were given, a worker
plans by a snapshot that it took a while ago, the applier judges by one of its own that shows what is under
way, an entry of the log says what it will make so, and a client knows what it runs. Most findings are that
two of them disagree, and that one acts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nomadspec.checkers.report.table import render_table, strong
from nomadspec.model.kernel.statuses import UNENDED_ON_CLIENT
from nomadspec.model.language.story import Replay, Story
from nomadspec.model.lifecycle.table import label_of

MODEL: Final = "kernel"
NOTHING: Final = "-"

STORE: Final = "store"
BROKER: Final = "broker"
BLOCKED: Final = "blocked evals"
APPLIER: Final = "applier's snapshot"
CLIENT: Final = "client"

Cells = Mapping[str, object]
_NAME: Final = re.compile(r"([a-z_]+)\[(.*?)\]")
_GONE: Final = frozenset({"absent", "out", "NONE"})
_UNENDED: Final = frozenset(label_of(phase) for phase in UNENDED_ON_CLIENT)


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What components believe, thing by thing."""

    step: int
    """The step before which it is told; one more than there are where it is told of the end."""
    label: str
    """The step itself; empty at the end."""
    components: tuple[str, ...]
    rows: tuple[tuple[str, Mapping[str, str]], ...]
    """Each thing with what the components that know something of it believe."""

    def list_rows(self) -> list[tuple[str, ...]]:
        """List the rows of a table: the thing, then what each component believes."""
        return [(thing, *(told.get(name, NOTHING) for name in self.components)) for thing, told in self.rows]

    @property
    def heading(self) -> str:
        """Say when they believe it."""
        return f"before step {self.step}, {self.label}" if self.label else "in the end"


def compute_beliefs(story: Story, replay: Replay, decisive: int | None = None) -> Beliefs | None:
    """Compute what is believed before the decisive step of a story, or in the loop that never ends.

    Where nobody says which one is decisive it is the last.
    """
    if story.model != MODEL or not replay.moments:
        return None
    worlds = [replay.bounded.describe(cells) for cells in replay.worlds]
    is_last = story.loop is None and replay.failure is None
    at = len(worlds) - 2 if is_last else len(worlds) - 1
    at = decisive - 1 if decisive is not None else at
    told: dict[str, dict[str, str]] = {}
    for thing, component, text in _list_told(worlds[: at + 1]):
        told.setdefault(thing, {})[component] = text
    known = list(dict.fromkeys(name for by in told.values() for name in by))
    return Beliefs(
        step=at + 1,
        label=str(story.steps[at]) if at < len(story.steps) else "",
        components=tuple(sorted(known, key=_rank)),
        rows=tuple(told.items()),
    )


def render_beliefs(beliefs: Beliefs, title: str | None = None) -> str:
    """Write them for people: a line for each thing that somebody believes something of."""
    rows = [
        (thing, component, told[component])
        for thing, told in beliefs.rows
        for component in beliefs.components
        if component in told
    ]
    shown = [
        ("" if at and rows[at - 1][0] == thing else thing, *others)
        for at, (thing, *others) in enumerate(rows)
    ]
    heading = strong(title or f"What each believes {beliefs.heading}")
    return f"{heading}\n{render_table(('of', 'who', 'believes'), shown)}"


def beliefs_data(beliefs: Beliefs | None) -> dict[str, object] | None:
    """Write them as an object: docs/reference/json/story-report.json says what its fields mean."""
    if beliefs is None:
        return None
    return {
        "before_step": beliefs.step,
        "components": list(beliefs.components),
        "things": [{"name": thing, "believed": dict(told)} for thing, told in beliefs.rows],
    }


def _rank(component: str) -> tuple[int, str]:
    order = (STORE, BROKER, BLOCKED, "worker", APPLIER, "entry", CLIENT)
    return next(at for at, name in enumerate(order) if component.startswith(name)), component


def _list_told(worlds: Sequence[Cells]) -> Iterator[tuple[str, str, str]]:
    """List what is believed in the last of some worlds, as thing, component and text."""
    cells = worlds[-1]
    # A job comes before what belongs to it, wherever its columns are declared.
    for name in sorted(cells, key=lambda name: _split(name)[0] != "job_phase"):
        field, place = _split(name)
        match field:
            case "job_phase":
                yield from _tell_job(cells, place)
            case "eval_record" if cells[name] not in _GONE or cells[f"in_broker[{place}]"] not in _GONE:
                yield from _tell_eval(cells, place)
            case "alloc_phase" if cells[name] not in _GONE:
                yield from _tell_alloc(cells, place)
            case "node_up" if not name.startswith(("snapshot", "seen", "stale")):
                yield from _tell_node(cells, place)
            case "stage" if cells[f"job[{place}]"] != "NONE":
                yield from _tell_worker(worlds, place)
            case "entry_status" if cells[name] != "free":
                yield from _tell_plan(cells, "entry", place, str(cells[f"entry[{place}].job"]))


def _split(name: str) -> tuple[str, str]:
    found = _NAME.fullmatch(name)
    return (found[1], found[2]) if found else (name, "")


def _tell_job(cells: Cells, job: str) -> Iterator[tuple[str, str, str]]:
    ask = cells[f"job_ask[{job}]"]
    needs = f", needs {1 + ask} units" if isinstance(ask, int) and ask else ""
    yield job, STORE, f"{cells[f'job_phase[{job}]']}, version {cells[f'job_version[{job}]']}{needs}"
    if cells["has_snap"]:
        yield job, APPLIER, str(cells[f"snapshot.job_phase[{job}]"])
    if cells.get(f"deployment[{job}]", "absent") not in _GONE:
        version = cells[f"deployment_version[{job}]"]
        yield f"{job}'s deployment", STORE, f"{cells[f'deployment[{job}]']}, of version {version}"


def _tell_eval(cells: Cells, place: str) -> Iterator[tuple[str, str, str]]:
    thing = place.replace(", ", "'s ")
    record = cells[f"eval_record[{place}]"]
    yield thing, STORE, "no record" if record in _GONE else str(record)
    if cells[f"in_broker[{place}]"] not in _GONE:
        yield thing, BROKER, str(cells[f"in_broker[{place}]"]).replace("_", " ")
    if cells[f"blocked_in[{place}]"] not in _GONE:
        yield thing, BLOCKED, str(cells[f"blocked_in[{place}]"])


def _tell_alloc(cells: Cells, place: str) -> Iterator[tuple[str, str, str]]:
    thing, phase = place.replace(", ", "'s "), str(cells[f"alloc_phase[{place}]"])
    version = cells[f"alloc_version[{place}]"]
    told = f"{phase}, version {version}" if version else phase
    yield thing, STORE, _tell_room(told, cells[f"occupies[{place}]"])
    if cells["has_snap"]:
        yield thing, APPLIER, _tell_room("", cells[f"snapshot.occupies[{place}]"])
    if cells[f"is_reported[{place}]"]:
        yield thing, CLIENT, "has reported that it ended"
    elif phase in _UNENDED:
        yield thing, CLIENT, "has not reported an end"


def _tell_room(phase: str, node: object) -> str:
    room = "takes no room" if node in _GONE else f"takes room on {node}"
    return f"{phase}, {room}" if phase else room


def _tell_node(cells: Cells, node: str) -> Iterator[tuple[str, str, str]]:
    down = "disconnected" if cells[f"disconnected[{node}]"] else "down"
    yield node, STORE, _tell_open(cells, f"[{node}]", "", down)
    if cells["has_snap"]:
        yield node, APPLIER, _tell_open(cells, f"[{node}]", "snapshot.", "down")


def _tell_open(cells: Cells, place: str, whose: str, down: str) -> str:
    if not cells[f"{whose}node_up{place}"]:
        return down
    return "ready" if cells[f"{whose}eligible{place}"] else "ready, ineligible"


def _tell_worker(worlds: Sequence[Cells], worker: str) -> Iterator[tuple[str, str, str]]:
    """Tell what a worker does, what its plan says, and what its snapshot showed when it was made."""
    cells = worlds[-1]
    job, number = str(cells[f"job[{worker}]"]), cells[f"number[{worker}]"]
    stage = str(cells[f"stage[{worker}]"]).replace("_", " ")
    token = "" if cells[f"holds[{worker}]"] else ", with a token that is not valid"
    yield f"{job}'s {number}", worker, f"{stage}{token}"
    yield from _tell_plan(cells, "plan", worker, job)
    seen = next(
        (
            world
            for world in reversed(worlds)
            if world[f"stage[{worker}]"] == "planning" and world[f"number[{worker}]"] == number
        ),
        None,
    )
    if seen is not None:
        yield from _tell_snapshot(seen, worker, job)


def _tell_snapshot(seen: Cells, worker: str, job: str) -> Iterator[tuple[str, str, str]]:
    whose = f"{worker}'s snapshot"
    phase, version = seen[f"seen[{worker}].job_phase"], seen[f"seen[{worker}].job_version"]
    yield job, whose, "absent" if phase in _GONE else f"{phase}, version {version}"
    if (deployment := seen.get(f"seen[{worker}].deployment", "absent")) not in _GONE:
        of_version = seen[f"seen[{worker}].deployment_version"]
        yield f"{job}'s deployment", whose, f"{deployment}, of version {of_version}"
    for name, value in seen.items():
        place = name.removeprefix(f"seen[{worker}].")
        field, of = _split(place)
        if place == name:
            continue
        if field == "occupies" and value not in _GONE:
            yield of.replace(", ", "'s "), whose, _tell_room("", value)
        elif field == "node_up":
            yield of, whose, _tell_open(seen, f"[{of}]", f"seen[{worker}].", "not ready")


def _tell_plan(cells: Cells, kind: str, of: str, job: str) -> Iterator[tuple[str, str, str]]:
    """Tell what a plan, or an entry that carries one, makes so."""
    done, fields = [], f"{kind}[{of}]."
    for name, value in cells.items():
        field, place = _split(name.removeprefix(fields))
        if not name.startswith(fields) or value in _GONE or value is False:
            continue
        if field == "to":
            done.append(f"places {job} on {value}")
        elif field == "stops":
            done.append(f"stops {job}'s {place}")
        elif field == "keeps":
            status = cells.get(f"{fields}client_status[{place}]", "as_it_is")
            is_marked = status == "unknown"
            done.append(
                f"marks {job}'s {place} unknown" if is_marked else f"updates {job}'s {place} in place"
            )
        elif field == "preempted":
            done.append("preempts {}'s {}".format(*place.split(", ")))
    done += _tell_planned_deployment(cells, fields, job)
    if done:
        yield f"{job}'s plan", of, ", ".join(done)


def _tell_planned_deployment(cells: Cells, fields: str, job: str) -> Iterator[str]:
    """Tell what a plan writes of the deployment of its job, if jobs have deployments."""
    part = cells.get(f"{fields}deployment.part")
    if part == "new":
        yield f"begins a deployment of {job}"
    elif part == "whole":
        yield f"writes {job}'s deployment as {cells[f'{fields}deployment.status']}"
    if (update := cells.get(f"{fields}deployment.status_update", "absent")) not in _GONE:
        yield f"makes {job}'s deployment {update}"
