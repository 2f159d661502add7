"""What is proved of the kernel, and what falls when a guard is removed."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import z3

from nomadspec.checkers.processors import count_processors
from nomadspec.checkers.progress import Silence
from nomadspec.checkers.smt import prove
from nomadspec.checkers.smt.induction import find_inductive
from nomadspec.checkers.smt.open_induction import OpenInduction
from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.checkers.smt.question import Answer, Asking, Patience
from nomadspec.checkers.verdict import ProofResult, Verdict
from nomadspec.invariants.kernel import broker, pipelines, plans
from nomadspec.invariants.kernel.kernel import KERNEL as KERNEL_WITH_PROPERTIES
from nomadspec.model.bounded import BoundedModel
from nomadspec.model.claim import judge
from nomadspec.model.domain import NONE, Id
from nomadspec.model.kernel import applier, worker
from nomadspec.model.kernel import broker as broker_rules
from nomadspec.model.kernel.applier import Planned, apply_plan, make_alloc
from nomadspec.model.kernel.broker import dequeue, take_back
from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.kernel.plan_queue import enqueue_plan, is_next, take_plan
from nomadspec.model.kernel.state import Kernel, Place, Stage
from nomadspec.model.kernel.worker import nack, release, submit
from nomadspec.model.logic import Value, all_of, for_all, implies, not_
from nomadspec.model.property import Kind, Property, always
from nomadspec.model.rule import Rule, rules_in
from nomadspec.model.story import replay

UNBOUNDED = ProofResult.PROVED_UNBOUNDED
LEMMAS = (
    plans.queued_plans_are_submitted,
    plans.no_plan_is_queued_twice,
    plans.victims_are_of_other_jobs,
)
PROVED = (
    plans.no_node_is_overfull_without_a_pipeline,
    plans.only_valid_deliveries_submit,
    broker.stale_token_changes_nothing,
)


@always("BROKER-30", why="a token is given for what the broker has out", lemma=True)
def valid_tokens_are_of_what_is_out(s: Kernel) -> Value:
    """Say that whoever has a valid token has an evaluation that was made and is out."""

    def is_out(w: Id) -> Value:
        job, number = s.job[w], s.number[w]
        return all_of(
            job != NONE, number != NONE, number < s.made[job], s.place[job, number] == Place.UNACKED
        )

    return for_all(implies(s.holds[w], is_out(w)) for w in s.workers)


@always("BROKER-30", why="a delivery has one token", lemma=True)
def valid_tokens_are_of_different_evaluations(s: Kernel) -> Value:
    """Say that no two workers have valid tokens of one evaluation."""
    return for_all(
        implies(
            all_of(one != other, s.holds[one], s.holds[other], s.job[one] == s.job[other]),
            s.number[one] != s.number[other],
        )
        for one in s.workers
        for other in s.workers
    )


@always("BROKER-03", why="only the tracker hands an evaluation back that is out", lemma=True)
def nothing_is_requeued(s: Kernel) -> Value:
    """Say that without a tracker nobody asks for another round."""
    return for_all(not_(s.requeued[w]) for w in s.workers)


@always("BROKER-01", why="the broker has only what was written", lemma=True)
def queued_evaluations_were_made(s: Kernel) -> Value:
    """Say that the broker has no evaluation that is not made."""
    return for_all(
        implies(s.place[job, e] != Place.OUT, s.made[job] > e) for job in s.jobs for e in s.eval_numbers
    )


DELIVERIES = (
    queued_evaluations_were_made,
    broker.one_evaluation_of_a_job_is_out,
    valid_tokens_are_of_what_is_out,
    valid_tokens_are_of_different_evaluations,
    nothing_is_requeued,
)
SMALL = {"jobs": 2, "workers": 2, "nodes": 1, "evals": 2, "spares": 2}


def bind(properties: Sequence[Property], rules: Sequence[Rule], **sizes: int) -> BoundedModel:
    """Bound the kernel to some of its rules and to these properties."""
    model = replace(KERNEL, rules=tuple(rules), properties=tuple(properties))
    return model.at("contention", sizes={**SMALL, **sizes}, profile="intended")


def list_rules(*modules: ModuleType) -> list[Rule]:
    """List the rules of some actors."""
    return [rule for module in modules for rule in rules_in(module)]


def test_it_is_proved_for_any_number_of_objects() -> None:
    rules = list_rules(broker_rules, worker, applier)
    report = prove(bind([*PROVED, *LEMMAS], rules), properties=PROVED)

    assert Verdict.HOLDS is report.verdict
    assert dict.fromkeys([prop.name for prop in PROVED], UNBOUNDED) == {
        proof.property: proof.result for proof in report.proofs
    }
    assert all(
        "any number of jobs, nodes, workers, eval_numbers, allocs" in proof.scope for proof in report.proofs
    )


def test_one_evaluation_of_a_job_is_out_for_any_number_of_objects() -> None:
    rules = list_rules(broker_rules, worker, applier)
    report = prove(bind([*DELIVERIES, *LEMMAS], rules), properties=[broker.one_evaluation_of_a_job_is_out])

    assert [UNBOUNDED] == [proof.result for proof in report.proofs]


def commit_blindly(s: Any, t: Any, worker: Id, job: Id) -> None:
    """Commit a plan without a look at what the nodes hold."""
    t.require(s.depth == 0, is_next(s, worker), s.job[worker] == job, s.alloc_made[job] < s.spares)
    take_plan(s, t, worker)
    placed = t.when(s.plan_to[worker, 0] != NONE)
    planned = Planned(s.plan_version[worker], 0)
    make_alloc(s, placed, job, s.alloc_made[job], s.plan_to[worker, 0], planned)
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
    take_back(s, t, job, number)
    release(t, worker)


def deliver_at_once(s: Any, t: Any, worker: Id, job: Id, number: Id) -> None:
    """Deliver an evaluation even while another one of its job is out."""
    t.require(s.stage[worker] == Stage.IDLE)
    t.require(s.place[job, number] != Place.UNACKED, number < s.made[job])
    t.place[job, number] = Place.UNACKED
    t.stage[worker] = Stage.TAKEN
    t.job[worker] = job
    t.number[worker] = number
    t.holds[worker] = True


@pytest.mark.parametrize(
    ("prop", "rule", "text", "sizes"),
    [
        (plans.no_node_is_overfull, apply_plan, commit_blindly, {"evals": 1, "spares": 1}),
        (plans.only_valid_deliveries_submit, submit, submit_without_token, {"jobs": 1, "timeouts": 1}),
        (broker.one_evaluation_of_a_job_is_out, dequeue, deliver_at_once, {"jobs": 1, "requests": 1}),
        (
            broker.stale_token_changes_nothing,
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
    assert 5 * len(list_left_over()) <= len(promised)


@pytest.fixture(name="induction", scope="module")
def _induction() -> OpenInduction:
    bounded = KERNEL_WITH_PROPERTIES.at("contention", profile="intended")
    return OpenInduction(OpenWorld(bounded, z3.Context()), Patience(None, 2.0))


def is_kept(induction: OpenInduction, rule: str, prop: Property) -> bool:
    """Tell whether the steps of a rule keep a property, in worlds that have it and all others."""
    steps = [number for number, name in enumerate(induction.steps) if name == rule]
    replies = [induction.ask_step(step, prop.name, induction.candidates) for step in steps]
    return {Answer.KEPT} == {reply.answer for reply in replies}


def test_every_text_of_the_kernel_is_read_for_any_number(induction: OpenInduction) -> None:
    always_true = {prop.name for prop in KERNEL_WITH_PROPERTIES.list_properties(Kind.ALWAYS)}

    assert always_true < set(induction.candidates)
    assert {"ApplyPlan", "Evaluate", "Dispatch", "Commit", "LoseLeader"} < set(induction.steps)


@pytest.mark.parametrize(
    ("rule", "prop"),
    [
        ("Commit", plans.no_node_is_overfull),
        ("Commit", pipelines.the_snapshot_shows_what_stays),
        ("Dispatch", pipelines.the_snapshot_is_not_overfull),
        ("Dispatch", pipelines.what_lands_was_shown),
        ("LoseLeader", pipelines.what_lands_late_has_room),
        pytest.param(
            "Evaluate", pipelines.plans_in_hand_fit_the_snapshot, marks=pytest.mark.deep(seconds=30)
        ),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_entries_judged_on_top_of_each_other_fill_no_node(
    induction: OpenInduction, rule: str, prop: Property
) -> None:
    assert is_kept(induction, rule, prop)


@pytest.mark.deep(seconds=300)
@pytest.mark.parametrize("seed", range(1, 6))
def test_all_but_what_the_page_names_is_proved_for_any_number(seed: int) -> None:
    bounded = KERNEL_WITH_PROPERTIES.at("contention", profile="intended")
    world = OpenWorld(bounded, z3.Context())
    induction = OpenInduction(world, Patience(None, 2.0, Asking(seed=seed)))
    goals = [prop.name for prop in bounded.model.list_properties(Kind.STEP)]
    asked = {*goals, *[prop.name for prop in bounded.model.list_properties(Kind.ALWAYS)]}
    found = find_inductive(induction, goals, Silence(), wanted=asked, workers=count_processors())

    assert asked - set(found.proved) <= list_left_over()
