"""What meets in walks, and how often: a change of how they are drawn must not lose a kind of meeting."""

from itertools import pairwise
from random import Random

import pytest

from nomadspec.checkers.reference.sources import ROOT
from nomadspec.checkers.scenario.language import parse_lines
from nomadspec.checkers.scenario.play import play, play_lines
from nomadspec.checkers.scenario.run import Run
from nomadspec.checkers.stateful.meetings import Meeting
from nomadspec.checkers.stateful.world.drawing import Drawer
from nomadspec.checkers.stateful.world.drive import Asking, Drive
from nomadspec.checkers.stateful.world.meetings import count_meetings, list_at_work
from nomadspec.checkers.stateful.world.moves import Register, Setup
from nomadspec.checkers.stateful.world.themes import (
    LIMITED_ATTEMPTS,
    PLAIN,
    PREEMPTION,
    THEMES,
    Theme,
    draw_theme,
)
from nomadspec.invariants.cluster.world import PROPERTIES, Step
from nomadspec.invariants.cluster.world.finding_scenarios import COMPANIONS, CURES
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, find_profile
from nomadspec.model.specification.quirks import COUNTED_ANEW

FREQUENT = {Meeting.SEVERAL_EVENTS, Meeting.REDELIVERY, Meeting.TWO_SCHEDULERS, Meeting.SEVERAL_GROUPS}


def test_what_meets_often_does_so_in_a_few_walks() -> None:
    met = count_meetings(1, 3, INTENDED)

    assert {meeting for meeting in FREQUENT if met[meeting] == 0} == set()


def _list_met(text: str) -> list[Meeting]:
    run = play_lines(parse_lines(text, "met"), NOMAD_2_0, run=Run(NOMAD_2_0, worlds=[]))
    worlds = pairwise((run.origin, *(run.worlds or ())))
    steps = [
        Step(before, event.act, after) for event, (before, after) in zip(run.events, worlds, strict=True)
    ]
    return [met for step in steps for met in list_at_work(step)]


@pytest.mark.parametrize(("planned", "times"), [("web", 1), ("db type batch", 0)])
def test_the_watcher_meets_a_worker_that_plans_for_the_job_of_its_deployment(
    planned: str, times: int
) -> None:
    text = f"""
        cluster 1 nodes
        register web
        wait 10s
        hold SubmitPlan
        register {planned}
        wait 5s
        """

    assert times == _list_met(text).count(Meeting.WATCHER)


@pytest.mark.parametrize(("theme", "least", "most"), [(PLAIN, 0.2, 0.4), (LIMITED_ATTEMPTS, 0.01, 0.12)])
def test_a_theme_decides_how_many_moves_are_registrations(theme: Theme, least: float, most: float) -> None:
    """Limited attempts were met in one of 150 walks: versions came faster than allocations failed twice."""
    drawer = Drawer(Random(3), theme)
    drawer.outside = 1
    world = Setup(nodes=1).build(INTENDED)
    registered = [isinstance(drawer.draw(world), Register) for _ in range(300)]

    assert least < sum(registered) / 300 < most


def test_every_second_walk_has_a_theme() -> None:
    drawn = [draw_theme(Random(f"1/{number}/theme")) for number in range(100)]

    assert all(theme in drawn for theme in THEMES)
    assert 35 < sum(theme is PLAIN for theme in drawn) < 65


def test_a_theme_decides_what_most_registrations_say() -> None:
    drawer = Drawer(Random(3), PREEMPTION)
    registered = [drawer.draw_register() for _ in range(40)]

    assert {"web", "api", "db", "agent"} == {each.name for each in registered}
    large = [each for each in registered if dict(each.options).get("cpu", "").startswith("700")]
    assert len(large) > len(registered) / 2


@pytest.mark.deep
def test_everything_meets_in_some_of_many_walks() -> None:
    met = count_meetings(2, 150, NOMAD_2_0, 500)

    assert {meeting.value: met[meeting] for meeting in Meeting if met[meeting] == 0} == {}


_ABOUT_DEPLOYMENTS_OF_SYSTEM_JOBS = Theme(
    jobs={"agent": 1},
    options={"max_parallel": ("1", "2"), "restarts": ("0", "1"), "canary": ("0",)},
    often={"CallDeployment": 40, "SetHealth": 30, "EndTasks": 20},
)


@pytest.mark.deep
def test_where_nothing_comes_back_no_deployment_is_successful_by_too_many_healthy() -> None:
    """C-02 hurts only where lost_after lets something come back: all else is mended, the count is wrong."""
    mended = (cure for cure in (*CURES, *COMPANIONS) if cure != COUNTED_ANEW)
    profile = find_profile(" ".join(("nomad-2.0", *(f"-{cure}" for cure in mended))))
    path = ROOT / "docs/scenarios/findings/healthy-alloc-is-counted-twice.scenario"
    world = play(path, profile).world
    asked = [
        PROPERTIES[name] for name in ("successful_deployment_is_healthy", "ended_deployment_stays_ended")
    ]

    for number in range(100):
        drawer = Drawer(Random(f"1/{number}"), _ABOUT_DEPLOYMENTS_OF_SYSTEM_JOBS)
        drive = Drive(world, Asking(asked))
        for _ in range(150):
            drive.move(drawer.draw(drive.world))
        drive.rest()
        assert drive.breach is None, number
