import subprocess
import sys
from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from nomadspec.checkers.scenario.language import parse_lines
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.checkers.stateful.world import Breach, Setup, drive_through, search, shrinking, tell
from nomadspec.checkers.stateful.world.drawing import JOBS, OFFERED, Drawer
from nomadspec.checkers.stateful.world.judging import judge_lines
from nomadspec.checkers.stateful.world.moves import Move, Pass, Register, Take
from nomadspec.checkers.stateful.world.searching import walk_once
from nomadspec.checkers.stateful.world.shrinking import Failure, shrink
from nomadspec.invariants.cluster.world import PROPERTIES, list_properties
from nomadspec.model.cluster.acts import RegisterJob
from nomadspec.model.cluster.world import World
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0
from tests.checkers.stateful.world.walks import show_walks
from tests.tidy.source import ROOT

MOST_CALLS_AN_ACT = 1000
LATE_MOVES: tuple[Move, ...] = (
    Register("web", (("count", "2"), ("cpu", "300"))),
    Pass(1000),
    Register("db", (("type", "batch"),)),
    Take("DeregisterJob", 1),
    Pass(70_000),
    Register("web", (("count", "3"), ("image", "v2"))),
)
PAUSED_MOVES: tuple[Move, ...] = (
    Register("web"),
    *map(Take, ("Dequeue", "StartScheduler", "SubmitPlan", "Configure")),
)
"""The broker is paused while a plan waits for the applier."""


def test_a_seed_walks_the_same_walk_again() -> None:
    first, second = (walk_once(7, 3, NOMAD_2_0, (), 120) for _ in range(2))

    assert first.moves == second.moves
    assert first.drive.done == second.drive.done
    assert first.drive.world == second.drive.world


def test_a_seed_walks_the_same_walk_in_every_process(capsys: pytest.CaptureFixture[str]) -> None:
    """Tables hash by a key of the process: nothing may depend on the order in which they list."""
    words = [sys.executable, "-m", show_walks.__module__]
    there = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    show_walks()

    assert there == capsys.readouterr().out


def test_walks_differ_by_number_and_by_seed() -> None:
    walks = [walk_once(seed, number, NOMAD_2_0, (), 60).moves for seed, number in ((7, 0), (7, 1), (8, 0))]

    assert len({str(moves) for moves in walks}) == len(walks)


def test_walks_with_all_properties_call_few_functions_for_each_act() -> None:
    """How long it takes is a matter of the machine: here about a fifth of a millisecond."""
    called: Counter[str] = Counter()
    usual = sys.getprofile()
    sys.setprofile(lambda _frame, event, _about: called.update((event,)))
    try:
        acts = sum(walk_once(11, number, INTENDED, list_properties(), 250).drive.acts for number in range(2))
    finally:
        sys.setprofile(usual)

    assert called["call"] / acts < MOST_CALLS_AN_ACT


@pytest.mark.parametrize("acts", [2500, pytest.param(4000, marks=pytest.mark.deep)])
def test_a_search_takes_every_kind_of_act_that_clusters_of_its_kind_can_take(acts: int) -> None:
    found = search(1, acts, INTENDED, properties=())

    assert found.found == ()
    assert {"LoseLeadership", "LoseEntry", "FireBrokerTimer", "CollectGarbage", "Nack"} <= set(found.by_act)


@pytest.mark.parametrize("is_eager", [True, False])
def test_what_is_told_plays_to_the_same_world(is_eager: bool) -> None:
    walk = walk_once(5, 1, NOMAD_2_0, (), 80)
    drive = drive_through(walk.setup, walk.moves, NOMAD_2_0, is_eager=is_eager, properties=())
    told = tell(_as_failure(walk.setup, walk.moves, is_eager=is_eager), NOMAD_2_0)

    assert _without_reply(drive.world) == _without_reply(
        play_lines(parse_lines(told, "told"), NOMAD_2_0).world
    )


@pytest.mark.parametrize("number", [29, 34])
def test_nodes_that_join_and_configurations_are_told(number: int) -> None:
    """Also where the entry of a configuration failed, and where a client is cut off whose node is purged."""
    walk = walk_once(77, number, NOMAD_2_0, (), 120)
    drive = drive_through(walk.setup, walk.moves, NOMAD_2_0, properties=())
    told = tell(_as_failure(walk.setup, walk.moves, is_eager=False), NOMAD_2_0)

    assert " joins " in told
    assert "configure " in told
    assert _without_reply(drive.world) == _without_reply(
        play_lines(parse_lines(told, "told"), NOMAD_2_0).world
    )


def test_a_wait_is_told_as_scenarios_read_it() -> None:
    moves = (Pass(3_598_301), Pass(1))
    told = tell(_as_failure(Setup(), moves, is_eager=True), INTENDED)

    assert "wait 59m58s301ms\nwait 1ms\n" in told
    assert parse_lines(told, "told")


def test_a_failure_of_several_groups_is_made_small_to_one() -> None:
    moves = (Register("web", (("count", "1,2"), ("groups", "2"), ("port", "8080"))),)
    failure = Failure(Setup(), moves, False, Breach("a_service_is_registered", 0, "shown"))

    plainer = [
        each.options for each in shrinking._list_plainer(failure.moves[0]) if isinstance(each, Register)
    ]
    assert (("count", "1"), ("port", "8080")) in plainer


def test_walks_draw_what_has_to_meet() -> None:
    """Groups that differ, jobs of all types, nodes that join, and each kind of constraint."""
    drawer = Drawer(Random(5))
    drawer.draw_setup()
    jobs = [drawer.draw_register() for _ in range(200)]
    drawn = {option for job in jobs for option in job.options}

    assert {job.name for job in jobs} == set(JOBS)
    assert {name for kind in OFFERED.values() for name in kind} <= {name for name, _ in drawn}
    assert any("," in value for _, value in drawn)
    assert {name for _ in range(20) for name, _ in drawer.draw_join().options} == {"cpu", "rack", "volume"}


_UNHEALTHY_MEANWHILE = (
    *("Dequeue", "StartScheduler", "SubmitPlan", "JudgePlan", "CommitPlan", "ReceiveAnswer"),
    *("PullAllocs", "UpdateEval", "Ack", 400_000, "SetHealth", "JudgeHealth", "Dequeue", "StartScheduler"),
    *("ReportAllocs", "SubmitPlan", "JudgePlan", "CommitPlan"),
)


def test_a_plan_may_call_a_deployment_successful_of_which_an_alloc_became_unhealthy_since() -> None:
    """REC-90: an operator says that it is healthy, and its client that it is not."""
    moves = [Pass(each) if isinstance(each, int) else Take(each) for each in _UNHEALTHY_MEANWHILE]
    asked = (PROPERTIES["successful_deployment_is_healthy"],)
    drive = drive_through(Setup(), (Register("web"), *moves), INTENDED, properties=asked, rests=False)

    assert drive.breach is None
    assert [each.status for each in drive.world.state.deployments.values()] == ["successful"]


def test_a_cluster_comes_to_rest_though_a_plan_from_before_a_pause_is_under_way() -> None:
    """X-13: the broker may not be switched on again before the plan is answered."""
    drive = drive_through(Setup(), PAUSED_MOVES, INTENDED)

    assert drive.breach is None
    assert drive.world.state.configuration is not None
    assert not drive.world.state.configuration.pause_eval_broker
    assert [each.client_status for each in drive.world.state.list_allocs()] == ["running"]


def test_the_end_of_a_pause_that_is_refused_at_first_is_told_as_it_came() -> None:
    """X-13: told before anybody goes on, it would be refused each time, and the cluster would stay paused."""
    drive = drive_through(Setup(), PAUSED_MOVES, INTENDED, properties=())
    told = tell(_as_failure(Setup(), PAUSED_MOVES, is_eager=False), INTENDED)

    assert 3 == told.count("configure ")
    assert _without_reply(drive.world) == _without_reply(
        play_lines(parse_lines(told, "told"), INTENDED).world
    )


def _as_failure(setup: Setup, moves: tuple[Move, ...], *, is_eager: bool) -> Failure:
    return Failure(setup, moves, is_eager, Breach("missing_alloc_is_looked_for", len(moves), "told"))


def _without_reply(world: World) -> tuple[object, ...]:
    return world.state, world.leader, world.workers, world.clients, world.now_ns


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registers a third instance without the evaluation that would place it."""
    take = RegisterJob.take

    def forget(self: RegisterJob, world: World) -> World:
        if self.job.task_groups[0].count != 3 or self.job.id != "web":
            return take(self, world)
        after = take(self, world)
        broker = world.leader.memory.broker
        memory = replace(after.leader.memory, broker=broker)
        return replace(after, leader=replace(after.leader, memory=memory))

    monkeypatch.setattr(RegisterJob, "take", forget)


@pytest.mark.usefixtures("forgetful")
def test_a_forgotten_evaluation_is_found_and_made_small() -> None:
    drive = drive_through(Setup(), LATE_MOVES, INTENDED)
    assert drive.breach is not None
    small = shrink(Failure(Setup(), LATE_MOVES, False, drive.breach), INTENDED)

    assert drive.breach.name == "pending_eval_is_in_broker"
    assert small.moves == (Register("web", (("count", "3"),)),)
    assert small.is_eager
    told = parse_lines(tell(small, INTENDED), "told")
    broken = judge_lines(told, INTENDED).breach
    assert broken is not None
    assert broken.name == "pending_eval_is_in_broker"


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize("acts", [1500, pytest.param(3000, marks=pytest.mark.deep)])
def test_a_search_finds_a_forgotten_evaluation_once(acts: int) -> None:
    asked = (PROPERTIES["pending_eval_is_in_broker"],)
    found = search(11, acts, INTENDED, properties=asked, tries=40).found

    assert [each.name for each in found] == ["pending_eval_is_in_broker"]
    assert "register web" in found[0].scenario
