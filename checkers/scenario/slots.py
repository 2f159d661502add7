"""The slots of statements: which words each of them takes, and how these are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from nomadspec.checkers.durations import read_duration_ns
from nomadspec.checkers.plain_digits import is_whole
from nomadspec.model.cluster.entities import (
    AllocClient,
    AllocDesired,
    DeploymentStatus,
    EvalStatus,
    JobStatus,
    NodeStatus,
    Trigger,
)

_MOST_DIGITS: Final = 9

NODE_STATES: Final = (*(each.value for each in NodeStatus), "eligible", "ineligible", "draining")

VOCABULARIES: Final[Mapping[str, tuple[str, ...]]] = {
    "TRIGGER": tuple(each.value for each in Trigger),
    "EVAL_STATUS": tuple(each.value for each in EvalStatus),
    "CLIENT_STATUS": tuple(each.value for each in AllocClient),
    "DESIRED_STATUS": tuple(each.value for each in AllocDesired),
    "DEPLOYMENT_STATUS": tuple(each.value for each in DeploymentStatus),
    "NODE_STATE": NODE_STATES,
    "JOB_STATUS": tuple(each.value for each in JobStatus),
}
"""The slots that take only certain words."""

_DESCRIPTIONS: Final[Mapping[str, str]] = {
    "COUNT": "a count",
    "NUMBER": "a number",
    "DURATION": "a duration such as 30s or 1h30m",
    "ALLOC": "an allocation such as web[0]",
    "ACT": "an act such as 'Dequeue(worker-1, service)'",
    "ACTOR": "an actor or an act",
}


def fits(part: str, word: str) -> bool:
    """True if a word may stand where a pattern has a part."""
    if not part.isupper():
        return part == word
    if part in {"COUNT", "NUMBER"}:
        return is_whole(word) and len(word) <= _MOST_DIGITS
    if part == "DURATION":
        return read_duration_ns(word) is not None
    return part not in VOCABULARIES or word in VOCABULARIES[part]


def describe(part: str) -> str:
    """Say what is expected where a pattern has a part."""
    if not part.isupper():
        return f"the word {part!r}"
    if part in VOCABULARIES:
        return f"one of {', '.join(VOCABULARIES[part])}"
    return _DESCRIPTIONS.get(part, f"a {part.lower()}")


def read_slot(part: str, word: str) -> object:
    """Read the word of a slot."""
    if part in {"COUNT", "NUMBER"}:
        return int(word)
    return read_duration_ns(word) if part == "DURATION" else word
