"""Who does a step: stories are told so that one actor goes on as long as it can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.trace import Instance

NOBODY: Final = "world"
"""Who does what no rule declares an actor for and no id is named in."""


def find_actor(bounded: BoundedModel, instance: Instance) -> str:
    """Find who does a step: the declared actor, else the first interchangeable id that it names."""
    if instance.rule.actor is not None:
        return instance.rule.actor
    return next(iter(list_named(bounded, instance)), NOBODY)


def list_named(bounded: BoundedModel, instance: Instance) -> list[str]:
    """List the interchangeable ids that a step names."""
    found = []
    domains = instance.rule.domains(bounded.frame)
    for domain, value in zip(domains, instance.arguments, strict=True):
        members = domain.interval.domain.members
        if members is not None and members.is_symmetric and isinstance(value, int) and value >= 0:
            found.append(members.name_of(value))
    return list(dict.fromkeys(found))
