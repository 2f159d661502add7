"""What a suite is: its folders, its files, and which recordings ask which rule."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from nomadspec.checkers.conform.rules_asked import list_family_rules

ACCEPT: Final = "accept"
"""The folder of recordings that are allowed."""
REJECT: Final = "reject"
"""The folder of those that are not."""


@dataclass(slots=True)
class Suite:
    """A suite that was written."""

    folder: Path
    accepted: dict[str, int] = field(default_factory=dict)
    rejected: dict[str, int] = field(default_factory=dict)
    asked_by: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """By family and rule, the recordings that ask it."""

    def list_left(self, family: str) -> list[str]:
        """List the rules of a family that no recording asks."""
        asked = self.asked_by.get(family, {})
        return [rule for rule in list_family_rules(family) if rule not in asked]


def find_place(folder: Path, kind: str) -> Path:
    """Find the file in which the recordings of a kind are."""
    family, _, stem = kind.partition("/")
    return folder / family / f"{stem or 'calls'}.ndjson"
