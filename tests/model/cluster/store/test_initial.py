"""What is built in."""

from nomadspec.model.cluster.store.initial import make_initial_state
from tests.model.cluster.store.made import need


def test_a_fresh_state_has_one_namespace_and_two_pools() -> None:
    """OBJ-167."""
    state = make_initial_state()

    assert ("default",) == tuple(namespace.name for namespace in state.list_namespaces())
    assert ("all", "default") == tuple(pool.name for pool in state.list_node_pools())
    assert 1 == state.latest_index
    assert 24 * 3600 == need(state.find_node_pool("all")).node_identity_ttl_ns // 1_000_000_000
