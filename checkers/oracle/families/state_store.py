"""Judges the recordings of the state store: what every log entry changed, table by table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.compare import Rules, compare, compare_sets, find_rule
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import ABSENT, Difference, Judge
from nomadspec.checkers.oracle.paths import step_into
from nomadspec.checkers.oracle.shape import Whole, read_shape
from nomadspec.checkers.oracle.store_rows import demand_covered, name_row, read_rows, spell_key, write_row
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.store import Applied, Entry, State, apply
from nomadspec.model.cluster.store.entries import find_request_type
from nomadspec.model.cluster.store.tables import NODE_POOLS

CLOCK_NS: Final = 1_577_836_800_000_000_000
"""What the server's own clock shows in the model: a time that no recording holds."""

CLOCK_TEXT: Final = "2020-01-01T"
NOW: Final = "NOW"
"""What a recording shows in place of a time that the server took from its clock."""

_CLOCK_MEMBERS: Final = frozenset({"Launch", "RequireProgressBy", "Timestamp"})
"""The members in which such times can stand."""

_NO_CONTENT: Final = frozenset({"Hash", "CreateIndex", "ModifyIndex"})
_CHECKSUM: Final = re.compile(r"[A-Za-z0-9+/]{43}=")

_RULES_BY_TYPE: Final[Mapping[str, str]] = {
    "NodeRegister": "OBJ-163",
    "NodeUpdateStatus": "OBJ-159",
    "NodeUpdateDrain": "OBJ-158",
    "BatchNodeUpdateDrain": "OBJ-158",
    "NodeUpdateEligibility": "OBJ-164",
    "NodeDeregister": "GC-64",
    "NodeBatchDeregister": "GC-64",
    "UpsertNodeEvents": "OBJ-165",
    "JobRegister": "OBJ-400",
    "JobDeregister": "OBJ-048",
    "JobBatchDeregister": "GC-95",
    "JobStability": "OBJ-401",
    "JobVersionTag": "OBJ-403",
    "ScalingEventRegister": "JOB-22",
    "EvalUpdate": "OBJ-404",
    "EvalDelete": "GC-91",
    "AllocClientUpdate": "OBJ-406",
    "AllocUpdateDesiredTransition": "OBJ-411",
    "ApplyPlanResults": "PLAN-70",
    "DeploymentStatusUpdate": "OBJ-414",
    "DeploymentPromote": "OBJ-413",
    "DeploymentAllocHealth": "OBJ-412",
    "DeploymentDelete": "GC-93",
    "SchedulerConfig": "OBJ-291",
    "NodePoolUpsert": "OBJ-167",
    "NodePoolDelete": "NODEST-21",
    "NamespaceUpsert": "OBJ-011",
    "NamespaceDelete": "OBJ-011",
}
_RULES: Final[Rules] = (
    ("indexes", "OBJ-026a"),
    ("tables.job_summary", "OBJ-391"),
    ("tables.allocs.*[].NextAllocation", "OBJ-409"),
    ("tables.deployment.*[].TaskGroups.*.RequireProgressBy", "OBJ-422"),
    ("tables.deployment.*[].TaskGroups", "OBJ-421"),
    ("tables.jobs.*[].Status", "OBJ-051"),
    ("tables.job_version.*[].Status", "OBJ-051"),
    ("tables.job_version.deleted", "OBJ-045"),
    ("tables.periodic_launch", "JOB-28"),
)


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an entry did to one table."""

    created: tuple[dict[str, Any], ...] = ()
    changed: tuple[dict[str, Any], ...] = ()
    deleted: tuple[str, ...] = ()


class RecordedEntry(msgspec.Struct, frozen=True):
    """A log entry, its answer and what it changed."""

    index: Whole
    type: str
    request: dict[str, Any]
    tables: dict[str, Change]
    indexes: dict[str, Whole]
    note: str = ""
    error: str | None = None
    answer: bool | None = None


class Initial(msgspec.Struct, frozen=True):
    """The content of a fresh state."""

    tables: dict[str, Change]
    index: dict[str, Whole]


class Sequence(msgspec.Struct, frozen=True):
    """Log entries applied one after the other."""

    id: str
    initial: Initial
    entries: tuple[RecordedEntry, ...]


class Checksums:
    """What is known of the checksums that the server makes of node pools, in a way that no rule tells.

    Equal pools have equal checksums, and different pools have different ones.
    """

    def __init__(self) -> None:
        """Begin with nothing known."""
        self._by_content: dict[str, str] = {}

    def adopt(self, model: Mapping[str, Any], recorded: Mapping[str, Any]) -> Mapping[str, Any]:
        """Give the model's row the recorded checksum where it may be that of its content."""
        if "Hash" not in model:
            return model
        content = repr(sorted((key, value) for key, value in model.items() if key not in _NO_CONTENT))
        told = recorded.get("Hash")
        if content not in self._by_content and self._may_be(told):
            self._by_content[content] = str(told)
        return {**model, "Hash": self._by_content.get(content, "a checksum of its own")}

    def _may_be(self, told: object) -> bool:
        return (
            isinstance(told, str)
            and _CHECKSUM.fullmatch(told) is not None
            and told not in self._by_content.values()
        )


def judge_sequence(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Apply every entry, and compare its answer and the rows and indexes that it changed."""
    sequence = read_shape(Sequence, vector)
    rows = {table: change.created for table, change in sequence.initial.tables.items()}
    state = State.of(**read_rows(rows, "initial.tables"), indexes=sequence.initial.index)
    checksums = Checksums()
    for position, entry in enumerate(sequence.entries):
        path = f"entries[{position}]"
        applied = apply_recorded(state, entry, path, context)
        yield from _compare_entry(entry, applied, state, path, checksums)
        state = applied.state


def apply_recorded(state: State, entry: RecordedEntry, path: str, context: Context) -> Applied:
    """Apply a recorded entry under the clock of the model."""
    request = read_request(entry, path, context)
    return apply(state, Entry(entry.index, request), now_ns=CLOCK_NS, profile=context.profile)


def read_request(entry: RecordedEntry, path: str, context: Context) -> msgspec.Struct:
    """Read what an entry asks for."""
    raw = _map_clock_times(entry.request, lambda text: f"{CLOCK_TEXT}00:00:00Z" if text == NOW else text)
    unknown: list[str] = []
    request = read(find_request_type(entry.type), raw, unknown, source=f"{path}.request")
    demand_covered(request)
    for name in unknown:
        context.note(f"{path}.request.{name} is not known")
    return request


def list_changes(before: State, applied: Applied) -> dict[str, Change]:
    """List the rows that an entry changed, in the form of the recordings."""
    touched = {key for transaction in applied.transactions for key in transaction.before}
    tables: dict[str, dict[str, list[Any]]] = {}
    for table, key in sorted(touched, key=lambda each: (each[0], spell_key(each[1]))):
        old, new = write_row(before, table, key), write_row(applied.state, table, key)
        if old == new:
            continue
        kind = "created" if old is None else "deleted" if new is None else "changed"
        row = spell_key(key) if new is None else _map_clock_times(new, _hide_clock)
        tables.setdefault(table, {}).setdefault(kind, []).append(row)
    return {
        table: Change(**{kind: tuple(rows) for kind, rows in kinds.items()})
        for table, kinds in tables.items()
    }


def _compare_entry(
    entry: RecordedEntry, applied: Applied, before: State, path: str, checksums: Checksums
) -> Iterator[Difference]:
    rules: Rules = (*_RULES, ("", _RULES_BY_TYPE.get(entry.type, "OBJ-020")))
    yield from compare(entry.error, applied.error, f"{path}.error", rules)
    yield from compare(entry.answer, applied.answer, f"{path}.answer", rules)
    changes = _adopt_checksums(list_changes(before, applied), entry.tables, checksums)
    for table in sorted({*entry.tables, *changes}):
        recorded, model = entry.tables.get(table, Change()), changes.get(table, Change())
        at = f"{path}.tables.{table}"
        yield from compare_rows(table, recorded.created, model.created, f"{at}.created", rules)
        yield from compare_rows(table, recorded.changed, model.changed, f"{at}.changed", rules)
        yield from compare_sets(recorded.deleted, model.deleted, f"{at}.deleted", rules)
    indexes = {
        table: index for table, index in applied.state.indexes.items() if before.indexes.get(table) != index
    }
    yield from compare(entry.indexes, indexes, f"{path}.indexes", rules)


def compare_rows(
    table: str,
    recorded: tuple[Mapping[str, Any], ...],
    model: tuple[Mapping[str, Any], ...],
    path: str,
    rules: Rules,
) -> Iterator[Difference]:
    """Compare the rows of a table by their keys; the order of rows does not matter."""
    left = {name_row(table, row): row for row in model}
    for position, row in enumerate(recorded):
        yield from compare(row, left.pop(name_row(table, row), ABSENT), step_into(path, position), rules)
    for key, row in left.items():
        yield Difference(f'{path}["{key}"]', ABSENT, row, find_rule(path, rules))


def _adopt_checksums(
    changes: dict[str, Change], recorded: Mapping[str, Change], checksums: Checksums
) -> dict[str, Change]:
    if NODE_POOLS not in changes:
        return changes
    change, told = changes[NODE_POOLS], recorded.get(NODE_POOLS, Change())
    rows = {name_row(NODE_POOLS, row): row for row in (*told.created, *told.changed)}
    adopted = {
        kind: tuple(
            checksums.adopt(row, rows.get(name_row(NODE_POOLS, row), {})) for row in getattr(change, kind)
        )
        for kind in ("created", "changed")
    }
    return {**changes, NODE_POOLS: msgspec.structs.replace(change, **adopted)}


def _map_clock_times(tree: Any, change: Callable[[str], str], member: str = "") -> Any:  # noqa: ANN401 -- what JSON can hold
    if isinstance(tree, Mapping):
        return {key: _map_clock_times(value, change, key) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [_map_clock_times(value, change) for value in tree]
    return change(tree) if member in _CLOCK_MEMBERS and isinstance(tree, str) else tree


def _hide_clock(text: str) -> str:
    return NOW if text.startswith(CLOCK_TEXT) else text


JUDGES: Final[Mapping[str, Judge]] = {"sequences": judge_sequence}
