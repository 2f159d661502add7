"""What quirks of the kernel do to a cluster that runs, and that it is otherwise where they are mended."""

import re

import pytest

from nomadspec.checkers.scenario.language import parse_lines
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.model.specification import quirks
from nomadspec.model.specification.profiles import find_profile
from nomadspec.model.specification.quirk import Quirk
from tests.tidy.source import ROOT

PAGE = ROOT / "docs" / "concepts" / "cluster-properties.md"

WOKEN = """\
cluster 1 nodes cpu 1000
register big cpu 900
register web cpu 500
wait 1m
expect 0 allocs job web
hold worker
node other joins cpu 1000
leader lost
leader elected
release worker
wait 1m
"""
"""A blocked evaluation is woken, and its leader is lost before any worker has it."""

PLANNED = """\
cluster 1 nodes
hold applier
register web
pause broker
resume broker
"""
"""A plan is with the applier while the broker is paused."""

GIVEN_UP = """\
cluster 1 nodes deliveries 1
pause broker
resume broker
hold log
register web
plan entry fails
release log
wait 6m
"""
"""After a pause an evaluation uses up its deliveries."""

PURGED = """\
cluster 1 nodes
hold SubmitPlan
register web
purge web
release SubmitPlan
wait 1m
"""
"""A job is purged while its first plan is made."""

COLLECTED = """\
cluster 1 nodes workers 0 followers 1
register work type batch
every alloc of work completes
wait 1m
hold CollectGarbage
collect garbage
hold follower
register work type batch image v2
release CollectGarbage
settle
"""
"""A job is registered again while the collector, on a server that is behind, is about to purge it."""

ACKED_LATE = """\
cluster 1 nodes workers 2
hold Ack
register web count 0
wait 90s
"""
"""A worker writes that its evaluation is complete, and does not say so to the broker in time."""

CROWDED = """\
cluster 0 nodes workers 1
node node-1 joins class a cpu 1000
node node-2 joins class b cpu 1000
register first class a cpu 700
register tiny class a cpu 100
register second class b cpu 700
wait 1m
register logs type system cpu 500
wait 1m
"""
"""A system job has room on neither of two nodes, and waits for the second."""

WOKEN_BY_CLASS = (
    CROWDED
    + """\
hold client
stop second
stop tiny
do 'PullAllocs(node-1)'
do 'StopTasks(node-1, alloc-00002-2)'
do 'ReportAllocs(node-1)'
settle
count from here
release client
wait 1m
"""
)
"""The first node wakes it too early, and the second one what has been made for it since."""

DISPLACED = (
    CROWDED
    + """\
node-2 ineligible
evaluate logs
wait 1m
count from here
node-2 eligible
wait 1m
"""
)
"""It waits for the first node in the end, and the second one comes back."""

PLACED = (
    CROWDED
    + """\
register logs type system cpu 100
wait 1m
count from here
stop tiny
wait 1m
"""
)
"""Its next version fits on both nodes, and then the first one has still more room."""

CASES = {
    "X-11": (WOKEN, "expect 0 allocs job web", "expect 1 allocs running job web"),
    "X-13": (PLANNED, "expect accepted", 'expect refused "still queued or in flight"'),
    "02/S6": (GIVEN_UP, "expect 0 evals failed-follow-up", "expect eval failed-follow-up complete"),
    "03/S15": (PURGED, "expect 1 acts Nack", "expect 0 acts Nack"),
    "X-08": (ACKED_LATE, "expect 2 acts Dequeue", "expect 1 acts Dequeue"),
    "X-09": (DISPLACED, "expect 4 acts Dequeue", "expect 3 acts Dequeue"),
    "X-14": (PLACED, "expect 2 acts Dequeue", "expect 1 acts Dequeue"),
    "X-16": (WOKEN_BY_CLASS, "expect 2 acts Dequeue", "expect 1 acts Dequeue"),
    "X-22": (COLLECTED, "expect job work gone", "expect job work version 1"),
}


@pytest.mark.parametrize("quirk", CASES)
def test_a_quirk_of_the_kernel_shows_in_a_cluster_and_is_mended(quirk: str) -> None:
    text, before, after = CASES[quirk]
    for profile, expected in (("nomad-2.0", before), (f"nomad-2.0 -{quirk}", after), ("intended", after)):
        run = play_lines(parse_lines(text + expected, quirk), find_profile(profile))
        assert [] == [each.found for each in run.unmet], profile
        assert run.met >= 1


def test_a_plan_from_before_a_pause_is_no_hindrance_once_it_is_answered() -> None:
    text = PLANNED + "release applier\nresume broker\nexpect accepted\nwait 1m\nexpect 1 allocs running"

    assert [] == play_lines(parse_lines(text, "paused"), find_profile("intended")).unmet


ELSEWHERE = {"09/S8", "X-15", "X-20"}
"""The quirks of the kernel that no text of clusters asks for: the page says why they need no cure there."""


def list_named(folder: str) -> set[str]:
    """List the quirks that the files of a folder name."""
    texts = [path.read_text() for path in (ROOT / "model" / folder).rglob("*.py")]
    words = {word for text in texts for word in re.findall(r"\b[A-Z_]{4,}\b", text)}
    return {one.id for name, one in vars(quirks).items() if isinstance(one, Quirk) and name in words}


def test_every_quirk_of_the_kernel_is_asked_for_in_clusters_or_needs_no_cure_there() -> None:
    assert list_named("kernel") - list_named("cluster") == ELSEWHERE


def test_the_page_tells_of_each_of_them() -> None:
    page = PAGE.read_text()

    for quirk in [*ELSEWHERE, *CASES, "03/S13"]:
        assert f"| `{quirk}` |" in page, quirk
