"""A bounded model in which one instance stands for all that differ from it by names only.

Where nothing is known of a world but what is symmetric, what one instance can do any renamed one can do too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nomadspec.model.language.bounded import BoundedModel

if TYPE_CHECKING:
    from nomadspec.model.language.arguments import Argument
    from nomadspec.model.language.frame import FiniteFrame
    from nomadspec.model.language.rule import Rule


class ExemplaryModel(BoundedModel):
    """A model whose rules happen with the first names only."""

    def list_arguments(self, rule: Rule) -> Iterator[tuple[Argument, ...]]:
        """List arguments in which interchangeable ids come in their order."""
        listed = super().list_arguments(rule)
        return (arguments for arguments in listed if is_exemplary(rule, arguments, self.frame))

    def _trace_properties(self) -> None:
        """Trace nothing: whoever reads a property traces it, and what it gives was checked in a scope."""


def is_exemplary(rule: Rule, arguments: tuple[Argument, ...], frame: FiniteFrame) -> bool:
    """True if the interchangeable ids among some arguments come in their order."""
    met: dict[str, int] = {}
    for domain, value in zip(rule.domains(frame), arguments, strict=True):
        members = domain.interval.domain.members
        if members is None or not members.is_symmetric:
            continue
        for item in value if isinstance(value, tuple) else (value,):
            if item > met.setdefault(members.name, 0):
                return False
            met[members.name] += item == met[members.name]
    return True
