"""Questions made by strategies, those first that ask rules which nothing has asked yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Any, Final

from nomadspec.checkers.conform.judging import Question, Terms, compute_expected, spell
from nomadspec.checkers.conform.making.constraints import make_device_operand, make_operand, make_target
from nomadspec.checkers.conform.making.deployments import make_watched
from nomadspec.checkers.conform.making.fit import make_fit, make_offer, make_scores
from nomadspec.checkers.conform.making.names import make_names
from nomadspec.checkers.conform.making.queues import make_blocked, make_broker
from nomadspec.checkers.conform.making.reschedule import make_reschedule
from nomadspec.checkers.conform.rules_asked import list_family_rules, note_rules
from nomadspec.checkers.oracle.judgement import Undecided, Unsupported
from nomadspec.checkers.oracle.registry import read_kind

Make = Callable[[Random], dict[str, Any]]

_MAKERS: Final[Mapping[str, Make]] = MappingProxyType(
    {
        "alloc-names/cases": make_names,
        "blocked/sequences": make_blocked,
        "broker/sequences": make_broker,
        "constraints/device-operands": make_device_operand,
        "constraints/operands": make_operand,
        "constraints/targets": make_target,
        "deployment-watcher/sequences": make_watched,
        "fit-and-score/allocs-fit": make_fit,
        "fit-and-score/ports": make_offer,
        "fit-and-score/scores": make_scores,
        "reschedule/cases": make_reschedule,
    }
)
_FROM_HISTORIES: Final = ("plan-applier/plans", "scheduler", "state-store/sequences")

MADE_KINDS: Final = tuple(sorted((*_MAKERS, *_FROM_HISTORIES)))
"""The kinds of questions that can be made."""

_SPARE: Final = 4
"""So many more histories are drawn: in some nothing is planned."""
_DRAWN: Final = 4
"""Of so many that are drawn, the one is asked that asks most that is new."""


@dataclass(slots=True)
class Coverage:
    """Which rules were asked so far, family by family."""

    asked: dict[str, set[str]] = field(default_factory=dict)

    def add(self, family: str, rules: Iterable[str]) -> None:
        """Note that rules were asked; those that other families cite do not count."""
        self.asked.setdefault(family, set()).update(set(rules) & set(list_family_rules(family)))

    def count_new(self, family: str, rules: Iterable[str]) -> int:
        """Count those that were not asked before."""
        return len((set(rules) & set(list_family_rules(family))) - self.asked.get(family, set()))

    def list_left(self, family: str) -> tuple[str, ...]:
        """List the rules of a family that nothing has asked."""
        asked = self.asked.get(family, set())
        return tuple(rule for rule in list_family_rules(family) if rule not in asked)


def make_questions(
    kinds: Sequence[str], seed: int, count: int, terms: Terms, coverage: Coverage
) -> Iterator[Question]:
    """Make so many questions of each kind; the same seed makes the same ones."""
    for kind in kinds:
        if kind in _MAKERS:
            yield from _make_directed(kind, seed, count, terms, coverage)
    from_histories = [kind for kind in kinds if kind in _FROM_HISTORIES]
    if from_histories:
        yield from _make_of_histories(from_histories, seed, count, terms, coverage)


def _make_directed(kind: str, seed: int, count: int, terms: Terms, coverage: Coverage) -> Iterator[Question]:
    family = read_kind(kind).family
    for number in range(count):
        drawn = []
        for turn in range(_DRAWN):
            document = _MAKERS[kind](Random(f"{seed} {kind} {number} {turn}"))
            drawn.append(_measure(kind, f"{_name(kind)}-{number:04}", document, terms))
        readable = [each for each in drawn if each is not None]
        if readable:
            question, rules = max(readable, key=lambda each: coverage.count_new(family, each[1]))
            coverage.add(family, rules)
            yield question


def _make_of_histories(
    kinds: Sequence[str], seed: int, count: int, terms: Terms, coverage: Coverage
) -> Iterator[Question]:
    from nomadspec.checkers.conform.making.histories import make_from_histories  # noqa: PLC0415 -- Hypothesis is slow

    numbers = dict.fromkeys(kinds, 0)
    for kind, document in make_from_histories(seed, 2 * count + _SPARE, terms.profile):
        if min(numbers.values()) >= count:
            return
        if kind not in numbers or numbers[kind] >= count:
            continue
        measured = _measure(kind, f"{_name(kind)}-{numbers[kind]:04}", spell(document), terms)
        if measured is not None:
            numbers[kind] += 1
            coverage.add(measured[0].kind.family, measured[1])
            yield measured[0]


def _measure(
    kind: str, name: str, document: dict[str, Any], terms: Terms
) -> tuple[Question, frozenset[str]] | None:
    """See which rules a question asks; None where the model has no answer to it."""
    question = Question(name, read_kind(kind), document)
    with note_rules() as rules:
        try:
            compute_expected(question, terms)
        except (Undecided, Unsupported):
            return None
    return question, frozenset(rules)


def _name(kind: str) -> str:
    return kind.replace("/", "-")
