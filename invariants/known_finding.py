"""Known findings: properties that the described release breaks, though the rules say what it does.

A finding is no mistake of the model. It names the property, the published scope in which the explorer finds
the shortest story, and the quirk whose removal cures it: with that quirk alone taken out of ``nomad-2.0`` the
property holds in the same scope. ``verify`` finds each of them again, and says so when one is gone.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from nomadspec.model.specification.quirk import Quirk


class Loss(Enum):
    """What is lost where a finding strikes."""

    WORK = "wanted work does not run, unwanted work runs, or running work lacks resources"
    CONTROL = "an operator's request is undone, never ends, or is reported as done although it is not"
    RECORD = "a record is wrong, or something is evaluated in vain"


class Lasting(Enum):
    """How long it lasts."""

    FOR_GOOD = "until a person acts"
    UNTIL_CHANGED = "until the next event of the job, its nodes or the leader, which may never come"
    FOR_A_WHILE = "until the next event that is due anyway"


class Severity(Enum):
    """How severe a finding is: nothing but what is lost, and how long that lasts."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """Give its place among all, the most severe first."""
        return list(Severity).index(self)


SEVERITIES: Final = {
    (Loss.WORK, Lasting.FOR_GOOD): Severity.CRITICAL,
    (Loss.WORK, Lasting.UNTIL_CHANGED): Severity.HIGH,
    (Loss.WORK, Lasting.FOR_A_WHILE): Severity.MEDIUM,
    (Loss.CONTROL, Lasting.FOR_GOOD): Severity.HIGH,
    (Loss.CONTROL, Lasting.UNTIL_CHANGED): Severity.MEDIUM,
    (Loss.CONTROL, Lasting.FOR_A_WHILE): Severity.LOW,
    (Loss.RECORD, Lasting.FOR_GOOD): Severity.LOW,
    (Loss.RECORD, Lasting.UNTIL_CHANGED): Severity.LOW,
    (Loss.RECORD, Lasting.FOR_A_WHILE): Severity.LOW,
}
"""The criterion, whole: how likely a finding is has no part in it, for the model cannot know that."""


@dataclass(frozen=True, slots=True)
class Impact:
    """What a finding does to people."""

    harm: str
    """The harm in a few words."""
    loss: Loss
    lasts: Lasting
    hits: str
    """Who is hit, and who or what rescues them."""

    @property
    def who(self) -> str:
        """Give who is hit, in a few words."""
        return re.split("[,:;]", self.hits, maxsplit=1)[0]

    @property
    def severity(self) -> Severity:
        """Give the severity that follows from what is lost for how long."""
        return SEVERITIES[self.loss, self.lasts]


@dataclass(frozen=True, slots=True)
class Face:
    """A property that fails: where its shortest story is, and how long that is."""

    violates: str
    scope: str
    steps: int
    reduction: str = "symmetry"
    """``none`` where an endless path shows it, which no reduction keeps."""


@dataclass(frozen=True, slots=True)
class KnownFinding:
    """One property that fails under ``nomad-2.0``, where, how, and what would cure it."""

    id: str
    title: str
    happens: str
    """What happens, in one sentence."""
    conditions: tuple[str, ...]
    """What must come together, a phrase each."""
    impact: Impact
    """What it does to people."""
    cure: Quirk
    """What must be mended."""
    shown: Face
    """What its story shows: a shortest one in the published scope, in the smallest sizes that do."""
    model: str = "kernel"
    sizes: Mapping[str, int] = field(default_factory=dict)
    """The sizes of the scope that may be smaller: with any size less, the story is longer or gone."""
    decisive: int | None = None
    """The step that decides it, where that is not the last one."""
    beside: tuple[Quirk, ...] = ()
    """What must be mended as well, where it leads to the same in a way of its own; the story needs none."""
    faces: tuple[Face, ...] = ()
    """What else fails for the same reason."""

    @property
    def violates(self) -> str:
        """Give the property that its story breaks."""
        return self.shown.violates

    @property
    def scope(self) -> str:
        """Give the published scope that shows it."""
        return self.shown.scope

    @property
    def violated(self) -> frozenset[str]:
        """All properties that fail for this reason."""
        return frozenset({self.violates, *(face.violates for face in self.faces)})

    @property
    def own_profile(self) -> str:
        """The profile in which nothing but this leads to the same: its story is found there."""
        return " ".join(["nomad-2.0", *[f"-{quirk}" for quirk in self.beside]])

    @property
    def cured_profile(self) -> str:
        """The profile of the described release with only this mended, and what must be mended beside it.

        It is spelled alike for two findings of which each must be mended beside the other.
        """
        return " ".join(["nomad-2.0", *sorted(f"-{quirk}" for quirk in (self.cure, *self.beside))])
