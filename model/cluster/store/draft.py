"""A state in the making: the writes of one transaction, with the secondary look-ups kept in step."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final

import msgspec

from nomadspec.model.cluster.entities import Job, ScalingPolicy, SchedulerConfiguration
from nomadspec.model.cluster.store.state import NOBODY, State
from nomadspec.model.cluster.store.tables import (
    COLUMNS,
    CONFIGURATION,
    CONFIGURATION_KEY,
    JOB_VERSIONS,
    LOOKUPS,
    TABLE_OF,
    TABLES,
    JobKey,
    RowKey,
    Rows,
)
from nomadspec.model.specification.profiles import Profile


class Draft(Rows, kw_only=True):
    """What one transaction at one index makes of a state; dropping it undoes the transaction.

    Spec: OBJ-021, OBJ-022, OBJ-024.
    """

    base: State
    index: int
    now_ns: int
    profile: Profile
    touched: set[str] = msgspec.field(default_factory=set)
    written: dict[tuple[str, RowKey], object] = msgspec.field(default_factory=dict)
    """Every row that was written or deleted, with what it was before."""

    @staticmethod
    def of(base: State, index: int, now_ns: int = 0, *, profile: Profile) -> Draft:
        """Start from a state; the index and the server's time are those of the entry."""
        return Draft(**_copy(base), base=base, index=index, now_ns=now_ns, profile=profile)

    def finish(self) -> State:
        """Return the state after the transaction."""
        indexes, index = self.base.indexes, self.index
        for table in self.touched:
            indexes = indexes.insert(table, index)
        derived = self.base.derived.follow(self.base, self, self.written)
        return State(**_copy(self), indexes=indexes, derived=derived)

    def touch(self, *tables: str) -> None:
        """Move the entries of tables in the index table to the index of this transaction."""
        self.touched.update(tables)

    def _note(self, table: str, key: RowKey, before: object) -> None:
        self.written.setdefault((table, key), before)

    def put(self, row: msgspec.Struct) -> None:
        """Write a row of a table that keeps each under its key."""
        table = TABLE_OF[type(row)]
        key, rows = table.key(row), getattr(self, table.attribute)
        before = rows.get(key)
        self._note(table.name, key, before)
        setattr(self, table.attribute, rows.insert(key, row))
        for lookup in LOOKUPS[table.name]:
            self._lead(lookup.attribute, key, before and lookup.key(before), lookup.key(row))

    def delete(self, name: str, key: RowKey) -> None:
        """Delete a row of such a table."""
        table = TABLES[name]
        rows = getattr(self, table.attribute)
        self._note(name, key, rows[key])
        setattr(self, table.attribute, rows.remove(key))
        for lookup in LOOKUPS[name]:
            self._lead(lookup.attribute, key, lookup.key(rows[key]), None)

    def _lead(self, attribute: str, key: RowKey, was: RowKey | None, now: RowKey | None) -> None:
        """Let a look-up lead to a row from where it is found now; the ID is the last part of its key."""
        if was == now:
            return
        member = key if isinstance(key, str) else key[1]
        lookup = getattr(self, attribute)
        if was is not None:
            rest = lookup[was].discard(member)
            lookup = lookup.insert(was, rest) if rest else lookup.remove(was)
        if now is not None:
            lookup = lookup.insert(now, lookup.get(now, NOBODY).insert(member))
        setattr(self, attribute, lookup)

    # --- what is kept otherwise ---

    def put_configuration(self, configuration: SchedulerConfiguration) -> None:
        """Write the configuration of the schedulers."""
        self._note(CONFIGURATION, CONFIGURATION_KEY, self.configuration)
        self.configuration = configuration

    def put_job_versions(self, key: JobKey, versions: tuple[Job, ...]) -> None:
        """Write all kept versions of a job, newest first; none deletes them."""
        before = {job.version: job for job in self.job_versions.get(key, ())}
        after = {job.version: job for job in versions}
        for version in before.keys() | after.keys():
            if before.get(version) is not after.get(version):
                self._note(JOB_VERSIONS, (*key, version), before.get(version))
        self.job_versions = (
            self.job_versions.insert(key, versions) if versions else self.job_versions.discard(key)
        )

    def put_scaling_policies(self, key: JobKey, policies: tuple[ScalingPolicy, ...]) -> None:
        """Write the scaling policies of a job, all of them; the job itself shows them to whoever looks."""
        self.scaling_policies = (
            self.scaling_policies.insert(key, policies) if policies else self.scaling_policies.discard(key)
        )


_read_columns: Final = attrgetter(*COLUMNS)


def _copy(rows: Rows) -> dict[str, Any]:
    return dict(zip(COLUMNS, _read_columns(rows), strict=True))
