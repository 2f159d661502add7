"""The causes in a story are what its steps really read."""

from dataclasses import replace
from pathlib import Path

from nomadspec.checkers.diagrams.dag import CauseKind, EventGraph, EventStatus, reduce_causes
from nomadspec.checkers.diagrams.story_events import events_of, list_reads
from nomadspec.checkers.report.loading import load_model
from nomadspec.checkers.report.replaying import replay_file
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.claim import judge, tell
from nomadspec.model.language.logic import all_of, any_of, ite
from nomadspec.model.language.story import DEADLOCK, Story, replay
from tests.checkers.shop import hasty, instances_of, write_shop
from tests.tidy.source import ROOT


def graph_of(story: Story, bounded: BoundedModel) -> EventGraph:
    run = replay(story, bounded)
    return events_of(story, run, judge(story, run))


def arrows(graph: EventGraph) -> set[tuple[str, str]]:
    return {(cause.source, cause.target) for cause in reduce_causes(graph).causes}


def test_both_managers_are_to_blame() -> None:
    graph = graph_of(*hasty())

    assert arrows(graph) == {
        ("first", "1"), ("1", "2"), ("2", "3"), ("3", "5"), ("5", "end"), ("first", "4"), ("4", "end"),
    }  # fmt: skip
    assert EventStatus.VIOLATING is graph.events[-1].status


def test_events_are_named_and_belong_to_their_actor() -> None:
    events = {event.id: event for event in graph_of(*hasty()).events}

    assert ("1  Prepare\nrm1", "rm1") == (events["1"].label, events["1"].cluster)
    assert ("3  DecideCommit", "manager") == (events["3"].label, events["3"].cluster)
    assert "managers_agree\ndoes not hold" == events["end"].label


def test_a_reason_is_the_cell_that_was_left_behind() -> None:
    causes = {(cause.source, cause.target): cause for cause in graph_of(*hasty()).causes}

    assert ("prepared_sent[rm1]",) == causes["1", "2"].reasons
    assert CauseKind.ENABLES is causes["1", "2"].kind


def test_what_only_gives_a_value_informs() -> None:
    bounded = find_model("core").at("unchecked")
    steps = instances_of(bounded, ("Dequeue worker1 job1", "Dequeue worker2 job2"))
    cells = bounded.initial[0]
    for step in steps:
        cells = bounded.step(cells, step) or ()
    for worker in (0, 1):
        schedule, cells = next(
            (one, after)
            for one, after in bounded.successors(cells)
            if one.rule.name == "Schedule" and one.arguments[0] == worker
        )
        steps.append(schedule)
    graph = graph_of(tell(bounded, bounded.initial[0], steps), bounded)
    kinds = {(cause.source, cause.target): cause.kind for cause in graph.causes}

    assert CauseKind.INFORMS is kinds["3", "4"]
    assert CauseKind.ENABLES is kinds["2", "4"]


def test_a_reached_goal_is_shown() -> None:
    bounded = find_model("2pc").at(sizes={"rms": 1}, profile="nomad-2.0")
    story = tell(
        bounded, bounded.initial[0], instances_of(bounded, ("ChooseAbort rm1",)), about="someone_aborts"
    )
    graph = graph_of(story, bounded)

    assert EventStatus.REACHING is graph.events[-1].status
    assert ("1", "end") in arrows(graph)


def test_a_violated_step_is_shown() -> None:
    story, bounded = hasty()
    run = replay(story, bounded)
    claimed = replace(story, property="decision_is_final")
    graph = events_of(claimed, run, replace(judge(story, run), is_true=True))

    assert "decision_is_final\ndoes not hold" == graph.events[-1].label


def test_a_stuck_end_is_caused_by_all_that_was_written() -> None:
    story, bounded = hasty()
    run = replay(story, bounded)
    graph = events_of(replace(story, property=DEADLOCK), run, replace(judge(story, run), is_true=True))

    assert "nothing can happen" == graph.events[-1].label
    assert {("4", "end"), ("5", "end")} <= arrows(graph)


def test_a_story_without_a_claim_ends_with_its_last_step() -> None:
    story, bounded = hasty()

    assert "5" == graph_of(replace(story, property=None), bounded).events[-1].id


def test_the_steps_of_a_loop_are_marked() -> None:
    story, bounded = hasty()
    events = graph_of(replace(story, loop=3, property=None), bounded).events

    assert ["4", "5"] == [event.id for event in events if event.status is EventStatus.LOOPING]


def test_a_branch_that_was_not_taken_is_not_read() -> None:
    bounded = find_model("2pc").at(sizes={"rms": 2}, profile="nomad-2.0")
    commit, abort, counted = (
        bounded.cell_terms[bounded.frame.cell_names.index(name)]
        for name in ("commit_sent", "abort_sent", "counted[rm1]")
    )
    cells = bounded.initial[0]
    (commit_at,), (abort_at,), (counted_at,) = commit.reads, abort.reads, counted.reads

    assert {commit_at, counted_at} == list_reads(ite(commit, abort, counted), cells)
    assert {commit_at} == list_reads(all_of(commit, abort), cells)
    assert {commit_at, abort_at} == list_reads(any_of(commit, abort), cells)
    assert set() == list_reads(1, cells)


def test_what_had_to_hold_until_then_is_shown_with_its_case() -> None:
    bounded = load_model(f"{ROOT}/docs/how-to/examples/printer.py").at("small")
    instances = instances_of(bounded, ("Ask clerk2", "Take clerk2", "Interrupt clerk2"))
    story = tell(bounded, bounded.initial[0], instances, about="prints_unless_it_is_done", case=("clerk2",))

    graph = graph_of(story, bounded)

    assert EventStatus.VIOLATING is graph.events[-1].status
    assert ("3", graph.events[-1].id) in arrows(graph)


def test_a_picture_of_a_model_of_ones_own_names_no_release(tmp_path: Path) -> None:
    bounded = load_model(str(write_shop(tmp_path))).at()
    story = replace(tell(bounded, bounded.initial[0], []), model="shop.py:SHOP")

    assert "shop.py:SHOP, scope usual" == graph_of(story, bounded).title
    assert graph_of(replace(story, model="core"), bounded).title.endswith(", profile nomad-2.0")


def test_a_step_belongs_to_the_component_that_its_rule_declares() -> None:
    told = replay_file(ROOT / "docs/findings/F-12.json")
    events = graph_of(told.story, told.bounded).events
    actors = {event.kind: event.cluster for event in events}

    assert ("operator", "worker1") == (actors["UpdateJobInPlace"], actors["Submit"])
