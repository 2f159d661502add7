"""Refinement of one model by another: compared with a plain look at all steps; each fault has its story."""

from collections.abc import Callable

import pytest

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.refine import refine
from nomadspec.checkers.refine.report import Fault, RefineReport
from nomadspec.checkers.report.loading import load_refinement
from nomadspec.checkers.verdict import Verdict
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import ImpossibleError, ModelError, StyleError, UnknownNameError, UsageError
from nomadspec.model.language.domain import FLAG, Id, upto
from nomadspec.model.language.logic import all_of, ite, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.reading import Remembered
from nomadspec.model.language.refinement import Refinement, copy_queue, refines
from nomadspec.model.language.rule import rule
from nomadspec.model.language.story import replay
from nomadspec.model.language.world import World, field, ids, queue, size
from tests.checkers.refine.pairs import make_pair
from tests.tidy.source import ROOT

AS_COMMIT = load_refinement(f"{ROOT}/docs/how-to/examples/atomic_commit.py:as_commit")
TWO_PHASE = find_model("2pc")


@pytest.mark.parametrize(
    "block", [0, *(pytest.param(block, marks=pytest.mark.deep) for block in range(1, 16))]
)
def test_random_pairs_agree_with_a_plain_look_at_all_steps(block: int) -> None:
    for seed in range(50 * block, 50 * block + 50):
        pair = make_pair(seed)
        low = pair.model().at()

        report = refine(low, pair.refinement())

        wanted = pair.find_failing()
        failure = report.failure
        assert wanted == (None if failure is None else len(failure.story.steps)), seed
        if failure is not None and failure.fault is Fault.STEP:
            source, target = [at for (at,) in replay(failure.story, low).worlds[-2:]]
            assert not pair.is_allowed(source, target)
            rooms = failure.before, failure.after
            assert ({"room": pair.rooms[source]}, {"room": pair.rooms[target]}) == rooms
            assert all(reason.fails or reason.differs or not reason.application for reason in failure.reasons)


def test_random_pairs_give_each_answer() -> None:
    found = [make_pair(seed).find_failing() for seed in range(400)]

    assert 60 < sum(failing is None for failing in found)
    assert 20 < sum(failing == 0 for failing in found)
    assert 30 < sum(failing is not None and failing > 1 for failing in found)


def test_two_phase_commit_is_an_atomic_commit() -> None:
    low = TWO_PHASE.at("small", profile="nomad-2.0")

    report = refine(low, AS_COMMIT)

    explored = explore(low, properties=["deadlock"])
    assert Verdict.HOLDS is report.verdict
    assert (explored.distinct, explored.generated - 1) == (report.worlds, report.steps)
    assert {"rms": 5} == report.high.sizes
    assert 63 == report.high_worlds
    assert ("EndEarly",) == report.never_taken
    assert report.stuttering == sum(one.steps for one in report.becomes if not one.high)
    assert {"Abort": 27_200, "Commit": 80, "EndEarly": 0} == dict(report.taken)


def test_a_hasty_commit_is_none_and_the_story_says_why() -> None:
    low = TWO_PHASE.at("hasty")

    report = refine(low, AS_COMMIT)

    assert (Verdict.VIOLATED, "violation") == (report.verdict, report.stopped_by)
    assert report.failure is not None
    assert (Fault.STEP, 5) == (report.failure.fault, len(report.failure.story.steps))
    commits = next(reason for reason in report.failure.reasons if reason.rule == "Commit")
    assert ("outcome[rm2] != aborted",) == commits.fails
    assert () == commits.differs
    assert {reason.rule for reason in report.failure.reasons} == {"Commit", "Abort", "EndEarly"}


class Counting(World):
    """Two steps of one, as in a protocol that sends and is answered."""

    most = size(4, "how far it counts")
    count = field(upto(most), init=0, about="how far it has come")


class Lit(World):
    """A lamp."""

    most = size(2, "how far it counts")
    level = field(upto(most), init=0, about="how bright it is")
    is_lit = field(FLAG, init=False, about="whether it is lit")


@rule("R-1")
def count_on(s: Counting, t: Counting) -> None:
    """It counts."""
    t.require(s.count < s.most)
    t.count = s.count + 1


@rule("R-2")
def brighten(s: Lit, t: Lit) -> None:
    """It becomes brighter."""
    t.require(s.level < s.most)
    t.level = s.level + 1
    t.is_lit = True


COUNTING = Model("counting", "it counts", Counting, (count_on,))
LIT = Model("lit", "a lamp", Lit, (brighten,))


def map_by(text: Callable[..., object], **options: object) -> Refinement:
    return refines(LIT, **options)(text)  # type: ignore[arg-type]  # each test says what is an option


def half(s: Counting, t: Lit) -> None:
    t.level = ite(s.count >= 4, 2, ite(s.count >= 2, 1, 0))
    t.is_lit = s.count >= 2


def jump(s: Counting, t: Lit) -> None:
    t.level = ite(s.count >= 4, 2, 0)
    t.is_lit = s.count >= 4


def nothing(s: Counting, t: Lit) -> None:
    t.level = 0
    t.is_lit = False


def too_bright(s: Counting, t: Lit) -> None:
    t.level = s.count
    t.is_lit = s.count > 0


def begun(s: Counting, t: Lit) -> None:
    t.level = s.count
    t.is_lit = True


def check(text: Callable[..., object], **options: object) -> RefineReport:
    return refine(COUNTING.at(), map_by(text, **options))


def test_steps_that_are_not_seen_stutter() -> None:
    report = check(half, sizes={"most": 2})

    assert Verdict.HOLDS is report.verdict
    assert [("CountOn", (), 2), ("CountOn", ("Brighten",), 2)] == sorted(
        (one.rule, one.high, one.steps) for one in report.becomes
    )


def test_one_step_may_be_several_where_that_is_declared() -> None:
    once, twice = (check(jump, sizes={"most": 2}, steps=steps) for steps in (1, 2))

    assert (Verdict.VIOLATED, Verdict.HOLDS) == (once.verdict, twice.verdict)
    assert ("Brighten then Brighten",) == next(one.high for one in twice.becomes if one.high)
    assert once.failure is not None
    assert "The last step, CountOn, is no step of lit, and changes something there." == once.failure.sentence


def test_a_mapping_under_which_nothing_happens_shows_nothing() -> None:
    report = check(nothing)

    assert (Verdict.INCONCLUSIVE, True) == (report.verdict, report.is_vacuous)
    assert ("Brighten",) == report.never_taken


def test_a_world_that_is_seen_as_none_ends_a_story() -> None:
    report = check(too_bright, sizes={"most": 2})

    assert report.failure is not None
    assert (Fault.MAPPING, 3) == (report.failure.fault, len(report.failure.story.steps))
    assert "The last world is seen as none: level := 3 leaves its domain, 0 .. 2." == report.failure.sentence
    assert ({"level": 2, "is_lit": True}, None) == (report.failure.before, report.failure.after)


def test_a_first_world_that_is_seen_as_another_is_wrong() -> None:
    report = check(begun)

    assert report.failure is not None
    assert (Fault.START, ()) == (report.failure.fault, report.failure.story.steps)
    assert {"level": 0, "is_lit": True} == report.failure.after
    assert report.failure.before is None


@rule("R-3")
def count_past_the_end(s: Counting, t: Counting) -> None:
    """It counts without looking."""
    t.count = s.count + 1


def by_identity(s: Counting, t: Lit) -> None:
    t.level = 0
    t.is_lit = s.count is s.most


def test_a_mapping_is_read_as_rules_are() -> None:
    """Traced, this one is dark in every world, so that it would be asked in the first one alone."""
    with pytest.raises(
        StyleError, match=r"Mapping by_identity \(.*test_refiner.py:\d+\): it compares with `is`"
    ):
        check(by_identity)


def test_a_low_rule_that_fails_ends_a_story() -> None:
    report = refine(Model("counting", "it counts", Counting, (count_past_the_end,)).at(), map_by(half))

    failure = report.failure
    assert failure is not None
    assert (Verdict.VIOLATED, Fault.LOW, 5) == (report.verdict, failure.fault, len(failure.story.steps))
    assert "domains_are_kept" == failure.story.property
    assert failure.sentence.startswith("The last step, CountPastTheEnd, fails: Rule CountPastTheEnd (")
    assert ({"level": 2, "is_lit": True}, None) == (failure.before, failure.after)


@rule("R-4")
def brighten_blindly(s: Lit, t: Lit) -> None:
    """It becomes brighter, however bright it is."""
    t.level = s.level + 1
    t.is_lit = True


def dim_at_last(s: Counting, t: Lit) -> None:
    t.level = ite(s.count >= 3, 0, s.count)
    t.is_lit = all_of(s.count > 0, s.count < 3)


def test_a_high_rule_that_fails_ends_a_story() -> None:
    high = Model("blind", "a lamp", Lit, (brighten_blindly,))

    report = refine(COUNTING.at(), refines(high, sizes={"most": 2})(dim_at_last))

    failure = report.failure
    assert failure is not None
    assert (Verdict.VIOLATED, Fault.HIGH, 3) == (report.verdict, failure.fault, len(failure.story.steps))
    assert failure.sentence.startswith("A rule of blind fails in the world as which the one before the")
    assert "level := 3 leaves its domain" in failure.sentence


def test_sizes_of_the_same_name_agree_and_others_are_told() -> None:
    assert {"most": 4} == map_by(half).bound(COUNTING.at()).sizes
    assert {"most": 3} == map_by(half, sizes={"most": 3}).bound(COUNTING.at()).sizes
    assert {"most": 5} == map_by(half, sizes={"most": "most"}).bound(COUNTING.at(sizes={"most": 5})).sizes
    with pytest.raises(UnknownNameError, match="There is no size of counting named 'mots'"):
        map_by(half, sizes={"most": "mots"}).bound(COUNTING.at())


def test_the_profile_is_that_of_the_low_model_unless_one_is_told() -> None:
    assert "X-01" == map_by(half).bound(COUNTING.at(profile="X-01")).profile.name
    assert "X-02" == map_by(half, profile="X-02").bound(COUNTING.at(profile="X-01")).profile.name
    assert COUNTING.at().profile is map_by(half).bound(COUNTING.at()).profile


def test_a_high_model_that_is_too_small_is_refused() -> None:
    small = refines(AS_COMMIT.high, sizes={"rms": 2})(AS_COMMIT.text)

    with pytest.raises(ModelError, match=r"Mapping .* writes outcome at rm3, but rms has 2"):
        refine(TWO_PHASE.at("hasty"), small)


def test_a_limit_leaves_it_open() -> None:
    report = refine(TWO_PHASE.at("small", profile="nomad-2.0"), AS_COMMIT, max_states=100)

    assert (Verdict.INCONCLUSIVE, "states") == (report.verdict, report.stopped_by)
    assert 100 <= report.worlds < 200
    assert (
        "time" == refine(TWO_PHASE.at("small", profile="nomad-2.0"), AS_COMMIT, max_seconds=1e-6).stopped_by
    )
    with pytest.raises(UsageError, match="max_states must be more than 0, not 0"):
        refine(TWO_PHASE.at("small", profile="nomad-2.0"), AS_COMMIT, max_states=0)


def forgets(s: Counting, t: Lit) -> None:
    t.level = s.count


def branches(s: Counting, t: Lit) -> None:
    t.level = s.count
    t.is_lit = bool(s.count)


def requires(s: Counting, t: Lit) -> None:
    t.require(s.count > 0)


def gives_back(s: Counting, t: Lit) -> object:
    t.level = s.count
    t.is_lit = True
    return {"level": 1}


def mistypes(s: Counting, t: Lit) -> None:
    t.level = s.cuont  # type: ignore[attr-defined]  # which is the point


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (forgets, "it leaves is_lit of lit unset: assign every field of t"),
        (branches, "may not branch on a value of the world"),
        (requires, "a mapping requires nothing"),
        (gives_back, "it returns or yields something"),
        (mistypes, "Counting has no 'cuont'; did you mean count"),
    ],
)
def test_a_mapping_out_of_style_is_refused(text: Callable[..., object], sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence) as refused:
        check(text)

    assert f"Mapping {text.__name__}" in str(refused.value)
    assert "test_refiner.py:" in str(refused.value)


def test_a_mapping_that_reads_something_else_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nomadspec.checkers.refine.mapping.remember_state", lambda _texts: Remembered(()))
    asked: list[int] = []

    def moody(s: Counting, t: Lit) -> None:
        asked.append(0)
        t.level = 0
        t.is_lit = len(asked) > 3

    class Idle(Counting):
        spins = field(upto(200), init=0, about="how often it turned")

    @rule("R-3")
    def spin(s: Idle, t: Idle) -> None:
        """It turns."""
        t.require(s.spins < 200)
        t.spins = s.spins + 1

    with pytest.raises(ImpossibleError, match="gives two answers for worlds that it reads alike"):
        refine(Model("idle", "it turns", Idle, (spin,)).at(), map_by(moody))


def test_what_is_no_mapping_is_refused() -> None:
    with pytest.raises(ModelError, match=r"write @refines\(MODEL\)"):
        refines(Lit)  # type: ignore[arg-type]  # which is the point
    with pytest.raises(ModelError, match=r"Mapping wrong takes \(s\), but it should take \(s, t\)"):

        @refines(LIT)
        def wrong(s: Counting) -> None: ...

    with pytest.raises(UsageError, match="steps=0 should be at least 1"):
        refines(LIT, steps=0)


class Line(World):
    """Somebody waits."""

    clerks = ids("clerk", 3, "who waits")
    line = queue(clerks, "who waits, in order")


@rule("R-4", clerk=Line.clerks)
def join(s: Line, t: Line, clerk: Id) -> None:
    """Somebody joins the line."""
    t.require(not_(s.line.has(clerk)))
    t.line.push(clerk)


@rule("R-5", clerk=Line.clerks)
def leave(s: Line, t: Line, clerk: Id) -> None:
    """The first one leaves."""
    t.require(s.line.head(clerk))
    t.line.pop(clerk)


@rule("R-6", clerk=Line.clerks)
def give_up(s: Line, t: Line, clerk: Id) -> None:
    """Somebody does not wait any longer."""
    t.require(s.line.has(clerk))
    t.line.remove(clerk)


@refines(Model("line", "a line", Line, (join, leave)))
def same_line(s: Line, t: Line) -> None:
    """The same line."""
    copy_queue(t.line, s.line)


def test_a_queue_is_copied() -> None:
    patient = refine(Model("patient", "a line", Line, (join, leave)).at(), same_line)
    impatient = refine(Model("impatient", "a line", Line, (join, leave, give_up)).at(), same_line)

    assert (Verdict.HOLDS, 16) == (patient.verdict, patient.high_worlds)
    assert impatient.failure is not None
    assert ["Join(clerk1)", "Join(clerk2)", "GiveUp(clerk2)"] == [
        str(step) for step in impatient.failure.story.steps
    ]
    with pytest.raises(ModelError, match="copy_queue takes a queue of t and one of s"):
        copy_queue(1, 2)
