"""What acts do to nodes is what they declare, with the evaluations that it owes; other things are found."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.refinement.acts import hold_nodes, list_node_texts
from nomadspec.checkers.oracle.refinement.acts.node_holding import LEFT_BEHIND
from nomadspec.model.cluster.acts import (
    Act,
    DrainNode,
    DrainNodes,
    EvaluateNode,
    Heartbeat,
    MissHeartbeat,
    PullAllocs,
    PurgeNode,
    SetEligibility,
)
from nomadspec.model.cluster.acts.nodes import update_status
from nomadspec.model.cluster.entities import AllocClient, Node
from nomadspec.model.cluster.entities.allocation import is_client_terminal
from nomadspec.model.cluster.store.state import State
from nomadspec.model.cluster.store.tables import NODES
from nomadspec.model.cluster.world import World
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.checkers.oracle.refinement.acts.steps import (
    FEW_SCENARIOS,
    FEW_SEEDS,
    SCENARIOS,
    SEEDS,
    Step,
    list_of,
    list_steps,
    walk,
)

CANCELS_A_DRAIN = 13
"""The seed of a walk in which an operator does that."""


@pytest.mark.parametrize(
    ("folders", "seeds", "fewest"),
    [
        pytest.param(FEW_SCENARIOS, (*FEW_SEEDS, CANCELS_A_DRAIN), 150, id="few"),
        pytest.param(SCENARIOS, (*SEEDS, CANCELS_A_DRAIN), 200, id="all", marks=pytest.mark.deep),
    ],
)
def test_acts_do_to_nodes_what_they_declare_and_all_that_is_declared_happens(
    folders: tuple[str, ...], seeds: tuple[int, ...], fewest: int
) -> None:
    held, taken = Counter[str](), set[str]()
    for step in chain(list_steps(folders), *(walk(seed, NOMAD_2_0) for seed in seeds)):
        found = hold_nodes(*step)
        assert not found.problem
        held["outside" if found.outside else "steps" if found.steps else "nothing"] += 1
        taken.update(found.steps)

    assert held["steps"] > fewest
    assert held["outside"] < 10
    assert taken == list_node_texts()


@pytest.mark.deep
@pytest.mark.parametrize("profile", [NOMAD_2_0, INTENDED], ids=lambda profile: profile.name)
def test_acts_of_many_walks_do_to_nodes_what_they_declare(profile: Profile) -> None:
    found = [hold_nodes(*step) for seed in range(150) for step in walk(seed, profile)]

    assert [] == [each.problem for each in found if each.problem]
    assert sum(bool(each.steps) for each in found) > 500


def list_held(kind: type[Act], step: str) -> Iterator[Step]:
    """List the acts of a kind that are some step of the kernel."""
    return (each for each in list_of(kind) if step in hold_nodes(*each).steps)


def with_node(world: World, node: Node) -> World:
    """Give a world in which the entries of the last act left a node otherwise."""

    def change(state: State) -> State:
        return replace(state, nodes=state.nodes.insert(node.id, node))

    written = tuple(
        replace(each, after=change(each.after), before={(NODES, node.id): None} | each.before)
        for each in world.written
    )
    return replace(world, state=change(world.state), written=written)


def find_changed(before: World, after: World) -> str:
    (name,) = (str(key) for each in after.written for table, key in each.before if table == NODES)
    assert before.state.find_node(name) is not after.state.find_node(name)
    return name


def test_a_node_that_goes_down_owes_evaluations() -> None:
    """A mutant: the status is written, and nobody is told."""
    asked = 0
    for before, act, after in list_held(MissHeartbeat, "lose_node"):
        if len(after.written) > 1:
            asked += 1
            status = after.written[0]
            assert (
                "no evaluation for"
                in hold_nodes(before, act, replace(after, state=status.after, written=(status,))).problem
            )
    assert asked


def test_a_node_that_is_closed_owes_none() -> None:
    """A mutant: the jobs on a node are looked at when it is closed."""
    asked = 0
    for before, act, after in list_held(SetEligibility, "mark_ineligible"):
        more = EvaluateNode(node=find_changed(before, after)).take(after)
        if len(more.written) > len(after.written):
            asked += 1
            assert "an evaluation too many for" in hold_nodes(before, act, more).problem
    assert asked


def test_a_node_is_not_disconnected_while_nothing_on_it_may_outlast_that() -> None:
    """A mutant: every node that is missed is disconnected, as if its allocations could wait."""
    lost = list(list_held(MissHeartbeat, "lose_node"))
    for before, act, after in lost:
        node = after.state.nodes[find_changed(before, after)]
        found = hold_nodes(before, act, with_node(after, replace(node, status="disconnected")))
        assert found.steps[:1] != ("lose_node",)
    assert lost


def test_a_disconnected_node_is_not_down_while_its_allocations_have_time_left() -> None:
    """A mutant: the leader calls a disconnected node down at once."""
    missed = list(list_held(MissHeartbeat, "miss_heartbeat"))
    for before, act, after in missed:
        begun = replace(after, written=())
        node = begun.state.nodes[find_changed(before, after)]
        assert "MissHeartbeat: " in hold_nodes(begun, act, update_status(begun, node, "down", None)).problem
    assert missed


def test_a_node_is_not_ready_before_its_client_told_of_what_was_unknown() -> None:
    """A mutant: a node that was disconnected is ready with its second heartbeat."""
    asked = 0
    for before, act, after in list_held(Heartbeat, "ready_node"):
        assert isinstance(act, Heartbeat)
        for alloc in before.state.list_allocs_of_node(act.node):
            if alloc.desired_status == "run" and alloc.client_status == "running":
                asked += 1
                unknown = replace(alloc, client_status=AllocClient.UNKNOWN.value)
                state = replace(before.state, allocs=before.state.allocs.insert(alloc.id, unknown))
                assert "Heartbeat: " in hold_nodes(replace(before, state=state), act, after).problem
    assert asked


def test_a_drain_does_not_end_before_clients_have_ended_what_is_stopped() -> None:
    """A mutant: the drainer takes what is stopped for what has ended."""
    found = []
    for before, act, after in list_held(DrainNodes, "end_drain"):
        for alloc in before.state.list_allocs_of_node(find_changed(before, after)):
            if is_client_terminal(alloc) and len(after.written) == 1:
                stopped = replace(alloc, desired_status="stop", client_status=AllocClient.RUNNING.value)
                state = replace(before.state, allocs=before.state.allocs.insert(alloc.id, stopped))
                found.append(hold_nodes(replace(before, state=state), act, after))
    assert all(each.problem or each.outside == LEFT_BEHIND for each in found)
    assert any("DrainNodes: " in each.problem for each in found)


@pytest.mark.parametrize(
    ("kind", "step", "mistake"),
    [
        pytest.param(
            DrainNode, "drain_node", {"scheduling_eligibility": "eligible"}, id="drains and is eligible"
        ),
        pytest.param(
            DrainNodes, "end_drain", {"scheduling_eligibility": "eligible"}, id="eligible after its drain"
        ),
        pytest.param(PurgeNode, "forget_node", {"status": "down"}, id="down where it was purged"),
    ],
)
def test_a_node_that_is_left_otherwise_is_found(kind: type[Act], step: str, mistake: dict[str, str]) -> None:
    held = list(list_held(kind, step))
    for before, act, after in held:
        name = find_changed(before, after)
        left = replace(after.state.find_node(name) or before.state.nodes[name], **mistake)
        assert f"{kind.__name__}: " in hold_nodes(before, act, with_node(after, left)).problem
    assert held


def test_an_act_that_declares_nothing_may_not_change_a_node() -> None:
    """A mutant: whoever closes a node, it is taken for a client that pulls."""
    held = list(list_held(SetEligibility, "mark_ineligible"))
    for before, _, after in held:
        node = find_changed(before, after)
        assert "PullAllocs: " in hold_nodes(before, PullAllocs(node=node), after).problem
    assert held
