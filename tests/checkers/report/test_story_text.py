"""A story is shown in fixed columns, with what changed."""

from dataclasses import replace

import pytest
from click import unstyle

from nomadspec.checkers.report import story_text
from nomadspec.checkers.report.story_text import (
    describe_end,
    list_changes,
    list_fields,
    render_steps,
    render_story,
)
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.claim import Judgement, judge, tell
from nomadspec.model.language.story import DEADLOCK, Story, replay
from tests.checkers.shop import hasty, instances_of

HASTY = """\
managers_agree is violated after 5 steps
  always, because no manager may undo what another has done
  2pc, scope hasty (rms=3), profile X-03

first  as declared
       state          working everywhere
       prepared_sent  false everywhere
       counted        false everywhere
       decision       none_yet
       commit_sent    false
       abort_sent     false

 STEP  RULE                CHANGES
    1  Prepare(rm1)        state[rm1]: working -> prepared
                           prepared_sent[rm1]: false -> true
    2  CountPrepared(rm1)  counted[rm1]: false -> true
    3  DecideCommit()      decision: none_yet -> commit
                           commit_sent: false -> true
    4  ChooseAbort(rm2)    state[rm2]: working -> aborted
    5  ObeyCommit(rm1)     state[rm1]: prepared -> committed

as told  managers_agree does not hold in the last world. Witnesses: (rm2 rm1)."""


def test_a_story_is_told_in_full() -> None:
    story, bounded = hasty()
    run = replay(story, bounded)

    assert HASTY == unstyle(render_story(story, run, judge(story, run)))


def test_of_many_fields_those_are_told_that_are_not_at_their_lowest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story_text, "_MOST_FIELDS", 5)
    story, bounded = hasty()
    run = replay(story, bounded)
    second = replace(run, moments=run.moments[1:], first=run.moments[0].cells)
    text = unstyle(render_story(story, second, judge(story, run)))

    assert (
        "first  as declared\n"
        "       state          rm1: prepared, rm2: working, rm3: working\n"
        "       prepared_sent  rm1: true, rm2: false, rm3: false\n"
        "       4 others       false, none_yet: the lowest of their values (--html lists them)\n"
    ) in text


def test_a_loop_is_marked() -> None:
    story, bounded = hasty()
    told = replace(story, loop=3)

    text = unstyle(render_steps(told, replay(told, bounded)))

    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if "from here on for ever" in line)
    assert lines[at + 1].startswith("    4  ChooseAbort")
    assert "back to where the loop begins" in lines[-1]


def test_a_world_that_stays_is_marked() -> None:
    story, bounded = hasty()
    told = replace(story, loop=5)

    assert "here it stays for ever" in unstyle(render_steps(told, replay(told, bounded))).splitlines()[-1]


def test_a_long_call_stands_on_a_line_of_its_own() -> None:
    bounded = find_model("core").at(sizes={"count": 4, "jobs": 1, "workers": 1}, profile="nomad-2.0")
    steps = instances_of(bounded, ("Dequeue worker1 job1",))
    taken = bounded.step(bounded.initial[0], steps[0])
    assert taken is not None
    schedule = next(one for one, _ in bounded.successors(taken) if one.rule.name == "Schedule")
    story = tell(bounded, bounded.initial[0], [*steps, schedule])

    lines = unstyle(render_steps(story, replay(story, bounded))).splitlines()

    at = next(number for number, line in enumerate(lines) if "Schedule" in line)
    assert lines[at].endswith(")")
    assert lines[at + 1].startswith(" " * 20)


def test_cells_that_are_alike_are_said_once() -> None:
    bounded = find_model("2pc").at(sizes={"rms": 2}, profile="nomad-2.0")
    after = bounded.step(bounded.initial[0], instances_of(bounded, ("Prepare rm1",))[0])
    assert after is not None

    fields = dict(list_fields(bounded, after))

    assert "rm1: prepared, rm2: working" == fields["state"]
    assert "false everywhere" == fields["counted"]
    changes = list_changes(bounded, bounded.initial[0], after)
    assert {"state[rm1]": ("working", "prepared"), "prepared_sent[rm1]": (False, True)} == changes


def test_other_claims_have_words_of_their_own() -> None:
    story, bounded = hasty()
    run = replay(story, bounded)
    wordings = {
        None: "A story of 5 steps that claims nothing",
        DEADLOCK: "Stuck after 5 steps",
        "all_commit": "all_commit is reached in 5 steps",
        "everyone_is_told": "everyone_is_told never comes true: an endless loop within 5 steps",
    }

    for name, wording in wordings.items():
        told = replace(story, property=name)
        assert unstyle(render_story(told, run, judge(told, run))).startswith(wording)


def test_a_claim_that_is_not_borne_out_is_said() -> None:
    end = describe_end(Judgement(is_true=False, sentence="No."))

    assert "not as told  No." == unstyle(end)


def test_a_record_that_is_cleared_is_told_in_one_line() -> None:
    """A snapshot that is forgotten is no news of its nodes; the data have every cell."""
    bounded = find_model("kernel").at("two-tokens", profile="nomad-2.0")
    first = bounded.initial[0]
    begun = walk(bounded, first, "Dequeue", "Begin", "Plan")
    told = render_steps(begun, replay(begun, bounded))

    assert "seen[worker1].node_up[node1]: false -> true" in unstyle(told)
    assert "seen[worker1]: cleared" in unstyle(told)
    assert "node_up[node1]: true -> false" not in unstyle(told)


def walk(bounded: BoundedModel, cells: Cells, *rules: str) -> Story:
    """Take the first way in which each rule can happen."""
    instances, now = [], cells
    for rule in rules:
        instance, now = next(found for found in bounded.successors(now) if found[0].rule.name == rule)
        instances.append(instance)
    return tell(bounded, cells, instances)
