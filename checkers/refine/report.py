"""What came of holding one model against another."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomadspec.checkers.stepper.reasons import Reason
    from nomadspec.checkers.verdict import Scoped, Verdict
    from nomadspec.model.language.story import Story


class Fault(Enum):
    """What is wrong: the first world, a step, that a world is seen as none, or that a rule fails."""

    START = "start"
    STEP = "step"
    MAPPING = "mapping"
    LOW = "low"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Failure:
    """A step of the low model that is none of the high one, with the shortest story to it."""

    fault: Fault
    story: Story
    sentence: str
    before: Mapping[str, str | int | bool] | None
    """The high world as which the world before the last step is seen."""
    after: Mapping[str, str | int | bool] | None
    """The high world as which the last world is seen; None where it is none."""
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Becomes:
    """What steps of a rule of the low model are in the high one: rules there, or nothing."""

    rule: str
    high: tuple[str, ...]
    """The rules, any of which would do; with arrows between those that follow one another. Empty: nothing."""
    steps: int


@dataclass(frozen=True, slots=True)
class RefineReport:
    """How far every step was compared, and what was found."""

    about: Scoped
    high: Scoped
    mapping: str
    verdict: Verdict
    worlds: int
    steps: int
    stuttering: int
    high_worlds: int
    """As how many different worlds of the high model the worlds are seen."""
    seconds: float
    becomes: tuple[Becomes, ...]
    taken: Mapping[str, int]
    """How many steps each rule of the high model may stand for."""
    stopped_by: str | None
    """None where all is compared, else ``time``, ``states``, ``interrupt`` or ``violation``."""
    failure: Failure | None = None

    @property
    def never_taken(self) -> tuple[str, ...]:
        """List the rules of the high model that no step is."""
        return tuple(rule for rule, times in self.taken.items() if not times)

    @property
    def is_vacuous(self) -> bool:
        """True if no step was any step of the high model, so that nothing was compared."""
        return self.failure is None and self.stopped_by is None and self.steps == self.stuttering
