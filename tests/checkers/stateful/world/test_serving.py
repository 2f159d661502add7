import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from nomadspec.checkers.stateful.world.machine import BrokenError
from nomadspec.checkers.stateful.world.serving import ServerMachine, list_asked
from nomadspec.invariants.cluster.world import PROPERTIES
from tests.checkers.stateful.world.servers import ModelServer, ToyServer

EFFORT = settings(max_examples=30, stateful_step_count=8, derandomize=True, database=None, deadline=None)

TOYS = settings(EFFORT, max_examples=200)


class OfModel(ServerMachine):
    make_server = ModelServer


class OfToy(ServerMachine):
    make_server = ToyServer
    properties = (PROPERTIES["no_live_alloc_on_down_node"],)


class OfToyWithAll(ServerMachine):
    make_server = ToyServer


def test_the_model_is_a_server_that_breaks_nothing() -> None:
    run_state_machine_as_test(OfModel, settings=EFFORT)


def test_a_server_that_forgets_a_lost_node_is_caught_with_the_least_that_shows_it() -> None:
    with pytest.raises(BrokenError, match="no_live_alloc_on_down_node: alloc alloc-") as caught:
        run_state_machine_as_test(OfToy, settings=TOYS)

    told = str(caught.value).partition("\n\n")[2].splitlines()
    assert "cluster 1 nodes cpu 1000" == told[0]
    assert 1 == sum(line.startswith("register ") for line in told)
    assert "node-1 misses heartbeats" in told


def test_a_server_that_looks_at_no_job_again_breaks_one_of_all_properties() -> None:
    with pytest.raises(BrokenError):
        run_state_machine_as_test(OfToyWithAll, settings=TOYS)


def test_what_is_asked_from_outside_reads_only_tables() -> None:
    names = {each.name for each in list_asked()}

    assert {
        "no_live_alloc_on_down_node",
        "terminal_eval_stays_terminal",
        "no_node_is_oversubscribed",
    } <= names
    assert not names & {"job_has_one_eval_in_flight", "no_worker_is_stuck", "stopped_job_stays_stopped"}
