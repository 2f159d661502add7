"""Proving: what the solver says of whole models."""

from dataclasses import replace
from functools import cache

import pytest

from nomadspec.checkers.smt import prove, proving
from nomadspec.checkers.smt.induction import Names
from nomadspec.checkers.smt.open_induction import OpenInduction
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.checkers.smt.promise_proofs import list_promises
from nomadspec.checkers.smt.question import Answer, Asking, Reply
from nomadspec.checkers.smt.scope_induction import BoundedInduction
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.checkers.verdict import Proof, ProofResult, ProveReport, Verdict
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UnknownNameError, UsageError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.claim import judge
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.logic import Value, for_all, implies, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import COUNTERS_FIT_THE_SCOPE
from nomadspec.model.language.property import Kind, always, lemma, step
from nomadspec.model.language.rule import Rule, rule
from nomadspec.model.language.story import replay
from nomadspec.model.small.core import Core, Place, Stage, holds_token
from nomadspec.model.small.two_phase_commit import Decision, Manager, TwoPhase
from tests.checkers.jar import Jar, put_in
from tests.checkers.smt.toys import Desk, begin, busy_clerks_wait, desk, finish, waiting_clerks_are_busy

UNBOUNDED = ProofResult.PROVED_UNBOUNDED


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let questions that have no quick answer go sooner; those that have one take a hundredth of this."""
    monkeypatch.setattr(proving, "_QUESTION_SECONDS", 0.4)


BOUNDED = ProofResult.PROVED_BOUNDED
PROVED = {UNBOUNDED, BOUNDED}


def results(report: ProveReport) -> dict[str, ProofResult]:
    return {proof.property: proof.result for proof in report.proofs}


def find(report: ProveReport, name: str) -> Proof:
    return next(proof for proof in report.proofs if proof.property == name)


def without(model: Model, *names: str) -> Model:
    return replace(model, properties=tuple(prop for prop in model.properties if prop.name not in names))


def with_rule(model: Model, name: str, mutant: Rule) -> BoundedModel:
    """Bound a model in which a rule is replaced by a variant."""
    rules = tuple(replace(mutant, name=name) if one.name == name else one for one in model.rules)
    return replace(model, rules=rules).at(profile="intended")


@pytest.fixture(scope="module")
def core() -> ProveReport:
    """Prove the benchmark protocol once."""
    return prove(find_model("core").at(profile="intended"))


@pytest.mark.parametrize("name", ["core", "2pc"])
def test_everything_is_proved_for_any_number(name: str, core: ProveReport) -> None:
    model = find_model(name)
    report = core if name == "core" else prove(model.at(profile="intended"))
    asked = [prop.name for prop in model.list_properties(Kind.ALWAYS, Kind.STEP)]

    assert Verdict.HOLDS is report.verdict
    wanted = dict.fromkeys([*asked, *list_promises(model.world.schema)], UNBOUNDED)
    if COUNTERS_FIT_THE_SCOPE in wanted:  # of which a scope says the end
        wanted[COUNTERS_FIT_THE_SCOPE] = BOUNDED
    assert wanted == results(report)
    assert () == report.notes


def test_a_proof_says_its_scope_its_rows_and_what_it_leans_on(core: ProveReport) -> None:
    proof = find(core, "no_token_is_shared")
    rules = ["Dequeue", "Schedule", "ApplyPlan", "Ack", "Nack", "ExpireDelivery", "FlipNode"]

    assert "any number of jobs, nodes and workers" in proof.scope
    assert ["initial worlds", *rules] == [row.rule for row in proof.rows]
    assert {"kept"} == {row.result for row in proof.rows}
    assert {"held_tokens_were_given", "queued_workers_wait", "busy_workers_have_a_job"} <= set(proof.lemmas)
    assert proof.seconds == pytest.approx(sum(row.seconds for row in proof.rows))


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize(
    ("model", "scope", "broken"),
    [
        pytest.param("core", "unchecked", {"no_node_is_oversubscribed"}, marks=pytest.mark.deep),
        pytest.param("core", "reused", {"no_token_is_shared"}, marks=pytest.mark.deep),
        ("2pc", "hasty", {"managers_agree", "commit_counts_everyone"}),
    ],
)
def test_a_quirk_is_refuted_by_a_story_that_replays(model: str, scope: str, broken: set[str]) -> None:
    bounded = bind_as_usual(find_model(model), scope)
    report = prove(bounded)

    assert Verdict.VIOLATED is report.verdict
    for proof in report.proofs:
        assert (proof.result is ProofResult.COUNTEREXAMPLE) == (proof.property in broken)
        if proof.property != COUNTERS_FIT_THE_SCOPE:  # its lemmas speak of what the quirk breaks
            assert (proof.result is UNBOUNDED) == (proof.property not in broken)
        if proof.story is not None:
            assert judge(proof.story, replay(proof.story, bounded)).is_true


@pytest.mark.parametrize(
    ("name", "scope"),
    [("2pc", "rms 5"), pytest.param("core", "jobs 2, nodes 2, workers 2", marks=pytest.mark.deep)],
)
def test_in_a_scope_alone_everything_is_proved_within_it(name: str, scope: str) -> None:
    report = prove(find_model(name).at(profile="intended"), is_open=False)

    assert {ProofResult.PROVED_BOUNDED} == set(results(report).values())
    assert scope in report.proofs[0].scope.replace("count 2, ", "")


DOUBTFUL = "no_token_is_shared"


@cache
def prove_doubting(workers: int | None) -> tuple[ProveReport, set[str]]:
    """Prove where nobody knows whether one property of the benchmark protocol holds for any number.

    Gives what was asked in the scope, too, as far as this process has asked it.
    """
    asked: set[str] = set()
    ask_open, ask_bounded = OpenInduction.ask_step, BoundedInduction.ask_step

    def doubt(self: OpenInduction, step: int, goal: str, assumed: Names) -> Reply:
        return Reply(Answer.UNKNOWN) if goal == DOUBTFUL else ask_open(self, step, goal, assumed)

    def note(self: BoundedInduction, step: int, goal: str, assumed: Names) -> Reply:
        asked.add(goal)
        return ask_bounded(self, step, goal, assumed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OpenInduction, "ask_step", doubt)
        patch.setattr(BoundedInduction, "ask_step", note)
        return prove(find_model("core").at(profile="intended"), asking=Asking(workers=workers)), asked


@pytest.mark.parametrize("workers", [None, pytest.param(2, marks=pytest.mark.deep)])
def test_what_is_known_for_any_number_helps_in_the_scope(workers: int | None) -> None:
    report, _ = prove_doubting(workers)
    left = find(report, DOUBTFUL)
    lemma = find(report, "held_tokens_were_given")

    assert (ProofResult.PROVED_BOUNDED, UNBOUNDED) == (left.result, lemma.result)
    assert {lemma.property, *lemma.lemmas} <= {*left.lemmas, DOUBTFUL}
    assert "initial worlds" == left.rows[0].rule


def test_in_the_scope_only_the_rest_is_asked() -> None:
    _, asked = prove_doubting(None)

    assert {DOUBTFUL} == {goal for goal in asked if not goal.startswith("end of ")}


@pytest.mark.deep
@pytest.mark.usefixtures("brief")
def test_without_its_lemma_a_property_is_not_proved() -> None:
    bounded = without(find_model("core"), "held_tokens_were_given").at(profile="intended")
    report = prove(bounded, bmc_steps=2)
    lost = find(report, "no_token_is_shared")

    assert Verdict.INCONCLUSIVE is report.verdict
    assert ProofResult.NOT_INDUCTIVE is lost.result
    assert lost.gap is not None
    assert "Dequeue" == lost.gap.rule
    assert UNBOUNDED is find(report, "no_node_is_oversubscribed").result


@pytest.mark.usefixtures("brief")
def test_agreement_is_not_proved_without_its_lemmas() -> None:
    bounded = without(find_model("2pc"), "commit_counts_everyone").at(profile="intended")
    report = prove(bounded, properties=["managers_agree", "counted_was_sent"], bmc_steps=3)

    assert find(report, "managers_agree").result not in PROVED
    assert UNBOUNDED is find(report, "counted_was_sent").result


@pytest.mark.deep
@pytest.mark.usefixtures("brief")
def test_without_order_in_its_queue_nothing_is_proved_for_any_number() -> None:
    bounded = without(find_model("core"), "queued_workers_wait").at(profile="intended")
    report = prove(bounded, bmc_steps=1)
    (note,) = report.notes

    assert UNBOUNDED not in results(report).values()
    assert ProofResult.PROVED_BOUNDED is find(report, "no_node_is_oversubscribed").result
    assert "the queue plans is used as one" in note


@rule("X", worker=Core.workers, job=Core.jobs)
def dequeue_ahead(s: Core, t: Core, worker: Id, job: Id) -> None:
    """A worker takes an evaluation under a token that nobody has given out."""
    t.require(s.stage[worker] == Stage.IDLE, s.place[job] == Place.READY)
    t.place[job] = Place.UNACKED
    t.stage[worker] = Stage.PLANNING
    t.job[worker] = job
    t.held_token[worker] = s.token[job] + 1


@rule("X", worker=Core.workers, job=Core.jobs)
def nack_and_wait(s: Core, t: Core, worker: Id, job: Id) -> None:
    """A worker gives the evaluation back and waits as if it had a plan."""
    t.require(s.stage[worker] == Stage.REJECTED, s.job[worker] == job)
    t.when(holds_token(s, worker, job)).place[job] = Place.READY
    t.stage[worker] = Stage.WAITING


@rule("X", rm=TwoPhase.rms)
def choose_abort_late(s: TwoPhase, t: TwoPhase, rm: Id) -> None:
    """A manager aborts even when it has promised not to."""
    t.require(s.state[rm] != Manager.COMMITTED)
    t.state[rm] = Manager.ABORTED


@rule("X")
def decide_again(s: TwoPhase, t: TwoPhase) -> None:
    """The transaction manager aborts whatever it decided before."""
    t.decision = Decision.ABORT
    t.abort_sent = True


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize(
    ("model", "name", "mutant", "broken"),
    [
        pytest.param("core", "Dequeue", dequeue_ahead, "held_tokens_were_given", marks=pytest.mark.deep),
        pytest.param("core", "Nack", nack_and_wait, "queued_workers_wait", marks=pytest.mark.deep),
        ("2pc", "ChooseAbort", choose_abort_late, "managers_agree"),
        ("2pc", "DecideAbort", decide_again, "decision_is_final"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_a_mutant_is_not_proved(model: str, name: str, mutant: Rule, broken: str) -> None:
    report = prove(with_rule(find_model(model), name, mutant), properties=[broken], bmc_steps=1)

    assert find(report, broken).result not in PROVED


def test_a_story_is_as_long_as_it_must_be_and_no_longer_than_asked() -> None:
    bounded = find_model("2pc").at("hasty", sizes={"rms": 2})
    short, long = (
        find(prove(bounded, properties=["managers_agree"], bmc_steps=most, is_open=False), "managers_agree")
        for most in (4, 5)
    )

    assert ProofResult.NOT_INDUCTIVE is short.result
    assert ProofResult.COUNTEREXAMPLE is long.result
    assert long.story is not None
    assert 5 == len(long.story.steps)
    assert long.gap is None


@pytest.mark.usefixtures("brief")
def test_a_violated_initial_world_is_a_counterexample() -> None:
    @always("X", why="for the test")
    def office_is_closed(s: Desk) -> Value:
        """The office is closed."""
        return s.closed

    report = prove(desk(begin, finish, properties=(office_is_closed,)))
    proof, *_ = report.proofs

    assert ProofResult.COUNTEREXAMPLE is proof.result
    assert proof.story is not None
    assert () == proof.story.steps
    assert ["broken"] == [row.result for row in proof.rows]


@pytest.mark.usefixtures("brief")
def test_a_step_property_may_be_refuted() -> None:
    @step("X", why="for the test")
    def nobody_is_served(s: Desk, n: Desk) -> Value:
        """Nobody is ever served."""
        return n.served == s.served

    parts = (waiting_clerks_are_busy, busy_clerks_wait, nobody_is_served)
    report = prove(desk(begin, finish, properties=parts), properties=["nobody_is_served"])
    proof, *_ = report.proofs

    assert ProofResult.COUNTEREXAMPLE is proof.result
    assert proof.story is not None
    assert ["Begin", "Finish"] == [application.rule for application in proof.story.steps]


def test_only_what_is_asked_is_reported() -> None:
    bounded = find_model("2pc").at(profile="intended")
    by_name = prove(bounded, properties=["managers_agree"])
    by_property = prove(bounded, properties=[bounded.model.find_property("managers_agree")])

    asked = ("managers_agree", "domains_are_kept")
    assert dict.fromkeys(asked, UNBOUNDED) == results(by_name) == results(by_property)
    assert 5 == len(by_name.proofs[0].lemmas)


@pytest.mark.parametrize("name", ["all_commit", "everyone_is_told"])
def test_what_is_not_proved_but_searched_for_is_sent_elsewhere(name: str) -> None:
    with pytest.raises(UsageError, match="nomadspec explore --model 2pc"):
        prove(find_model("2pc").at(profile="nomad-2.0"), properties=[name])


def test_nothing_is_not_proved() -> None:
    with pytest.raises(UsageError, match="nothing to prove"):
        prove(find_model("2pc").at(profile="nomad-2.0"), properties=[])


def test_a_lemma_rests_on_properties_of_its_model() -> None:
    @lemma("X", why="x", rests_on=(busy_clerks_wait,))
    def rested(s: Desk) -> Value:
        """It holds."""
        return for_all(implies(s.busy[x], s.at[x] == NONE) for x in s.clerks)

    (note,) = [one for one in prove(desk(begin, finish, properties=(rested,))).notes if "rests on" in one]

    assert "rested rests on busy_clerks_wait, which is not among the properties of its model" in note


def test_an_unknown_property_is_named() -> None:
    with pytest.raises(UnknownNameError, match="did you mean managers_agree"):
        prove(find_model("2pc").at(profile="nomad-2.0"), properties=["managers_agre"])


def test_a_model_that_is_not_in_style_for_any_number_is_proved_in_its_scope() -> None:
    @rule("X")
    def tally(s: Desk, t: Desk) -> None:
        """Somebody counts heads in Python."""
        t.level = 0
        t.closed = len(list(s.clerks)) > 5

    report = prove(desk(begin, finish, tally, properties=(waiting_clerks_are_busy,)))
    (note,) = report.notes

    assert ProofResult.PROVED_BOUNDED is report.proofs[0].result
    assert note.startswith("Not read for any number of objects: Rule Tally")


def test_a_rule_that_can_never_happen_is_noted() -> None:
    @rule("X", clerk=Desk.clerks)
    def wait_idly(s: Desk, t: Desk, clerk: Id) -> None:
        """Somebody idle is in the line."""
        t.require(s.line.has(clerk), not_(s.busy[clerk]))
        t.closed = True

    report = prove(desk(begin, finish, wait_idly, properties=(waiting_clerks_are_busy, busy_clerks_wait)))
    (note,) = report.notes

    assert Verdict.HOLDS is report.verdict
    assert "WaitIdly" in note
    assert "can never happen" in note


@pytest.mark.usefixtures("brief")
def test_a_model_without_properties_still_promises_something() -> None:
    report = prove(desk(begin, finish))

    assert Verdict.INCONCLUSIVE is report.verdict
    promised = ["domains_are_kept", COUNTERS_FIT_THE_SCOPE, "queues_are_used_well"]
    assert promised == [proof.property for proof in report.proofs]


def test_without_time_nothing_is_known_but_what_needs_no_solver() -> None:
    report = prove(find_model("core").at(profile="intended"), max_seconds=0.0)

    assert Verdict.INCONCLUSIVE is report.verdict
    assert ProofResult.UNKNOWN in results(report).values()
    assert UNBOUNDED not in results(report).values()
    assert any("time was used up" in note for note in report.notes)


def test_an_interrupted_run_reports_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(OpenWorld, "__init__", interrupt)
    report = prove(find_model("2pc").at(profile="nomad-2.0"))

    assert {ProofResult.UNKNOWN} == set(results(report).values())
    assert report.is_interrupted
    assert any("interrupted" in note for note in report.notes)


def test_an_interrupt_between_two_answers_leaves_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = OpenInduction.ask_step

    def ask_step(self: OpenInduction, step: int, goal: str, assumed: Names) -> Reply:
        if goal == "finished_managers_stay":
            raise KeyboardInterrupt
        return usual(self, step, goal, assumed)

    monkeypatch.setattr(OpenInduction, "ask_step", ask_step)
    report = prove(find_model("2pc").at(profile="intended"))

    assert report.is_interrupted
    assert UNBOUNDED is find(report, "decision_is_final").result
    assert ProofResult.UNKNOWN is find(report, "finished_managers_stay").result
    assert Verdict.INCONCLUSIVE is report.verdict


@pytest.mark.usefixtures("brief")
@pytest.mark.deep
def test_however_many_processes_ask_the_answers_are_the_same() -> None:
    bounded = without(find_model("core"), "held_tokens_were_given").at(profile="intended")
    one, two = (summarise(prove(bounded, bmc_steps=1, asking=Asking(workers=many))) for many in (1, 2))

    assert one == two


def test_progress_is_told() -> None:
    class Heard:
        def __init__(self) -> None:
            self.texts: set[str] = set()

        def update(self, text: str, done: int, expected: int | None = None) -> None:
            assert expected is None or done <= expected
            self.texts.add(text)

    heard = Heard()
    hasty = find_model("2pc").at("hasty", sizes={"rms": 2})
    prove(hasty, properties=["managers_agree"], progress=heard)

    assert {"induction for any number", "induction in the scope", "bounded search, steps"} == heard.texts


def summarise(report: ProveReport) -> list[object]:
    return [(p.property, p.result, p.lemmas, p.story, p.gap) for p in report.proofs]


@pytest.mark.parametrize(
    ("rms", "asked"),
    [
        pytest.param(2, ["managers_agree"], id="one"),
        pytest.param(3, None, id="all", marks=pytest.mark.deep),
    ],
)
def test_a_run_repeats(rms: int, asked: list[str] | None) -> None:
    bounded = find_model("2pc").at("hasty", sizes={"rms": rms})

    one, two = (prove(bounded, properties=asked) for _ in range(2))

    assert summarise(one) == summarise(two)


@pytest.mark.deep
def test_gaps_repeat() -> None:
    bounded = without(find_model("core"), "held_tokens_were_given").at(profile="intended")

    def run() -> list[object]:
        return summarise(prove(bounded, bmc_steps=0, is_open=False))

    assert run() == run()


@always("Jar-1", why="as far as the scope counts it is so by definition")
def coins_are_few(s: Jar) -> Value:
    return s.coins <= 3


def test_nothing_is_true_by_definition_where_steps_leave_the_scope() -> None:
    model = Model("jar", "a jar", Jar, (put_in,), (coins_are_few,))

    few, *promises = prove(model.at()).proofs

    assert (ProofResult.UNKNOWN, False) == (few.result, few.is_by_definition)
    assert {COUNTERS_FIT_THE_SCOPE: ProofResult.COUNTEREXAMPLE}.items() <= {
        one.property: one.result for one in promises
    }.items()
