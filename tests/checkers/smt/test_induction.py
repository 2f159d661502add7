"""The largest inductive set, found on a made-up induction."""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field

import pytest

from nomadspec.checkers.progress import Silence
from nomadspec.checkers.smt.induction import Inductive, Names, find_inductive
from nomadspec.checkers.smt.question import Answer, Reply

Asked = Generator[tuple[object, object]]


@dataclass
class Needs:
    """An induction in which a step keeps a goal exactly where what it needs is assumed."""

    candidates: Names
    needs: dict[tuple[int, str], frozenset[str]]
    steps: Names = ("First", "Second")
    required: Names = ()
    wrong_at_start: Names = ()
    title: str = "made up"
    is_over: bool = False
    asked: list[tuple[int, str]] = field(default_factory=list)

    def ask_initial(self, candidate: str) -> Reply:
        return Reply(Answer.BROKEN if candidate in self.wrong_at_start else Answer.KEPT)

    def ask_step(self, step: int, goal: str, assumed: Names) -> Reply:
        self.asked.append((step, goal))
        needed = self.needs.get((step, goal), frozenset())
        return Reply(Answer.KEPT, core=needed) if needed <= set(assumed) else Reply(Answer.BROKEN)


def find(induction: Needs, *goals: str) -> Inductive:
    return find_inductive(induction, goals, Silence())


def test_what_every_step_keeps_stays() -> None:
    found = find(Needs(("a", "b"), {(0, "a"): frozenset({"b"})}))

    assert ("a", "b") == found.proved
    assert frozenset({"b"}) == found.lemmas_of("a")
    assert frozenset() == found.lemmas_of("b")


def test_what_leaned_on_a_dropped_candidate_is_asked_again() -> None:
    impossible = frozenset({"nothing of the kind"})
    induction = Needs(("a", "b", "c"), {(0, "a"): frozenset({"b"}), (1, "b"): impossible})
    found = find(induction)

    assert ("c",) == found.proved
    assert {"a": 0, "b": 1} == {name: lost.step for name, lost in found.breaks.items()}
    assert 2 == induction.asked.count((0, "a"))
    assert 1 == induction.asked.count((0, "c"))


def test_what_an_initial_world_lacks_is_never_assumed() -> None:
    found = find(Needs(("a", "b"), {(0, "a"): frozenset({"b"})}, wrong_at_start=("b",)))

    assert () == found.proved
    assert found.breaks["b"].step is None
    assert 0 == found.breaks["a"].step


def test_goals_about_steps_follow_from_what_is_kept() -> None:
    needs = {(1, "g"): frozenset({"a"}), (0, "h"): frozenset({"b"}), (0, "b"): frozenset({"missing"})}
    found = find(Needs(("a", "b"), needs), "g", "h")

    assert ("a", "g") == found.proved
    assert {"b", "h"} == set(found.breaks)
    assert frozenset({"a"}) == found.lemmas_of("g")


def test_lemmas_of_lemmas_count_too() -> None:
    needs = {(0, "a"): frozenset({"b"}), (1, "b"): frozenset({"c", "b"})}
    found = find(Needs(("a", "b", "c", "d"), needs))

    assert frozenset({"b", "c"}) == found.lemmas_of("a")
    assert frozenset({"b", "c", "d"}) == found.lemmas_of("a", "d")


def test_answers_are_listed_by_rule() -> None:
    needs = {(2, "a"): frozenset({"missing"})}
    found = find(Needs(("a",), needs, steps=("First", "Second", "Second")))

    assert {"First": [Answer.KEPT], "Second": [Answer.KEPT, Answer.BROKEN]} == {
        rule: [reply.answer for reply in replies] for rule, replies in found.replies_by_rule("a").items()
    }


def test_what_nobody_wants_is_asked_where_something_leans_on_it() -> None:
    needs = {(0, "g"): frozenset({"a"}), (1, "a"): frozenset({"b"})}
    induction = Needs(("a", "b", "c"), needs)
    found = find_inductive(induction, ["g"], Silence(), wanted=[])

    assert ("a", "b", "g") == found.proved
    assert "c" not in {name for _, name in induction.asked}


def test_what_leans_on_what_falls_later_is_not_proved() -> None:
    never = frozenset({"missing"})
    needs = {(0, "g"): frozenset({"a"}), (1, "a"): frozenset({"b"}), (0, "b"): never}
    found = find_inductive(Needs(("a", "b"), needs), ["g"], Silence(), wanted=[])

    assert () == found.proved
    assert {"g", "a", "b"} == set(found.breaks)


@pytest.mark.parametrize("workers", [1, 2])
def test_processes_come_to_the_same(workers: int) -> None:
    needs = {(1, "g"): frozenset({"a"}), (0, "h"): frozenset({"b"}), (0, "b"): frozenset({"missing"})}
    here = find(Needs(("a", "b"), needs), "g", "h")
    there = find_inductive(Needs(("a", "b"), needs), ["g", "h"], Silence(), workers=workers)

    assert (here.proved, here.replies, here.breaks) == (there.proved, there.replies, there.breaks)


@pytest.mark.parametrize(("steps", "processes"), [(4, 2), (12, 5), (30, 10)], ids=["few", "some", "many"])
def test_goals_of_few_steps_share_a_process(
    monkeypatch: pytest.MonkeyPatch, steps: int, processes: int
) -> None:
    bundles: list[object] = []

    def ask_here(ask: Callable[[object], object], questions: Iterable[object], _workers: object) -> Asked:
        for question in questions:
            bundles.append(question)
            yield question, ask(question)

    monkeypatch.setattr("nomadspec.checkers.smt.induction.ask_in_parallel", ask_here)
    candidates = tuple(f"c{number}" for number in range(10))
    rules = tuple(f"Rule{number}" for number in range(steps))
    found = find_inductive(Needs(candidates, {}, steps=rules), [], Silence(), workers=2)

    assert candidates == found.proved
    assert len(bundles) == processes


@dataclass
class Interrupted(Needs):
    """An induction in which somebody presses Ctrl-C when a goal is asked."""

    last: str = "h"

    def ask_step(self, step: int, goal: str, assumed: Names) -> Reply:
        if goal == self.last:
            raise KeyboardInterrupt
        return super().ask_step(step, goal, assumed)


def test_an_interrupt_leaves_what_is_proved_by_then() -> None:
    needs = {(1, "g"): frozenset({"a"})}
    found = find(Interrupted(("a",), needs), "f", "g", "h")

    assert found.is_interrupted
    assert ("a", "f", "g") == found.proved
    assert (0, "h") not in found.replies


def test_an_interrupt_leaves_nothing_that_leans_on_what_was_not_asked() -> None:
    found = find(Interrupted(("a", "h"), {(0, "a"): frozenset({"h"})}), "g")

    assert found.is_interrupted
    assert () == found.proved


@dataclass
class Hurried(Needs):
    """An induction that has no more time once a goal was asked."""

    last: str = "b"

    def ask_step(self, step: int, goal: str, assumed: Names) -> Reply:
        self.is_over |= goal == self.last
        return Reply(Answer.UNKNOWN) if self.is_over else super().ask_step(step, goal, assumed)


def test_when_time_is_over_what_leans_on_nothing_else_is_proved() -> None:
    found = find(Hurried(("a", "c", "b", "d"), {(0, "c"): frozenset({"b"}), (1, "a"): frozenset({"a"})}))

    assert ("a",) == found.proved
    assert {"b", "d"} == set(found.breaks)


def test_without_what_is_required_nothing_is_proved() -> None:
    needs = {(1, "order"): frozenset({"missing"})}
    found = find(Needs(("order", "a"), needs, required=("order",)), "g")

    assert () == found.proved
    assert ["order"] == list(found.breaks)
    assert (1, "a") not in found.replies


def test_what_is_required_may_hold() -> None:
    assert ("order", "a", "g") == find(Needs(("order", "a"), {}, required=("order",)), "g").proved
