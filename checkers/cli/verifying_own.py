"""How ``verify`` goes about a user's own model: each scope is searched, and then what can be is proved.

Nobody has published what to expect of it. So the verdict is that of its searches, of which the first that
finds a violation is the last, and a proof that finds a story counts as well. What the solver leaves open was
searched, so it leaves nothing open here.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from nomadspec.checkers.cli.choice import Choice
from nomadspec.checkers.cli.screen import object_of
from nomadspec.checkers.explore import explore
from nomadspec.checkers.manifest import Effort
from nomadspec.checkers.processors import count_processors
from nomadspec.checkers.report.exploring import Explored
from nomadspec.checkers.report.progress import Titled
from nomadspec.checkers.report.proving import Proved, combine, data_of, find_story, render_all
from nomadspec.checkers.smt import prove
from nomadspec.checkers.smt.question import SEED, Asking
from nomadspec.checkers.verdict import ExploreReport, Verdict
from nomadspec.model.language.property import Kind

if TYPE_CHECKING:
    from nomadspec.checkers.progress import Progress
    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.story import Story

_SECONDS: Final = {Effort.FAST: 20.0, Effort.CI: 600.0, Effort.DEEP: None}
"""How long a scope may be searched, and a model proved."""


@dataclass(slots=True)
class VerifiedOwn:
    """What was found of a model, and which of its scopes nobody has looked at."""

    reference: str
    explored: list[Explored] = field(default_factory=list)
    proved: list[Proved] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """Say whether everything holds in all scopes."""
        refuted = [Verdict.VIOLATED] if find_story(self.proved) is not None else []
        left = [Verdict.INCONCLUSIVE] if self.left_out else []
        return combine([*[one.report.verdict for one in self.explored], *refuted, *left])

    @property
    def story(self) -> tuple[Story, BoundedModel] | None:
        """Give the story of what is wrong, and the model that it is about."""
        for explored in self.explored:
            story = explored.story()
            if story is not None and explored.report.verdict is Verdict.VIOLATED:
                return story, explored.bounded
        proved = find_story(self.proved)
        return None if proved is None else proved[:2]

    def data(self) -> dict[str, object]:
        """Write it as an object: docs/reference/json/verify-model.json says what its fields mean."""
        proofs = [{**data_of([one]), "seed": SEED, "questions": []} for one in self.proved]
        return {
            "verdict": self.verdict.value,
            "model": self.reference,
            "seconds": round(self.seconds, 3),
            "explored": [object_of("explore", one.data()) for one in self.explored],
            "proved": [object_of("prove", proof) for proof in proofs],
            "left_out": self.left_out,
        }

    def render(self) -> str:
        """Write it for people, one part after the other."""
        parts = [one.render() for one in self.explored]
        parts += [render_all([one], in_full=False) for one in self.proved]
        parts += [f"not looked at: {run}" for run in self.left_out]
        return "\n\n".join([*parts, f"{self.verdict.value.upper()}  {self.reference}, all of it"])


def verify_own(reference: str, effort: Effort, progress: Progress) -> VerifiedOwn:
    """Search the scopes of a model one by one, until something is wrong, and prove its properties."""
    began = time.monotonic()
    found = VerifiedOwn(reference)
    choices = [Choice(reference, scope.name) for scope in Choice(reference).load().scopes]
    is_over = False
    for number, choice in enumerate(choices):
        report = _search(choice, effort, progress, found)
        is_over = report.verdict is Verdict.VIOLATED or report.stopped_by == "interrupt"
        if is_over:
            found.left_out = [later.line("explore") for later in choices[number + 1 :]]
            break
    if not is_over:
        _prove(reference, effort, progress, found)
    found.seconds = time.monotonic() - began
    return found


def _search(choice: Choice, effort: Effort, progress: Progress, found: VerifiedOwn) -> ExploreReport:
    """Search a scope, and keep what it shows."""
    bounded = choice.bound()
    title = Titled(progress, f"exploring {choice.model} {bounded.scope}", None)
    report = explore(bounded, max_seconds=_SECONDS[effort], progress=title)
    again = choice.line("explore")
    found.explored.append(Explored(report, bounded, choice.model, again, go_on=again))
    return report


def _prove(reference: str, effort: Effort, progress: Progress, found: VerifiedOwn) -> None:
    """Prove the properties of a model, if it has any of which there are proofs."""
    bounded = Choice(reference).bound()
    if not bounded.model.list_properties(Kind.ALWAYS, Kind.STEP):
        return
    report = prove(
        bounded,
        max_seconds=_SECONDS[effort],
        progress=Titled(progress, f"proving {reference}", None),
        asking=Asking(workers=count_processors()),
    )
    found.proved.append(Proved(report, bounded, reference))
