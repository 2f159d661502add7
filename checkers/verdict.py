"""What engines report: verdicts, findings, and the bounds within which they hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

from nomadspec.model.errors import EXIT_HOLDS, EXIT_INCONCLUSIVE, EXIT_VIOLATED
from nomadspec.model.language.model_promises import PROMISES
from nomadspec.model.language.property import Kind
from nomadspec.model.language.story import DEADLOCK, Replay, Story

if TYPE_CHECKING:
    from nomadspec.model.language.bounded import BoundedModel


class Verdict(Enum):
    """The answer of a run."""

    HOLDS = "holds"
    VIOLATED = "violated"
    INCONCLUSIVE = "inconclusive"
    NOT_REFUTED = "not-refuted"

    @property
    def exit_code(self) -> int:
        """Give the exit code that says so."""
        return {Verdict.VIOLATED: EXIT_VIOLATED, Verdict.INCONCLUSIVE: EXIT_INCONCLUSIVE}.get(
            self, EXIT_HOLDS
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """A property that does not hold (or a deadlock), with the story that shows it."""

    property: str
    kind: Kind | None
    """None for a deadlock, and for a promise of every model."""
    story: Story | None
    """None for a ``sometimes`` that a complete search did not reach: nothing can show that."""


def find_kind(bounded: BoundedModel, name: str) -> Kind | None:
    """Find the kind of what a finding is about; None for a deadlock, and for a promise of every model."""
    return None if name == DEADLOCK or name in PROMISES else bounded.model.find_property(name).kind


@dataclass(frozen=True, slots=True)
class Budget:
    """A bound of the environment, and how far it was used."""

    name: str
    limit: int
    used: int

    @property
    def is_touched(self) -> bool:
        """True if the bound was reached, so that a larger one might show more."""
        return self.used >= self.limit


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound that a search was given, and whether it left anything out."""

    kind: str
    """``depth`` or ``constraint``."""
    text: str
    is_reached: bool


@dataclass(frozen=True, slots=True)
class Scoped:
    """What a run was about."""

    model: str
    scope: str
    sizes: Mapping[str, int]
    profile: str


@dataclass(frozen=True, slots=True)
class Audited:
    """A reduced search that was repeated without reduction, with the same result."""

    distinct: int
    generated: int
    full_distinct: int
    full_generated: int
    stopped_by: str | None
    """What stopped one of the two before its end, so that nothing was compared."""


@dataclass(frozen=True, slots=True)
class ExploreReport:
    """What an exhaustive search found, and how far it went."""

    about: Scoped
    verdict: Verdict
    reduction: str
    """``none``, ``symmetry``, ..."""
    distinct: int
    generated: int
    depth: int
    seconds: float
    digest: str
    stopped_by: str | None
    """None where all is answered, else ``time``, ``memory``, ``states``, ``interrupt``, ``violation``,
    ``depth`` or ``constraint``."""
    findings: tuple[Finding, ...]
    reached: Mapping[str, Story | None]
    """Each ``sometimes`` with the shortest story that reaches it, or None."""
    checked: tuple[str, ...]
    """The properties that were checked."""
    not_checked: Mapping[str, str]
    """The properties that were not, each with the reason."""
    fired: Mapping[str, int]
    """How often each rule led from one stored world to another world."""
    budgets: tuple[Budget, ...]
    is_exhaustive: bool = True
    """Whether all worlds were visited; a limit, if any, then stopped a second search or an audit."""
    checkpoint: str | None = None
    """The file from which a search that was stopped can be resumed."""
    checkpoint_problem: str | None = None
    """Why that file holds less than was found, or why it is missing: it could not be written at last."""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Each ``sometimes`` that was not asked because another scope promises it, and which."""
    idle: tuple[str, ...] = ()
    """The lemmas that were not asked because quirks of the profile may break them."""
    engine: str = "interpreted"
    """Who took the last steps: ``interpreted`` or ``compiled``."""
    engine_notes: tuple[str, ...] = ()
    """What the machine code costs, or why there was none."""
    story_notes: tuple[str, ...] = ()
    """Which stories may not be the best: there may be shorter ones, or some with fewer switches."""
    audited: Audited | None = None
    """What the audit of the reduction compared, where one was asked for."""
    bounds: tuple[Bound, ...] = ()
    """The bounds that the search was given, and whether they left anything out."""

    @property
    def silent_rules(self) -> tuple[str, ...]:
        """List the rules that never fired."""
        return tuple(rule for rule, times in self.fired.items() if not times)


@dataclass(frozen=True, slots=True)
class Covered:
    """How much of one kind of thing a random search has met: rules, arrows, premises or goals."""

    kind: str
    total: int
    missed: tuple[str, ...]

    @property
    def met(self) -> int:
        """How many were met."""
        return self.total - len(self.missed)


@dataclass(frozen=True, slots=True)
class SimulateReport:
    """What random walks found."""

    about: Scoped
    verdict: Verdict
    seed: int
    walks: int
    steps: int
    seconds: float
    digest: str
    """Of the whole sequence of steps: the same seed gives the same digest everywhere."""
    findings: tuple[Finding, ...]
    reached: Mapping[str, bool]
    fired: Mapping[str, int]
    budgets: tuple[Budget, ...]
    stopped_by: str | None = None
    """None where all walks were walked, else ``time``, ``violation``, ``coverage``, ``saturation`` or
    ``interrupt``."""
    coverage: tuple[Covered, ...] = ()
    """How much was met of each kind of thing."""
    checked: tuple[str, ...] = ()
    """The properties that were checked."""
    not_checked: Mapping[str, str] = field(default_factory=dict)
    """The properties that were not, each with the reason."""
    ways: Mapping[str, Story] = field(default_factory=dict)
    """Each ``sometimes`` that was asked for by its name and reached, with a story without needless steps."""
    idle: tuple[str, ...] = ()
    """The lemmas that were not asked because quirks of the profile may break them."""


@dataclass(frozen=True, slots=True)
class StatefulReport:
    """What the Hypothesis machine found."""

    about: Scoped
    verdict: Verdict
    effort: str
    runs: int
    """Those that made a failure smaller included."""
    steps: int
    seconds: float
    findings: tuple[Finding, ...]
    reached: Mapping[str, bool]
    fired: Mapping[str, int]
    checked: tuple[str, ...]
    """The properties that were checked."""
    not_checked: Mapping[str, str]
    """The properties that were not, each with the reason."""
    stopped_by: str | None = None
    """None where all runs were made, else ``violation`` or ``interrupt``."""
    again: str = ""
    """The command that takes the steps of what was found; empty where nothing was, or none can be written."""


class ProofResult(Enum):
    """How a proof attempt ended."""

    PROVED_UNBOUNDED = "proved-unbounded"
    PROVED_BOUNDED = "proved-bounded"
    COUNTEREXAMPLE = "counterexample"
    NOT_INDUCTIVE = "not-inductive"
    UNKNOWN = "unknown"


PROVED: Final = frozenset({ProofResult.PROVED_UNBOUNDED, ProofResult.PROVED_BOUNDED})


@dataclass(frozen=True, slots=True)
class ProofRow:
    """The initial worlds or one rule: whether it keeps the property."""

    rule: str
    result: str
    """``kept``, ``broken`` or ``unknown``."""
    seconds: float


class ReachMark(Enum):
    """What a search back from a world says of it."""

    REACHABLE = "reachable"
    UNREACHABLE = "unreachable"
    OPEN = "not-reached"


@dataclass(frozen=True, slots=True)
class Reach:
    """Whether anything leads to a world, and how many steps back from it were looked at."""

    mark: ReachMark
    steps: int


@dataclass(frozen=True, slots=True)
class InductionGap:
    """A step from a world that may be unreachable to one without the property: decoded and replayed."""

    before: Mapping[str, str | int | bool]
    rule: str
    arguments: Mapping[str, object]
    after: Mapping[str, str | int | bool]
    replay: Replay | None = None
    """The step as the interpreter made it."""
    reach: Reach | None = None
    """Whether the world before it is reachable; None where nobody looked."""


@dataclass(frozen=True, slots=True)
class Example:
    """What a claim does not hold for: replayed on the function that it is about."""

    part: str
    values: Mapping[str, int | bool | str]
    """What was drawn, by name."""
    objects: Mapping[str, object]
    """The objects that were made of it, as the interface writes them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """For how many objects something was asked: what could be any number, and what had a number."""

    any: tuple[str, ...] = ()
    fixed: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Proof:
    """What the solver says of one property."""

    property: str
    about: Scoped
    result: ProofResult
    scope: str
    """In words: any number of what, or how many of each; and what was assumed."""
    seconds: float
    rows: tuple[ProofRow, ...]
    lemmas: tuple[str, ...]
    """The other properties that the proof uses, each proved as well."""
    story: Story | None = None
    gap: InductionGap | None = None
    example: Example | None = None
    reading: Reading = field(default_factory=Reading)
    """What could be any number, and what had a number."""
    is_by_definition: bool = False
    """Whether the text of the property is true whatever the world is, in this scope."""
    faults: tuple[ProofRow, ...] = ()
    """Each fault that was put into the functions it is about, and which part of it noticed."""


@dataclass(frozen=True, slots=True)
class ProveReport:
    """What the solver says of all properties that were asked for."""

    verdict: Verdict
    proofs: tuple[Proof, ...]
    seconds: float
    notes: tuple[str, ...] = ()
    """What limits it: why nothing was read for any number, rules that can never happen, time that ran out."""
    is_interrupted: bool = False
    """Whether Ctrl-C ended it before everything was asked."""
