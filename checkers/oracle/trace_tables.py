"""Compares the tables of a recorded cluster, at the end of its log, with those of the model."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.compare import Rules, compare, compare_rows
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import ABSENT, Difference
from nomadspec.checkers.oracle.store_rows import name_record
from nomadspec.checkers.oracle.trace_allowed import Clock, allow_clock, allow_lost_bytes
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.tables import ALLOCS, TABLES, Kept
from nomadspec.model.errors import InputError

DUMPED: Final[Mapping[str, str]] = {table.dump: name for name, table in TABLES.items() if table.dump}
"""The tables of a dump that the model has, by the names that the dump gives them."""

LEFT_OUT: Final = frozenset({"ACLPolicies", "ACLTokens", "CSIPlugins", "CSIVolumes", "RootKeys"})
"""The tables of a dump that the model leaves out."""

_RULES: Final[Rules] = (
    ("Indexes", "OBJ-026a"),
    ("JobSummaries", "OBJ-391"),
    ("Nodes", "OBJ-163"),
    ("JobVersions", "OBJ-045"),
    ("Jobs[].Status", "OBJ-051"),
    ("Jobs", "OBJ-400"),
    ("Evals", "EVAL-33"),
    ("Allocs", "OBJ-408"),
    ("Deployments[].TaskGroups", "OBJ-421"),
    ("Deployments", "OBJ-410"),
    ("PeriodicLaunches", "JOB-25"),
    ("ScalingEvents", "JOB-22"),
    ("ScalingPolicies", "OBJ-395"),
    ("", "WIRE-105"),
)


def compare_tables(
    dump: Mapping[str, Any],
    state: State,
    clock: Clock,
    context: Context,
    path: str,
    gaps: Container[int] = (),
    services: Container[int] = (),
) -> Iterator[Difference]:
    """Compare all tables of a dump, and its index table, with a state.

    What was written by entries that the model leaves out is passed over, and so is the index of services.

    Spec: WIRE-105.
    """
    for name in sorted({*dump, *DUMPED, "Indexes"}):
        rows = dump.get(name) or []
        if not isinstance(rows, list):
            raise InputError(path, "a table is a list of rows", at=name)
        if name in DUMPED:
            yield from compare_table(DUMPED[name], rows, state, clock, context, f"{path}.{name}", gaps)
        elif name not in LEFT_OUT and name != "Indexes":
            yield Difference(f"{path}.{name}", "is there", ABSENT, "WIRE-105")
    yield from _compare_indexes(dump.get("Indexes") or [], state, f"{path}.Indexes", gaps, services)


def compare_table(
    table: str,
    rows: list[Any],
    state: State,
    clock: Clock,
    context: Context,
    path: str,
    gaps: Container[int] = (),
) -> Iterator[Difference]:
    """Compare the rows of a table by their keys; the order of rows does not matter."""
    model = {name_record(table, row): row for row in list_rows(state, table)}
    for position, raw in enumerate(rows):
        unknown: list[str] = []
        at = f"{path}[{position}]"
        row = read(TABLES[table].record, raw, unknown, source=at)
        for name in unknown:
            yield Difference(f"{at}.{name}", "is there", ABSENT, "WIRE-105")
        own = model.pop(name_record(table, row), None)
        if _is_of(row, gaps):
            continue
        if own is None:
            yield Difference(at, name_record(table, row), ABSENT, _find_rule(path))
            continue
        row = allow_lost_bytes(allow_clock(row, own, clock, context), own, context)
        yield from compare_rows(row, own, at, _RULES)
    for key in model:
        yield Difference(path, ABSENT, key, _find_rule(path))


def _is_of(row: msgspec.Struct, gaps: Container[int]) -> bool:
    """True if a row was written by an entry that the model leaves out."""
    return any(getattr(row, name, None) in gaps for name in ("create_index", "modify_index"))


def list_rows(state: State, table: str) -> Iterator[msgspec.Struct]:
    """List the rows of a table as dumps show them, without signed identities."""
    rows = getattr(state, TABLES[table].attribute).values()
    if TABLES[table].kept in {Kept.VERSIONS, Kept.BY_WRITES}:
        yield from (row for several in rows for row in several)
    elif table == ALLOCS:
        yield from (_hide_identities(alloc) for alloc in rows)
    else:
        yield from rows


def _hide_identities(alloc: Allocation) -> Allocation:
    return replace(alloc, signed_identities={})


def _compare_indexes(
    entries: list[Any], state: State, path: str, gaps: Container[int], services: Container[int]
) -> Iterator[Difference]:
    known = {}
    for position, entry in enumerate(entries):
        is_index = isinstance(entry, dict) and {*entry} == {"Key", "Value"}
        is_typed = is_index and isinstance(entry["Key"], str) and isinstance(entry["Value"], int)
        if not is_typed or entry["Key"] in known:
            raise InputError(path, "an index has a key of its own and a value", at=f"[{position}]")
        known[entry["Key"]] = entry["Value"]
    model = dict(state.indexes.items())
    passed = {
        key for key, value in known.items() if value in gaps or (key not in model and value in services)
    }
    told = {key: value for key, value in known.items() if key not in passed}
    own = {key: value for key, value in model.items() if key not in passed}
    yield from compare(told, own, path, _RULES)


def _find_rule(path: str) -> str:
    return next((rule for pattern, rule in _RULES if pattern and pattern in path), "WIRE-105")
