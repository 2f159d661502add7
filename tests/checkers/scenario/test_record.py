"""What is counted act by act is what a look at the whole cluster counts."""

from collections import Counter
from pathlib import Path

from nomadspec.checkers.scenario.language import parse_lines
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.checkers.scenario.record import QUEUES, STATUSES, Record, count_queues
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.specification.profiles import NOMAD_2_0


def record(text: str) -> Run:
    return play_lines(parse_lines(text, "a test"), NOMAD_2_0, run=Run(NOMAD_2_0, Path(), record=Record()))


def test_statuses_and_queues_are_those_of_the_cluster() -> None:
    run = record(
        "cluster 1 nodes cpu 1000\nregister web count 3 cpu 400\nwait 1m\nnode-1 misses heartbeats\nwait 1m"
    )
    assert run.record is not None
    last = run.record.samples[-1]

    counted = Counter(entry.status for entry in run.world.state.evals.values())
    assert dict(zip(STATUSES, last.statuses, strict=True)) == {name: counted[name] for name in STATUSES}
    assert last.queues == count_queues(run.world)
    assert dict(zip(QUEUES, last.queues, strict=True))["blocked"] == counted["blocked"] > 0
    assert len(run.record.samples) == len(run.events)
    assert [each.line for each in run.record.samples] == [each.line for each in run.events]


def test_a_placement_is_as_late_as_what_it_was_made_for_is_old() -> None:
    run = record(
        "cluster 1 nodes cpu 1000\nregister web count 3 cpu 400\nwait 90s\n"
        "node node-2 joins cpu 1000\nwait 1s"
    )
    assert run.record is not None

    assert [delay for each in run.record.samples for delay in each.delays] == [0.0, 0.0, 78.75]
    # the evaluation that first waited for room gave way to one of the deployment watcher, 11.25 s later


def test_worlds_are_kept_only_where_somebody_wants_them() -> None:
    lines = parse_lines("cluster 1 nodes\nregister web count 1\nwait 1m", "a test")
    bare = play_lines(lines, NOMAD_2_0)
    told = play_lines(lines, NOMAD_2_0, run=Run(NOMAD_2_0, worlds=[]))

    assert bare.worlds is None
    assert told.worlds is not None
    assert [world.state.latest_index for world in told.worlds] == [event.index for event in bare.events]
