"""The page of triggers: of each reason to make an evaluation its fields, and a scenario where it is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from nomadspec.checkers.reference.citations import anchor
from nomadspec.checkers.reference.markdown import code, codes, heading, items, page
from nomadspec.checkers.scenario.language import read_lines
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.acts import Act
from nomadspec.model.cluster.acts.registry import show
from nomadspec.model.cluster.entities import Evaluation, Trigger
from nomadspec.model.cluster.world import World
from nomadspec.model.specification.profiles import NOMAD_2_0, Profile

FOLDER: Final = "docs/scenarios"
_ABOUT: Final = (
    "An evaluation says why it was made. Here is each of the 18 reasons, the rules about it, which fields "
    "are set beyond those that every evaluation has (ID, job, type, priority, status, indexes, times), "
    "and a scenario in which it is made. The page is written by playing the scenarios."
)
USUAL: Final = frozenset(
    {
        "id",
        "namespace",
        "job_id",
        "type",
        "priority",
        "status",
        "triggered_by",
        "create_index",
        "modify_index",
        "create_time_ns",
        "modify_time_ns",
    }
)
"""What every evaluation has.

Spec: TRIG-02.
"""


class Reason(Struct, frozen=True):
    """One way in which evaluations of a trigger are made: the rules, and the fields that are set."""

    spec: tuple[str, ...]
    fields: frozenset[str] = frozenset()
    """Set in each of them."""
    sometimes: frozenset[str] = frozenset()
    """Set where there is something to say."""


def _reason(spec: str, fields: str = "", sometimes: str = "") -> Reason:
    return Reason(tuple(spec.split()), frozenset(fields.split()), frozenset(sometimes.split()))


_LATER: Final = "job_modify_index previous_eval snapshot_index wait_until_ns"
_BLOCKED: Final = "previous_eval snapshot_index status_description"
_WHY_BLOCKED: Final = (
    "class_eligibility deployment_id escaped_computed_class failed_tg_allocs job_modify_index node_id "
    "queued_allocations"
)

REASONS: Final[Mapping[tuple[Trigger, str], Reason]] = MappingProxyType(
    {
        (Trigger.JOB_REGISTER, "operator"): _reason("TRIG-03 TRIG-04 TRIG-05a", "", "job_modify_index"),
        (Trigger.JOB_DEREGISTER, "operator"): _reason("TRIG-06", "job_modify_index"),
        (Trigger.PERIODIC_JOB, "operator"): _reason("TRIG-08", "job_modify_index"),
        (Trigger.PERIODIC_JOB, "periodic dispatcher"): _reason("TRIG-08", "job_modify_index"),
        (Trigger.PERIODIC_JOB, "leader"): _reason("TRIG-08", "job_modify_index"),
        (Trigger.NODE_UPDATE, "client"): _reason("TRIG-09 TRIG-10", "node_id node_modify_index"),
        (Trigger.NODE_UPDATE, "leader"): _reason("TRIG-09 TRIG-10", "node_id node_modify_index"),
        (Trigger.NODE_UPDATE, "operator"): _reason("TRIG-09 TRIG-10", "node_id node_modify_index"),
        (Trigger.NODE_DRAIN, "drainer"): _reason("TRIG-11"),
        (Trigger.ALLOC_STOP, "operator"): _reason("TRIG-12", "job_modify_index"),
        (Trigger.ALLOC_FAILURE, "client"): _reason("TRIG-13"),
        (Trigger.ALLOC_FAILURE, "worker"): _reason("TRIG-16b", _LATER, "status_description"),
        (Trigger.RECONNECT, "client"): _reason("TRIG-14"),
        (Trigger.ALLOC_RESCHEDULE, "worker"): _reason("TRIG-16a", f"{_LATER} status_description"),
        (Trigger.MAX_DISCONNECT_TIMEOUT, "worker"): _reason("TRIG-17", f"{_LATER} status_description"),
        (Trigger.QUEUED_ALLOCS, "worker"): _reason("TRIG-18", _BLOCKED, _WHY_BLOCKED),
        (Trigger.MAX_PLAN_ATTEMPTS, "worker"): _reason("TRIG-19", _BLOCKED, _WHY_BLOCKED),
        (Trigger.PREEMPTION, "log"): _reason("TRIG-20"),
        (Trigger.DEPLOYMENT_WATCHER, "deployment watcher"): _reason("TRIG-21", "deployment_id"),
        (Trigger.DEPLOYMENT_WATCHER, "operator"): _reason("TRIG-21", "deployment_id"),
        (Trigger.JOB_SCALING, "operator"): _reason("TRIG-22", "job_modify_index"),
        (Trigger.FAILED_FOLLOW_UP, "leader"): _reason("TRIG-23", "previous_eval wait_ns", "job_modify_index"),
        (Trigger.SCHEDULED, "leader"): _reason("TRIG-25", "leader_acl"),
    }
)
"""Each trigger by who makes evaluations of it."""

NEVER: Final[Mapping[Trigger, str]] = MappingProxyType(
    {Trigger.ROLLING_UPDATE: "Nothing makes such an evaluation, although schedulers accept it (TRIG-24)."}
)
"""The triggers of which no evaluation is made."""


class Made(Struct, frozen=True):
    """An evaluation as it was made."""

    trigger: Trigger
    actor: str
    act: str
    fields: frozenset[str]
    """What is set beyond what is usual."""
    eval_id: str


class Noting(Run):
    """A run of a scenario that notes each evaluation as it is made."""

    def __init__(self, profile: Profile) -> None:
        """Begin with none."""
        self.made: list[Made] = []
        super().__init__(profile)

    def take(self, one: Act) -> None:
        """Take an act, and note what it makes."""
        before = self.world
        super().take(one)
        for entry in _list_made(before, self.world):
            made = Made(Trigger(entry.triggered_by), one.actor, show(one), list_fields(entry), entry.id)
            self.made.append(made)


def _list_made(before: World, after: World) -> Iterator[Evaluation]:
    """List what is new in the store, and what the leader has put into the broker alone."""
    if before.state.evals is not after.state.evals:
        yield from (row for key, row in after.state.evals.items() if key not in before.state.evals)
    known, now = before.leader.memory.broker, after.leader.memory.broker
    queues = now.queues.items() if known.queues is not now.queues else ()
    for _, queue in queues:
        for entry in queue.ready:
            if entry.id not in known.known and entry.id not in after.state.evals:
                yield entry


def list_fields(entry: Evaluation) -> frozenset[str]:
    """List the fields that are set beyond what every evaluation has."""
    names = (name for name in entry.__struct_fields__ if name not in USUAL)
    return frozenset(name for name in names if getattr(entry, name) not in ("", 0, None, (), False, {}))


def list_made(root: Path) -> Iterator[tuple[Path, Made]]:
    """Play the scenarios, and list each evaluation that is made in them."""
    for path in sorted((root / FOLDER).glob("*/*.scenario")):
        if path.parent.name == "findings":
            continue
        run = Noting(NOMAD_2_0)
        play_lines(read_lines(path), NOMAD_2_0, path.parent, run=run)
        yield from ((path, made) for made in run.made)


def compute_triggers_page(root: Path) -> str:
    """Write the page."""
    found: dict[tuple[Trigger, str], tuple[Path, Made]] = {}
    for path, made in list_made(root):
        found.setdefault((made.trigger, made.actor), (path.relative_to(root), made))
    return page("Triggers", _ABOUT, *(_part(trigger, found) for trigger in Trigger))


def _part(trigger: Trigger, found: Mapping[tuple[Trigger, str], tuple[Path, Made]]) -> str:
    facts = [NEVER[trigger]] if trigger in NEVER else []
    for (other, actor), reason in REASONS.items():
        if other is trigger:
            facts += _tell_reason(actor, reason, found.get((trigger, actor)))
    return "\n\n".join([heading(2, trigger.value, anchor("trigger", trigger.value)), items(facts)])


def _tell_reason(actor: str, reason: Reason, shown: tuple[Path, Made] | None) -> Iterator[str]:
    always, sometimes = codes(sorted(reason.fields), "nothing"), codes(sorted(reason.sometimes), "")
    also = f", sometimes {sometimes}" if sometimes else ""
    yield f"**By the {actor}** ({codes(reason.spec)}): sets {always}{also}."
    if shown is not None:
        path, made = shown
        yield f"**Story** {code(path.as_posix())}: {code(made.eval_id)} is made by {code(made.act)}."
