"""A guard of the kernel that is too strict, or too lax, is noticed: the comparison can fail."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from nomadspec.model.kernel import broker
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import Stage
from nomadspec.model.language.logic import Flag
from nomadspec.model.language.rule import Rule
from tests.agreement.subject import Subject
from tests.agreement.test_broker import BROKER
from tests.agreement.walking import KERNEL

STEPS = 700


@dataclass(frozen=True, slots=True)
class Strict:
    """A rule that asks for something more."""

    subject: Subject[Any]
    scope: str
    rule: str
    also: Callable[..., Flag]
    """What else it asks for, of the world and of its arguments."""


@dataclass(frozen=True, slots=True)
class Lax:
    """A rule that asks for less, because a predicate in its text is another one."""

    subject: Subject[Any]
    scope: str
    module: object
    predicate: str
    instead: Callable[..., Flag]


def tighten(rule: Rule, also: Callable[..., Flag]) -> Rule:
    """Let a rule ask for something more."""

    def text(s: Kernel, t: Kernel, *arguments: Any) -> None:
        t.require(also(s, *arguments))
        rule.text(s, t, *arguments)

    return replace(rule, text=text)


def is_not_planning(s: Kernel, worker: Any, *_: Any) -> Flag:
    return s.stage[worker] != Stage.PLANNING


def never(*_: Any) -> Flag:
    return False


@pytest.mark.parametrize(
    "mutant", [Strict(BROKER, "delivery-limit", "ExpireDelivery", is_not_planning)], ids=lambda one: one.rule
)
def test_a_rule_that_is_too_strict_is_noticed(mutant: Strict) -> None:
    rules = tuple(
        tighten(rule, mutant.also) if rule.name == mutant.rule else rule for rule in KERNEL.rules
    )
    bounded = replace(KERNEL, rules=rules).at(mutant.scope, profile="nomad-2.0")

    with pytest.raises(AssertionError, match="The component allows what the kernel does not"):
        mutant.subject.compare(bounded, STEPS)


@pytest.mark.parametrize(
    "mutant", [Lax(BROKER, "delivery-limit", broker, "is_with_applier", never)], ids=lambda one: one.predicate
)
def test_a_rule_that_is_too_lax_is_noticed(mutant: Lax, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutant.module, mutant.predicate, mutant.instead)
    bounded = KERNEL.at(mutant.scope, profile="nomad-2.0")

    with pytest.raises(AssertionError, match="The kernel allows what the component does not"):
        mutant.subject.compare(bounded, STEPS)
