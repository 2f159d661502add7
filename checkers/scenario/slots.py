"""The slots of statements: which words each of them takes, and how these are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from nomadspec.model.cluster.entities import (
    AllocClient,
    AllocDesired,
    DeploymentStatus,
    EvalStatus,
    JobStatus,
    NodeStatus,
    Trigger,
)
from nomadspec.model.cluster.entities.scalar import NS_PER_S

_UNITS_NS: Final[Mapping[str, int]] = {
    "ms": NS_PER_S // 1000,
    "s": NS_PER_S,
    "m": 60 * NS_PER_S,
    "h": 3600 * NS_PER_S,
    "d": 24 * 3600 * NS_PER_S,
}
_PART: Final = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)(ms|s|m|h|d)")
_DURATION: Final = re.compile(rf"(?:{_PART.pattern})+")
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
    """Whether a word may stand where a pattern has a part."""
    if not part.isupper():
        return part == word
    if part in {"COUNT", "NUMBER"}:
        return word.isdecimal() and len(word) <= _MOST_DIGITS
    if part == "DURATION":
        return _DURATION.fullmatch(word) is not None
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


def read_duration_ns(word: str) -> int | None:
    """Read a duration such as ``30s``, ``1.5h`` or ``1h30m``; None where it is none."""
    if _DURATION.fullmatch(word) is None:
        return None
    return int(sum(Decimal(number) * _UNITS_NS[unit] for number, unit in _PART.findall(word)))
