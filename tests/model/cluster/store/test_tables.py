"""Names of tables are those of the index table."""

from nomadspec.model.cluster.store import tables
from nomadspec.model.cluster.store.initial import make_initial_state


def test_a_fresh_state_names_its_tables_so() -> None:
    assert {tables.NAMESPACES, tables.NODE_POOLS} == set(make_initial_state().indexes)
