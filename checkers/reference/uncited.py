"""Why IDs are not cited: each has a reason of its own."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from nomadspec.checkers.reference.uncited_bugs import BUGS
from nomadspec.checkers.reference.uncited_formats import FORMATS
from nomadspec.checkers.reference.uncited_kinds import Uncited
from nomadspec.checkers.reference.uncited_rules import RULES
from nomadspec.model.errors import UnknownNameError

UNCITED: Final[Mapping[str, Uncited]] = MappingProxyType({**RULES, **FORMATS, **BUGS})


def find_uncited(spec_id: str) -> Uncited:
    """Say why an ID is not cited; one that has no reason yet is answered with the nearest that have."""
    if spec_id not in UNCITED:
        raise UnknownNameError("reason for the uncited ID", spec_id, UNCITED)
    return UNCITED[spec_id]
