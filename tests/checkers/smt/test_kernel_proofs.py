"""What is proved of the kernel, and what falls when a guard is removed."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import z3

from nomadspec.checkers.smt import prove
from nomadspec.checkers.smt.open_induction import OpenInduction
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.checkers.smt.parallel_questions import ask_in_parallel
from nomadspec.checkers.smt.question import Answer, Patience
from nomadspec.checkers.verdict import ProofResult, Verdict
from nomadspec.invariants.kernel import applier as plans
from nomadspec.invariants.kernel import broker, plan_queue, preemption
from nomadspec.invariants.kernel import broker as evals
from nomadspec.invariants.kernel import pipeline as pipelines
from nomadspec.invariants.kernel import worker as workers
from nomadspec.invariants.kernel.kernel import KERNEL as KERNEL_WITH_PROPERTIES
from nomadspec.model.kernel import applier, worker
from nomadspec.model.kernel import broker as broker_rules
from nomadspec.model.kernel.applier import apply_plan, make_alloc
from nomadspec.model.kernel.broker import dequeue, return_delivery
from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.kernel.plan_queue import enqueue_plan, is_next, take_plan
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import InBroker, Stage
from nomadspec.model.kernel.verdict import count_taken
from nomadspec.model.kernel.worker import nack, release, submit
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.claim import judge
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.logic import Value, all_of, any_of, for_all, implies, not_
from nomadspec.model.language.model_promises import PROMISES
from nomadspec.model.language.property import Kind, Property, always, lemma
from nomadspec.model.language.rule import Rule, rules_in
from nomadspec.model.language.story import replay

UNBOUNDED = ProofResult.PROVED_UNBOUNDED
LEMMAS = (
    plan_queue.queued_plans_are_submitted,
    plan_queue.plans_queue_by_priority,
    preemption.preempted_allocs_are_of_other_jobs,
    evals.evals_not_made_are_nowhere,
)


@always("PLAN-43", "PLAN-53", why="an applier that judges by the store itself knows what room there is")
def no_node_is_oversubscribed_without_a_pipeline(s: Kernel) -> Value:
    """Where plans are judged and committed in one step, no node holds more than it has room for."""
    return any_of(s.depth > 0, for_all(count_taken(s, m) <= s.cap for m in s.nodes))


PROVED = (
    no_node_is_oversubscribed_without_a_pipeline,
    workers.plan_of_purged_job_is_no_error,
    broker.stale_token_has_no_effect,
)


@lemma("BROKER-30", why="a token is given for what the broker has out")
def valid_tokens_are_of_what_is_out(s: Kernel) -> Value:
    """Whoever has a valid token has an evaluation that was made and is out."""

    def is_out(w: Id) -> Value:
        job, number = s.job[w], s.number[w]
        return all_of(
            job != NONE, number != NONE, number < s.made[job], s.in_broker[job, number] == InBroker.UNACKED
        )

    return for_all(implies(s.holds[w], is_out(w)) for w in s.workers)


@lemma("BROKER-30", why="a delivery has one token")
def valid_tokens_are_of_different_evaluations(s: Kernel) -> Value:
    """No two workers have valid tokens of one evaluation."""
    return for_all(
        implies(
            all_of(one != other, s.holds[one], s.holds[other], s.job[one] == s.job[other]),
            s.number[one] != s.number[other],
        )
        for one in s.workers
        for other in s.workers
    )


@lemma("BROKER-03", why="only blocked evals hand an evaluation back that is out")
def nothing_is_requeued(s: Kernel) -> Value:
    """Without blocked evals nobody asks for another round."""
    return for_all(not_(s.requeued[w]) for w in s.workers)


@lemma("BROKER-01", why="the broker has only what was written")
def queued_evaluations_were_made(s: Kernel) -> Value:
    """The broker has no evaluation that is not made."""
    return for_all(
        implies(s.in_broker[job, e] != InBroker.OUT, s.made[job] > e)
        for job in s.jobs
        for e in s.eval_numbers
    )


DELIVERIES = (
    queued_evaluations_were_made,
    broker.one_eval_of_a_job_is_outstanding,
    valid_tokens_are_of_what_is_out,
    valid_tokens_are_of_different_evaluations,
    nothing_is_requeued,
)
SMALL = {"jobs": 2, "workers": 2, "nodes": 1, "evals": 2, "allocations": 2}


def bind(properties: Sequence[Property], rules: Sequence[Rule], **sizes: int) -> BoundedModel:
    """Bound the kernel to some of its rules and to these properties."""
    model = replace(KERNEL, rules=tuple(rules), properties=tuple(properties))
    return model.at("contention", sizes={**SMALL, **sizes}, profile="intended")


def list_rules(*modules: ModuleType) -> list[Rule]:
    """List the rules of some actors."""
    return [rule for module in modules for rule in rules_in(module)]


@pytest.mark.deep(seconds=35)
def test_it_is_proved_for_any_number_of_objects() -> None:
    rules = list_rules(broker_rules, worker, applier)
    report = prove(bind([*PROVED, *LEMMAS], rules), properties=PROVED, bmc_steps=0)
    proofs = [proof for proof in report.proofs if proof.property not in PROMISES]

    assert dict.fromkeys([prop.name for prop in PROVED], UNBOUNDED) == {
        proof.property: proof.result for proof in proofs
    }
    assert all("any number of jobs, nodes, workers, eval_numbers, allocs" in proof.scope for proof in proofs)
    assert [1] * len(proofs) == [proof.reading.fixed["placements"] for proof in proofs]


@pytest.mark.deep(seconds=30)
def test_without_lemmas_about_its_domains_the_kernel_does_not_hold() -> None:
    rules = list_rules(broker_rules, worker, applier)
    report = prove(bind(LEMMAS, rules), properties=["domains_are_kept"], bmc_steps=0)

    assert Verdict.INCONCLUSIVE is report.verdict


@pytest.mark.deep(seconds=35)
def test_one_evaluation_of_a_job_is_out_for_any_number_of_objects() -> None:
    rules = list_rules(broker_rules, worker, applier)
    report = prove(
        bind([*DELIVERIES, *LEMMAS], rules), properties=["one_eval_of_a_job_is_outstanding"], bmc_steps=0
    )

    assert UNBOUNDED is report.proofs[0].result


def commit_blindly(s: Any, t: Any, worker: Id, job: Id) -> None:
    """Commit a plan without a look at what the nodes hold."""
    t.require(s.depth == 0, is_next(s, worker), s.job[worker] == job, s.alloc_made[job] < s.allocations)
    take_plan(s, t, worker)
    placed = t.when(s.plan[worker].to[0] != NONE)
    make_alloc(s, placed, job, s.alloc_made[job], s.plan[worker].to[0], s.plan[worker])
    t.alloc_made[job] = s.alloc_made[job] + 1
    t.stage[worker] = Stage.DECIDED


def submit_without_token(s: Any, t: Any, worker: Id, job: Id) -> None:
    """Submit a plan whatever became of its delivery."""
    t.require(s.stage[worker] == Stage.PLANNED, s.job[worker] == job)
    t.stage[worker] = Stage.SUBMITTED
    enqueue_plan(s, t, worker)


def nack_without_token(s: Any, t: Any, worker: Id, job: Id, number: Id) -> None:
    """Give an evaluation back, whoever has it now."""
    t.require(s.stage[worker] == Stage.FAILING, s.job[worker] == job, s.number[worker] == number)
    return_delivery(s, t, job, number)
    release(t, worker)


def deliver_at_once(s: Any, t: Any, worker: Id, job: Id, number: Id) -> None:
    """Deliver an evaluation even while another one of its job is out."""
    t.require(s.stage[worker] == Stage.IDLE)
    t.require(s.in_broker[job, number] != InBroker.UNACKED, number < s.made[job])
    t.in_broker[job, number] = InBroker.UNACKED
    t.stage[worker] = Stage.TAKEN
    t.job[worker] = job
    t.number[worker] = number
    t.holds[worker] = True


@pytest.mark.deep(seconds=25)
@pytest.mark.parametrize(
    ("prop", "rule", "text", "sizes"),
    [
        (plans.no_node_is_oversubscribed, apply_plan, commit_blindly, {"evals": 1, "allocations": 1}),
        (
            broker.stale_token_has_no_effect,
            submit,
            submit_without_token,
            {"jobs": 1, "timeouts": 1},
        ),
        (broker.one_eval_of_a_job_is_outstanding, dequeue, deliver_at_once, {"jobs": 1, "requests": 1}),
        (
            broker.stale_token_has_no_effect,
            nack,
            nack_without_token,
            {"jobs": 1, "timeouts": 1, "errors": 1},
        ),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_without_its_guard_a_story_is_found_and_replayed(
    prop: Property, rule: Rule, text: Callable[..., None], sizes: dict[str, int]
) -> None:
    rules = list_rules(broker_rules, worker, applier)
    mutated = [replace(one, text=text) if one.name == rule.name else one for one in rules]
    bounded = bind([prop], mutated, **sizes)
    proof = prove(bounded, properties=[prop], bmc_steps=10, is_open=False).proofs[0]

    assert ProofResult.COUNTEREXAMPLE is proof.result
    assert proof.story is not None
    assert judge(proof.story, replay(proof.story, bounded)).is_true


PAGE = Path(__file__).parents[3] / "docs" / "concepts" / "kernel-proofs.md"
"""Where it is said what is not proved for any number."""


def list_left_over() -> set[str]:
    """List the properties that the page says are not proved for any number."""
    cells = re.findall(r"^\| (`[^|]*)\|", PAGE.read_text(), re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def test_the_page_names_properties_of_the_kernel() -> None:
    asked = KERNEL_WITH_PROPERTIES.list_properties(Kind.ALWAYS, Kind.STEP)
    promised = [prop.name for prop in asked if not prop.is_lemma]

    assert list_left_over() < set(promised)
    left, total, lemmas = len(list_left_over()), len(promised), len(asked) - len(promised)
    assert f"{total - left} of {total} properties and {lemmas} of\n{lemmas} lemmas" in PAGE.read_text()
    assert 100 * left <= 5 * total


ASKED = frozenset({"Commit", "Dispatch", "LoseLeader"})


@cache
def induct(rules: frozenset[str] | None = None) -> OpenInduction:
    """Read the kernel for any number, or some of its rules only: most others take long."""
    chosen = tuple(rule for rule in KERNEL_WITH_PROPERTIES.rules if rules is None or rule.name in rules)
    bounded = replace(KERNEL_WITH_PROPERTIES, rules=chosen).at("contention", profile="intended")
    return OpenInduction(OpenWorld(bounded, z3.Context()), Patience(None, 8.0))


def is_kept(induction: OpenInduction, rule: str, prop: Property) -> bool:
    """Tell whether the steps of a rule keep a property, in worlds that have it and all others."""
    steps = [number for number, name in enumerate(induction.steps) if name == rule]
    replies = [induction.ask_step(step, prop.name, induction.candidates) for step in steps]
    return {Answer.KEPT} == {reply.answer for reply in replies}


@pytest.mark.deep
def test_every_text_of_the_kernel_is_read_for_any_number() -> None:
    induction = induct()
    always_true = {prop.name for prop in KERNEL_WITH_PROPERTIES.list_properties(Kind.ALWAYS)}

    assert always_true < set(induction.candidates)
    assert {"ApplyPlan", "Evaluate", "Dispatch", "Commit", "LoseLeader"} < set(induction.steps)


@pytest.mark.parametrize(
    ("rule", "prop"),
    [
        pytest.param("Commit", plans.no_node_is_oversubscribed, marks=pytest.mark.deep),
        ("Commit", pipelines.applier_snapshot_shows_remaining_allocs),
        pytest.param("Dispatch", pipelines.applier_snapshot_is_not_oversubscribed, marks=pytest.mark.deep),
        pytest.param(
            "Dispatch",
            pipelines.committed_entries_were_in_the_applier_snapshot,
            marks=pytest.mark.deep,
        ),
        ("LoseLeader", pipelines.late_committed_entries_have_room),
        pytest.param(
            "Evaluate", pipelines.plans_in_hand_fit_the_snapshot, marks=pytest.mark.deep(seconds=30)
        ),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_entries_judged_on_top_of_each_other_fill_no_node(rule: str, prop: Property) -> None:
    assert is_kept(induct(ASKED if rule in ASKED else None), rule, prop)


PARTS = 8


@pytest.fixture(name="untouched", scope="module")
def _untouched() -> OpenInduction:
    """Questions that only copies of this process are asked, so that no answer depends on those before."""
    bounded = KERNEL_WITH_PROPERTIES.at("contention", profile="intended")
    return OpenInduction(OpenWorld(bounded, z3.Context()), Patience(None, 16.0))


@pytest.mark.deep(seconds=250)
@pytest.mark.parametrize("part", range(PARTS))
def test_what_the_page_does_not_name_is_proved_for_any_number(untouched: OpenInduction, part: int) -> None:
    """All parts together are one round of the induction, in which nothing leans on what the page names."""
    named = list_left_over()
    assumed = tuple(name for name in untouched.candidates if name not in named)
    steps = [prop.name for prop in KERNEL_WITH_PROPERTIES.list_properties(Kind.STEP)]
    asked = [*assumed, *[name for name in steps if name not in named]][part::PARTS]
    found = dict(ask_in_parallel(partial(find_break, untouched, assumed), asked, 1))

    assert dict.fromkeys(asked, "") == found


def find_break(induction: OpenInduction, assumed: tuple[str, ...], name: str) -> str:
    """Name the first rule of whose steps nothing shows that they keep a property; nothing if all do."""
    if name in assumed and induction.ask_initial(name).answer is not Answer.KEPT:
        return "first worlds"
    answers = (
        (rule, induction.ask_step(step, name, assumed).answer) for step, rule in enumerate(induction.steps)
    )
    return next((rule for rule, answer in answers if answer is not Answer.KEPT), "")
