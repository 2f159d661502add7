"""The largest inductive set, found on a made-up induction."""

from dataclasses import dataclass, field

from nomadspec.checkers.progress import Silence
from nomadspec.checkers.smt.induction import Inductive, Names, find_inductive
from nomadspec.checkers.smt.question import Answer, Reply


@dataclass
class Needs:
    """An induction in which a step keeps a goal exactly where what it needs is assumed."""

    candidates: Names
    needs: dict[tuple[int, str], frozenset[str]]
    steps: Names = ("First", "Second")
    required: Names = ()
    wrong_at_start: Names = ()
    title: str = "made up"
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


def test_without_what_is_required_nothing_is_proved() -> None:
    needs = {(1, "order"): frozenset({"missing"})}
    found = find(Needs(("order", "a"), needs, required=("order",)), "g")

    assert () == found.proved
    assert ["order"] == list(found.breaks)
    assert (1, "a") not in found.replies


def test_what_is_required_may_hold() -> None:
    assert ("order", "a", "g") == find(Needs(("order", "a"), {}, required=("order",)), "g").proved
