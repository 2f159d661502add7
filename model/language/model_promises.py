"""What every model promises without a word: its text has an answer wherever it is run.

A rule that leaves a domain, counts further than the scope, misuses a queue or raises something breaks a
promise of its own model. That is a violation like that of a property: it has a story, which ends with the
step that fails (broken_promises.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nomadspec.model.errors import CounterError, DomainError, ModelError, QueueError, StrayError

if TYPE_CHECKING:
    from collections.abc import Mapping

DOMAINS_ARE_KEPT: Final = "domains_are_kept"
COUNTERS_FIT_THE_SCOPE: Final = "counters_fit_the_scope"
QUEUES_ARE_USED_WELL: Final = "queues_are_used_well"
RULES_DO_NOT_FAIL: Final = "rules_do_not_fail"
TEXTS_HAVE_ANSWERS: Final = "texts_have_answers"
"""A property that models have whose texts may ask a table for what it has not (answer_property.py)."""
WHY_ANSWERS: Final = "a text that asks a table for what it has not says nothing of the world"

PROMISES: Final[Mapping[str, str]] = {
    DOMAINS_ARE_KEPT: "no rule may write a value that its field does not admit",
    COUNTERS_FIT_THE_SCOPE: "what lies behind the end of a counter is not looked at",
    QUEUES_ARE_USED_WELL: "a rule pushes only what is not in the queue, and pops only its head",
    RULES_DO_NOT_FAIL: "the text of each rule and property must have an answer in every reachable world",
}
"""The promises by name, each with its reason."""


def is_promise_of_models(name: str) -> bool:
    """True if a name stands for what is asked of every model, beside the properties that it declares."""
    return name in PROMISES or name == TEXTS_HAVE_ANSWERS


def name_promise(error: ModelError) -> str:
    """Name the promise that an error of the interpreter breaks."""
    if isinstance(error, QueueError):
        return QUEUES_ARE_USED_WELL
    if isinstance(error, CounterError):
        return COUNTERS_FIT_THE_SCOPE
    if isinstance(error, StrayError):
        return RULES_DO_NOT_FAIL
    return DOMAINS_ARE_KEPT if isinstance(error, DomainError) else RULES_DO_NOT_FAIL
