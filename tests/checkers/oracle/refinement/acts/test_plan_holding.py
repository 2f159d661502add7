"""What acts do to plans and allocations is what they declare; one that does otherwise is found."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain, islice

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.refinement.acts import hold_plans, list_plan_texts
from nomadspec.model.cluster.acts import (
    Act,
    CommitPlan,
    FailPlan,
    JudgePlan,
    LoseLeadership,
    ReportAllocs,
    SubmitPlan,
)
from nomadspec.model.cluster.components import plan_queue
from nomadspec.model.cluster.entities import AllocClient, AllocDesired
from nomadspec.model.cluster.world import InFlight, World
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.checkers.oracle.refinement.acts.steps import FEW_SEEDS, SEEDS, Step, list_of, list_steps, walk

FEW = 6


def count_held(steps: Iterable[Step]) -> tuple[Counter[str], set[str]]:
    """Count how acts are held, all of which are what they declare; and tell which steps they are."""
    held, taken = Counter[str](), set[str]()
    for step in steps:
        found = hold_plans(*step)
        assert not found.problem
        held["outside" if found.outside else "steps" if found.steps else "nothing"] += 1
        taken.update(found.steps)
    return held, taken


def test_acts_do_to_plans_and_allocations_what_they_declare() -> None:
    held, _ = count_held(chain(list_steps(("servers",)), *(walk(seed, NOMAD_2_0) for seed in FEW_SEEDS)))

    assert held["steps"] > 80
    assert held["outside"] < 100


@pytest.mark.deep
def test_nearly_all_that_is_declared_of_plans_and_allocations_happens() -> None:
    held, taken = count_held(chain(list_steps(), *(walk(seed, NOMAD_2_0) for seed in range(100))))

    assert held["steps"] > 3_500
    assert held["outside"] < 1_000
    # not here: plans that are all or nothing, and are refused
    assert list_plan_texts() - taken == {"reject_all_at_once_pipelined"}


@pytest.mark.parametrize(
    "seed",
    [
        *FEW_SEEDS,
        96,
        *(pytest.param(seed, marks=pytest.mark.deep) for seed in SEEDS if seed not in FEW_SEEDS),
    ],
)
def test_the_acts_of_an_intended_cluster_do_what_they_declare(seed: int) -> None:
    """In walk 96 an entry is refused, for its deployment would undo a promotion."""
    found = [hold_plans(*step) for step in walk(seed, INTENDED)]

    assert [] == [each.problem for each in found if each.problem]
    assert sum(bool(each.steps) for each in found) > 10


@cache
def list_few(kind: type[Act], matters: Callable[[World], bool] = bool) -> tuple[Step, ...]:
    """List some acts of a kind that are steps of the kernel, after which the world is as it matters."""
    found = (step for step in list_of(kind) if matters(step[2]) and hold_plans(*step).steps)
    few = tuple(islice(found, FEW))
    assert few
    return few


def places(world: World) -> bool:
    """Tell whether the last entry in flight makes an allocation that the store has not."""
    entries = world.leader.in_flight[-1:]
    return any(
        world.state.find_alloc(one.id) is None for each in entries for one in each.request.allocs_updated
    )


def stops_and_places(world: World) -> bool:
    return places(world) and bool(world.leader.in_flight[-1].request.allocs_stopped)


def waits_with_stops(world: World) -> bool:
    return any(any(one.plan.node_update.values()) for one in world.leader.plans.waiting[-1:])


def with_last(world: World, flying: InFlight) -> World:
    entries = (*world.leader.in_flight[:-1], flying)
    return replace(world, leader=replace(world.leader, in_flight=entries))


def test_a_plan_that_loses_its_stops_on_the_way_to_the_queue_is_another() -> None:
    """A mutant: a worker submits only what its plan places."""
    for before, act, after in list_few(SubmitPlan, waits_with_stops):
        waiting = after.leader.plans.waiting
        queued = replace(waiting[-1], plan=replace(waiting[-1].plan, node_update={}))
        plans = replace(after.leader.plans, waiting=(*waiting[:-1], queued))
        mutant = replace(after, leader=replace(after.leader, plans=plans))
        assert "SubmitPlan: " in hold_plans(before, act, mutant).problem


def test_a_plan_that_is_not_queued_is_not_submitted() -> None:
    """A mutant: the plan is taken from the worker, and waits nowhere."""
    for before, act, after in list_few(SubmitPlan):
        mutant = replace(after, leader=replace(after.leader, plans=before.leader.plans))
        assert "SubmitPlan: " in hold_plans(before, act, mutant).problem


def test_the_applier_shows_what_it_dispatches() -> None:
    """A mutant: the snapshot that the next plan is judged by does not show the entry in flight."""
    for before, act, after in list_few(JudgePlan, places):
        applier = replace(after.leader.applier, snapshot=before.state)
        mutant = replace(after, leader=replace(after.leader, applier=applier))
        assert "JudgePlan: " in hold_plans(before, act, mutant).problem


def test_the_applier_dispatches_all_that_it_let_through() -> None:
    """A mutant: the entry stops nothing."""
    for before, act, after in list_few(JudgePlan, stops_and_places):
        flying = after.leader.in_flight[-1]
        fewer = replace(flying, request=replace(flying.request, allocs_stopped=()))
        assert "JudgePlan: " in hold_plans(before, act, with_last(after, fewer)).problem


def test_the_applier_lets_nothing_through_for_a_node_that_is_down() -> None:
    """A mutant: the applier does not ask whether nodes are ready."""
    asked = 0
    for before, act, after in list_few(JudgePlan, places):
        node_id = after.leader.in_flight[-1].request.allocs_updated[0].node_id
        nodes = before.state.nodes.insert(node_id, replace(before.state.nodes[node_id], status="down"))
        if before.leader.applier.snapshot is None:
            asked += 1
            lost = replace(before, state=replace(before.state, nodes=nodes))
            assert "JudgePlan: " in hold_plans(lost, act, after).problem
    assert asked


def test_an_entry_that_is_committed_is_stored() -> None:
    """A mutant: the worker is told that its plan is committed, and nothing is written."""
    committed = [step for step in list_few(CommitPlan) if places(step[0])]
    for before, act, after in committed:
        assert "CommitPlan: " in hold_plans(before, act, replace(after, state=before.state)).problem
    assert committed


def test_a_worker_hears_of_its_plan_when_the_entry_is_committed() -> None:
    """A mutant: the entry is committed, and its worker waits for ever."""
    for before, act, after in list_few(CommitPlan):
        assert "CommitPlan: " in hold_plans(before, act, replace(after, workers=before.workers)).problem


def test_an_entry_that_fails_writes_nothing() -> None:
    """A mutant: the entry is committed, though it is said to have failed."""
    committed = [step for step in list_few(CommitPlan) if places(step[0])]
    for before, _, after in committed:
        failed = FailPlan().take(before)
        mutant = replace(failed, state=after.state, written=after.written)
        assert hold_plans(before, FailPlan(), failed).steps == ("fail_first_entry",)
        assert "FailPlan: " in hold_plans(before, FailPlan(), mutant).problem
    assert committed


def test_a_client_does_not_call_an_allocation_lost() -> None:
    """A mutant: what has failed is stored as lost, which is for the servers to say."""
    failed = [step for step in list_of(ReportAllocs) if "fail_alloc" in hold_plans(*step).steps]
    for before, act, after in failed:
        allocs = after.state.allocs
        for alloc in [one for one in allocs.values() if one.client_status == AllocClient.FAILED]:
            allocs = allocs.insert(alloc.id, replace(alloc, client_status=AllocClient.LOST.value))
        mutant = replace(after, state=replace(after.state, allocs=allocs))
        assert "ReportAllocs: " in hold_plans(before, act, mutant).problem
    assert failed


def test_an_act_that_declares_nothing_may_not_empty_the_queue() -> None:
    """A mutant: a client that reports makes the leader forget the plans that wait."""
    for _, _, queued in list_few(SubmitPlan):
        emptied, _ = plan_queue.disable(queued.leader.plans)
        mutant = replace(queued, leader=replace(queued.leader, plans=emptied))
        assert "ReportAllocs: " in hold_plans(queued, ReportAllocs(node="node-1"), mutant).problem


def test_entries_in_flight_when_the_leader_is_lost_are_committed_later_or_never() -> None:
    """Whoever waits for one is told of an error, whatever becomes of it."""
    for _, _, flying in list_few(JudgePlan, places):
        before = replace(flying, written=())
        never, later = (LoseLeadership(committed=count) for count in (0, 1))
        failed, committed = (hold_plans(before, act, act.take(before)).steps for act in (never, later))
        assert {"lose_leader", "fail_first_entry"} == set(failed)
        assert ("lose_leader", "commit") == committed


def test_what_a_lost_leader_had_under_way_is_forgotten() -> None:
    """Mutants: a worker waits on, the applier keeps its snapshot, or a plan stays in the queue."""
    act = LoseLeadership(committed=0)
    for _, _, flying in list_few(JudgePlan, places):
        before = replace(flying, written=())
        after = act.take(before)
        kept = replace(after.leader, applier=before.leader.applier)
        assert "LoseLeadership: " in hold_plans(before, act, replace(after, workers=before.workers)).problem
        assert "LoseLeadership: " in hold_plans(before, act, replace(after, leader=kept)).problem
    for _, _, queued in list_few(SubmitPlan):
        before = replace(queued, written=())
        after = act.take(before)
        kept = replace(after.leader, plans=before.leader.plans)
        assert "LoseLeadership: " in hold_plans(before, act, replace(after, leader=kept)).problem


DISCONNECT = ("nodes/disconnect-and-reconnect.scenario",)
REFUSED = ("findings/update-of-a-disconnected-alloc-is-rejected-for-ever.scenario",)


def list_unknown(world: World) -> list[str]:
    """List the allocations that are stored as unknown."""
    return [one.id for one in world.state.allocs.values() if one.client_status == AllocClient.UNKNOWN]


def rewrite(world: World, alloc_id: str, **changes: object) -> World:
    """Store an allocation otherwise."""
    state = world.state
    alloc = replace(state.allocs[alloc_id], **changes)
    return replace(world, state=replace(state, allocs=state.allocs.insert(alloc_id, alloc)))


def test_a_plan_that_loses_what_it_calls_unknown_is_another() -> None:
    """A mutant: a worker submits the allocation as its client had it."""
    before, act, after = next(
        step
        for step in list_steps(DISCONNECT)
        if isinstance(step[1], SubmitPlan) and "unknown" in str(step[2].leader.plans.waiting[-1].plan)
    )
    waiting = after.leader.plans.waiting
    allocs = {
        node: tuple(replace(one, client_status=AllocClient.RUNNING.value) for one in own)
        for node, own in waiting[-1].plan.node_allocation.items()
    }
    queued = replace(waiting[-1], plan=replace(waiting[-1].plan, node_allocation=allocs))
    plans = replace(after.leader.plans, waiting=(*waiting[:-1], queued))
    mutant = replace(after, leader=replace(after.leader, plans=plans))

    assert "SubmitPlan: " in hold_plans(before, act, mutant).problem
    assert hold_plans(before, act, after).steps == ("submit",)


def test_an_entry_that_calls_an_allocation_unknown_is_stored_with_its_follow_up() -> None:
    """Mutants: it runs on, or nothing looks at it when its time is up."""
    before, act, after = next(
        step
        for step in list_steps(DISCONNECT)
        if isinstance(step[1], CommitPlan) and list_unknown(step[2]) and not list_unknown(step[0])
    )
    (alloc,) = list_unknown(after)

    assert "commit" in hold_plans(before, act, after).steps
    for changes in ({"client_status": AllocClient.RUNNING.value}, {"followup_eval_id": ""}):
        assert "CommitPlan: " in hold_plans(before, act, rewrite(after, alloc, **changes)).problem


def test_a_disconnected_node_takes_no_update() -> None:
    """A mutant: the applier lets an update through beside what is called unknown."""
    refused = [step for step in list_steps(REFUSED) if isinstance(step[1], JudgePlan)]
    before, act, after = refused[-1]
    (node,) = next(one.plan.node_allocation for one in before.leader.plans.waiting)
    nodes = before.state.nodes.insert(node, replace(before.state.nodes[node], status="ready"))
    state = replace(before.state, nodes=nodes)
    applier = replace(before.leader.applier, snapshot=state)
    ready = replace(before, state=state, leader=replace(before.leader, applier=applier))

    assert hold_plans(before, act, after).steps
    assert "JudgePlan: " in hold_plans(before, act, act.take(ready)).problem


PREEMPTS_TWO = 177
"""In this walk a plan preempts several allocations."""


def test_an_entry_preempts_all_that_its_plan_does() -> None:
    """A mutant: the first of several allocations that are preempted runs on."""
    before, act, after = next(
        step
        for step in walk(PREEMPTS_TWO, NOMAD_2_0)
        if isinstance(step[1], CommitPlan) and len(step[0].leader.in_flight[0].request.allocs_preempted) > 1
    )
    alloc = before.leader.in_flight[0].request.allocs_preempted[0].id

    assert "commit" in hold_plans(before, act, after).steps
    kept = rewrite(after, alloc, desired_status=AllocDesired.RUN.value)
    assert "CommitPlan: " in hold_plans(before, act, kept).problem
