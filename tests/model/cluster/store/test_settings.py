"""Entries about node pools, namespaces and the configuration."""

import pytest

from nomadspec.model.cluster.entities import Namespace, NodePool, SchedulerConfiguration
from nomadspec.model.cluster.store import Applied, State
from nomadspec.model.cluster.store.handed_to_leader import UnblockQuota
from nomadspec.model.cluster.store.initial import make_initial_state
from nomadspec.model.cluster.store.requests import (
    NamespaceDelete,
    NamespaceUpsert,
    NodePoolDelete,
    NodePoolUpsert,
    Outside,
    SchedulerConfig,
)
from tests.model.cluster.store.made import do, need, register


def upsert_pool(name: str, state: State | None = None, index: int = 10) -> Applied:
    return do(state or make_initial_state(), NodePoolUpsert(node_pools=(NodePool(name=name),)), index)


def test_a_pool_keeps_the_index_of_its_creation() -> None:
    state = upsert_pool("mills", upsert_pool("mills", index=5).state).state
    pool = need(state.find_node_pool("mills"))

    assert (5, 10, 10) == (pool.create_index, pool.modify_index, state.index_of("node_pools"))


@pytest.mark.parametrize("name", ["all", "default"])
def test_pools_that_are_built_in_stay(name: str) -> None:
    """OBJ-167."""
    assert f'modifying node pool "{name}" is not allowed' == upsert_pool(name).error
    assert (
        f'deleting node pool "{name}" is not allowed'
        == do(make_initial_state(), NodePoolDelete(names=(name,))).error
    )


def test_pools_are_deleted_together_or_not_at_all() -> None:
    state = upsert_pool("mills").state
    refused = do(state, NodePoolDelete(names=("mills", "docks")), 11)

    assert ("node pool docks not found", state) == (refused.error, refused.state)
    assert do(state, NodePoolDelete(names=("mills",)), 11).state.find_node_pool("mills") is None


def upsert_namespace(quota: str, state: State, index: int = 10) -> Applied:
    return do(state, NamespaceUpsert(namespaces=(Namespace(name="crew", quota=quota),)), index)


def test_a_namespace_that_leaves_its_quota_frees_it() -> None:
    """FSM-03."""
    state = upsert_namespace("small", make_initial_state()).state

    assert (UnblockQuota("small", 11),) == upsert_namespace("", state, 11).handed
    assert () == upsert_namespace("small", state, 11).handed
    assert 10 == need(upsert_namespace("", state, 11).state.find_namespace("crew")).create_index


def test_which_namespaces_cannot_be_deleted() -> None:
    def delete(state: State, name: str) -> Applied:
        return do(state, NamespaceDelete(namespaces=(name,)), 12)

    state = upsert_namespace("", make_initial_state()).state

    assert "namespace not found" == delete(state, "nowhere").error
    assert "default namespace can not be deleted" == delete(state, "default").error
    assert 'one non-terminal job "web"' in need(delete(register(state, namespace="crew"), "crew").error)
    assert delete(state, "crew").state.find_namespace("crew") is None


def configure(state: State, config: SchedulerConfiguration, *, cas: bool = False, index: int = 10) -> Applied:
    return do(state, SchedulerConfig(config=config, cas=cas), index)


def test_a_configuration_replaces_all_of_the_old_one() -> None:
    """OBJ-291."""
    first = configure(State(), SchedulerConfiguration(pause_eval_broker=True), index=5).state
    second = configure(first, SchedulerConfiguration(scheduler_algorithm="spread")).state

    assert (
        SchedulerConfiguration(scheduler_algorithm="spread", create_index=5, modify_index=10)
        == second.configuration
    )
    assert "binpack" == need(first.configuration).scheduler_algorithm
    assert 0 == second.latest_index


def test_compare_and_set_needs_the_index_of_the_stored_one() -> None:
    """OBJ-291."""
    state = configure(State(), SchedulerConfiguration(), index=5).state

    assert configure(state, SchedulerConfiguration(modify_index=5), cas=True).answer is True
    stale = configure(state, SchedulerConfiguration(modify_index=4), cas=True)
    assert (False, state) == (stale.answer, stale.state)
    assert configure(State(), SchedulerConfiguration(), cas=True).answer is False


def test_what_is_left_out_moves_its_indexes() -> None:
    state = do(State(), Outside(tables=("root_keys",))).state

    assert {"root_keys": 10} == dict(state.indexes)
