"""What a judge is given beside the recording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nomadspec.checkers.oracle.equivalence import ROW_IDS
from nomadspec.model.errors import ImpossibleError, InputError
from nomadspec.model.profile import NOMAD_2_0, Profile

Document = Mapping[str, Any]


def _has_no_siblings(name: str) -> Sequence[Document]:
    raise InputError(f"{name}.ndjson", "the recordings refer to this file and it is not there")


@dataclass(slots=True)
class Context:
    """The surroundings of a recording, and a place for remarks about it."""

    profile: Profile = NOMAD_2_0
    read_sibling: Callable[[str], Sequence[Document]] = _has_no_siblings
    """Reads the lines of another file of the same folder by its bare name, such as ``bases``."""
    ignores_choices: bool = False
    """Whether what was chosen by chance is left aside: any choice may then have led to what was recorded."""
    notes: list[str] = field(default_factory=list)
    forgiven: Counter[str] = field(default_factory=Counter)

    def note(self, remark: str) -> None:
        """Remark on something that is different and yet allowed."""
        self.notes.append(remark)

    def forgive(self, row: str) -> None:
        """Count that a row of the equivalence table was needed."""
        if row not in ROW_IDS:
            raise ImpossibleError(f"A judge forgives by {row!r}, which the equivalence table does not hold.")
        self.forgiven[row] += 1
