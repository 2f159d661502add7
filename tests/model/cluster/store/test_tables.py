"""A table is declared in one place, and the state, drafts, rows and dumps follow."""

from typing import Any

import pytest

from nomadspec.checkers.oracle.store_rows import find_row
from nomadspec.checkers.oracle.trace_tables import DUMPED, list_rows
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.tables import COLUMNS, LOOKUPS, NAMESPACES, NODE_POOLS, TABLES, Kept
from nomadspec.model.errors import UsageError
from nomadspec.model.specification.profiles import NOMAD_2_0

SINGLE = sorted(name for name, table in TABLES.items() if table.kept is Kept.SINGLE)


def test_each_column_is_a_table_or_a_look_up_and_none_is_both() -> None:
    lookups = [lookup.attribute for several in LOOKUPS.values() for lookup in several]

    assert sorted(COLUMNS) == sorted([*(table.attribute for table in TABLES.values()), *lookups])


@pytest.mark.parametrize("name", SINGLE)
def test_a_declared_table_is_built_written_found_dumped_and_deleted(name: str) -> None:
    table = TABLES[name]
    row = table.record()
    built_of: dict[str, Any] = {table.attribute: [row]}
    draft = Draft.of(State(), 7, profile=NOMAD_2_0)
    draft.put(row)
    written = draft.finish()

    built = State.of(**built_of)
    for lookup in LOOKUPS[name]:
        assert getattr(built, lookup.attribute) == getattr(written, lookup.attribute)
    assert getattr(built, table.attribute) == getattr(written, table.attribute)
    assert {(name, table.key(row)): None} == draft.written
    assert row == find_row(written, name, table.key(row))
    assert [row] == list(list_rows(written, name))
    assert {table.dump: name}.items() <= {**DUMPED, "": name}.items()

    draft.delete(name, table.key(row))
    assert State() == draft.finish()


def test_what_no_table_holds_is_refused() -> None:
    with pytest.raises(UsageError, match="a state is not built of 'nodez'"):
        State.of(nodez=[])


def test_a_fresh_state_names_its_tables_as_the_index_table_does() -> None:
    assert {NAMESPACES, NODE_POOLS} == set(make_initial_state().indexes)
