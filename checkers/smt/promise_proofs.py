"""What every model promises without a word, as something to prove: domains are kept, queues are used well.

A promise is a few limits: the domain of each field, the order of each queue. Each limit is a candidate of
its own, so that a proof leans on those alone that it needs. The promise is proved where all its limits are.
The end of a counter belongs to the scope and not to the protocol. That no rule passes it is a promise of its
own, which is asked in the scope alone: for any number a counter has no end. So is that no rule comes to where
its text raises something.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from nomadspec.model.language.model_promises import (
    COUNTERS_FIT_THE_SCOPE,
    DOMAINS_ARE_KEPT,
    QUEUES_ARE_USED_WELL,
    RULES_DO_NOT_FAIL,
)

if TYPE_CHECKING:
    from nomadspec.model.errors import ModelError
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.world import Schema

DOMAIN: Final = "domain of "
ORDER: Final = "order of "
END: Final = "end of "
"""The bounds that a scope gives to a counter."""

ANSWERS: Final = "answers of rules"
"""That no instance happens of which the text raises something."""

Limits = Mapping[str, tuple[str, ...]]
"""Promises, each with the limits that it is made of."""


def list_promises(schema: Schema) -> Limits:
    """List what a model promises, as far as it has anything that could break it."""
    lines = {queue.name for queue in schema.queues}
    domains = [DOMAIN + one.name for one in schema.fields if one.name not in lines and not one.domain.is_flag]
    ends = [END + one.name for one in schema.fields if one.domain.is_open_ended]
    orders = [name for queue in schema.queues for name in (ORDER + queue.name, DOMAIN + queue.name)]
    found = {
        DOMAINS_ARE_KEPT: tuple(domains),
        COUNTERS_FIT_THE_SCOPE: tuple(ends),
        QUEUES_ARE_USED_WELL: tuple(orders),
    }
    return {name: limits for name, limits in found.items() if limits}


def find_raised(bounded: BoundedModel) -> ModelError | None:
    """Find what the text of a rule raises for some arguments of the scope, if any does."""
    return next((traced.failure for traced in bounded.traced if traced.failure is not None), None)


def find_promises(bounded: BoundedModel) -> Limits:
    """List what a model promises in a scope, where a rule may raise something as well."""
    answers = {RULES_DO_NOT_FAIL: (ANSWERS,)} if find_raised(bounded) is not None else {}
    return {**list_promises(bounded.frame.schema), **answers}


def list_met(schema: Schema, proved: Collection[str]) -> frozenset[str]:
    """List the limits of a scope that are met since they are met for any number."""
    kept = {DOMAIN + one.name for one in schema.fields if DOMAIN + one.name in proved}
    lines = [queue.name for queue in schema.queues if ORDER + queue.name in proved]
    return frozenset(kept) | {start + name for name in lines for start in (ORDER, DOMAIN)}


def list_looked_at_before(promises: Limits, promise: str | None) -> tuple[str, ...]:
    """List the limits that the interpreter looks at first, so that a step which leaves one leaves that."""
    orders, domains = promises.get(QUEUES_ARE_USED_WELL, ()), promises.get(DOMAINS_ARE_KEPT, ())
    first = {DOMAINS_ARE_KEPT: orders, COUNTERS_FIT_THE_SCOPE: (*orders, *domains)}
    return first.get(promise or "", ())


def find_promise(promises: Limits, limit: str) -> str | None:
    """Find which promise a limit belongs to."""
    return next((name for name, limits in promises.items() if limit in limits), None)
