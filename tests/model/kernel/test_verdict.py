from typing import cast

from nomadspec.model.kernel.ids import JobId, NodeId, WorkerId
from nomadspec.model.kernel.records import AppliedState
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import JobPhase, PlannedStatus, SnapshotIndex
from nomadspec.model.kernel.verdict import Verdict, judge, view_store
from nomadspec.model.language.domain import NONE
from nomadspec.model.specification.profiles import INTENDED
from nomadspec.model.specification.quirks import NOTED_AS_NEW, UNCHECKED_UPDATE
from tests.model.kernel.playing import PLACED, Play

PLANNED = ("Dequeue(1, 1, 1)", "Begin(1, 1)", "Plan(1, 1, [1 2])")


def judge_by(play: Play, view: AppliedState | None = None) -> Verdict:
    """Judge the plan of worker 1 for job 1."""
    world = cast("Kernel", play.bounded.world(play.cells))
    return judge(world, WorkerId(0), JobId(0), view_store(world) if view is None else view)


def make_view(
    *,
    used: int = 0,
    taken: NodeId = NONE,
    is_up: bool = True,
    is_eligible: bool = True,
    is_disconnected: bool = False,
) -> AppliedState:
    """View a world in which all nodes are alike, and all allocations, by default nowhere."""
    return AppliedState(
        occupies=taken,
        extra_at=NONE,
        used=lambda _n: used,
        used_more=lambda _n: 0,
        node_up=is_up,
        eligible=is_eligible,
        job_phase=JobPhase.WANTED,
        knows=True,
        lacks=False,
        has_ended=False,
        disconnected=is_disconnected,
        index=SnapshotIndex.EVEN,
    )


def make_play(**sizes: int) -> Play:
    """Plan two instances for two nodes."""
    return Play(INTENDED.name, nodes=2, count=2, node_changes=1, **sizes).play(*PLANNED)


def test_what_fits_is_committed_as_a_whole() -> None:
    verdict = judge_by(make_play())

    assert [True, True] == [verdict.stands(node) for node in map(NodeId, range(2))]
    assert verdict.is_whole


def test_a_node_is_refused_by_itself() -> None:
    verdict = judge_by(make_play().play("LoseNode(1)"))

    assert [False, True] == [verdict.stands(node) for node in map(NodeId, range(2))]
    assert [True, False] == [verdict.rejects(node) for node in map(NodeId, range(2))]
    assert not verdict.is_whole


def test_a_plan_that_is_all_at_once_is_refused_as_a_whole() -> None:
    verdict = judge_by(make_play(all_at_once=1).play("LoseNode(1)"))

    assert [False, False] == [verdict.stands(node) for node in map(NodeId, range(2))]
    assert not verdict.may_commit


def test_full_and_ineligible_nodes_are_refused() -> None:
    play = make_play()

    assert not judge_by(play, make_view(used=1)).stands(NodeId(0))
    assert not judge_by(play, make_view(is_up=False)).stands(NodeId(0))
    assert not judge_by(play, make_view(is_eligible=False)).stands(NodeId(0))
    assert judge_by(play, make_view()).is_whole


BEGUN = ("Dequeue(1, 1, 1)", *PLACED, "WriteOutcome(1, 1, 1)", "Ack(1, 1, 1)")
GROWING = ("UpdateJobInPlace(1, 2)", "Dequeue(1, 1, 2)", "Begin(1, 1)", "Plan(1, 1, [0])", "Submit(1, 1)")


def judge_growth(profile: str, view: AppliedState) -> bool:
    """Tell whether an allocation may grow from one unit to two."""
    play = Play(profile, in_place_updates=1, extra_ask=1, updates=1, cap=2).play(*BEGUN, *GROWING)
    return bool(judge_by(play, view).stands(NodeId(0)))


def test_an_update_in_place_is_not_checked_with_the_quirk() -> None:
    full = make_view(used=2, taken=NodeId(0), is_eligible=False)

    assert not judge_growth(INTENDED.name, full)
    assert judge_growth(UNCHECKED_UPDATE.id, full)


def test_an_update_in_place_needs_a_node_that_is_ready_and_nothing_more() -> None:
    assert judge_growth(INTENDED.name, make_view(used=1, taken=NodeId(0), is_eligible=False))
    assert not judge_growth(UNCHECKED_UPDATE.id, make_view(used=1, taken=NodeId(0), is_up=False))


def test_an_update_of_what_has_ended_is_judged_as_a_placement() -> None:
    assert judge_growth(UNCHECKED_UPDATE.id, make_view())
    assert not judge_growth(UNCHECKED_UPDATE.id, make_view(is_eligible=False))
    assert not judge_growth(UNCHECKED_UPDATE.id, make_view(used=1))


def judge_status(status: PlannedStatus, view: AppliedState, profile: str = INTENDED.name) -> bool:
    """Tell whether a plan may write an allocation of node 1 with a client status."""
    play = Play(profile, in_place_updates=1, plan_statuses=1, disconnects=1, nodes=2, evals=4)
    play.play(*BEGUN, "MissHeartbeat(1)", "WriteNodeEval(1)", "Dequeue(1, 1, 2)", "Begin(1, 1)")
    play.play("Plan(1, 1, [2])")
    cell = play.bounded.frame.cell_names.index("plan[worker1].client_status[alloc1]")
    play.cells = (*play.cells[:cell], status, *play.cells[cell + 1 :])
    return bool(judge_by(play, view).stands(NodeId(0)))


def test_a_disconnected_node_takes_nothing_but_that_an_allocation_is_unknown() -> None:
    away = make_view(taken=NodeId(0), used=1, is_up=False, is_disconnected=True)

    assert judge_status(PlannedStatus.UNKNOWN, away)
    assert not judge_status(PlannedStatus.AS_IT_IS, away)
    assert not judge_status(PlannedStatus.UNKNOWN_AND_UPDATED, away)
    assert not judge_status(PlannedStatus.UNKNOWN, make_view(taken=NodeId(0), used=1, is_up=False))


def test_what_is_noted_of_an_end_is_no_matter_of_the_node_but_with_the_quirk() -> None:
    gone = make_view(is_up=False)

    assert judge_status(PlannedStatus.ENDED, gone)
    assert not judge_status(PlannedStatus.ENDED, gone, NOTED_AS_NEW.id)
    assert judge_status(PlannedStatus.ENDED, make_view(used=1), NOTED_AS_NEW.id)
