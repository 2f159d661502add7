"""What became of a story when it was replayed: as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from nomadspec.checkers.oracle.limits import LIMITS, Limits
from nomadspec.checkers.report.beliefs import beliefs_data, compute_beliefs, render_beliefs
from nomadspec.checkers.report.expressions import Expression, read_expressions, render_values, values_data
from nomadspec.checkers.report.reasons import reasons_data, render_reasons
from nomadspec.checkers.report.stories import data_of, read_story
from nomadspec.checkers.report.story_text import describe_claim, describe_end, list_changes, render_story
from nomadspec.checkers.report.table import count_of
from nomadspec.checkers.report.titles import find_titles_in
from nomadspec.checkers.step_texts import read_step
from nomadspec.checkers.verdict import Verdict
from nomadspec.checkers.why_not import Reasons, find_reasons
from nomadspec.model.errors import DisabledError, UsageError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.claim import Judgement, judge
from nomadspec.model.language.story import Replay, Story
from nomadspec.model.language.story import replay as replay_story

if TYPE_CHECKING:
    from nomadspec.model.language.trace import Instance


@dataclass(frozen=True, slots=True)
class Told:
    """A story, its replay where it could be replayed, and whether it ends as it claims."""

    story: Story
    bounded: BoundedModel
    replay: Replay | None
    judgement: Judgement
    expressions: tuple[Expression, ...] = ()
    asked: tuple[Instance, ...] = ()
    """Steps of which is asked why they cannot happen."""
    at: int | None = None
    """After how many steps that is asked; None is the end."""

    def asking(self, expressions: Sequence[str], asked: Sequence[str], at: int | None) -> Told:
        """Ask about the worlds of the story: for the values of expressions, and why steps cannot happen."""
        if self.replay is not None and at is not None and at > len(self.replay.moments):
            steps = count_of(len(self.replay.moments), "step")
            raise UsageError(f"The story has no world after {at} steps: it has {steps}.")
        read = read_expressions(self.bounded, expressions)
        return replace(
            self, expressions=read, asked=tuple(read_step(self.bounded, one) for one in asked), at=at
        )

    @property
    def verdict(self) -> Verdict:
        """Whether the story is as it says."""
        return Verdict.HOLDS if self.judgement.is_true else Verdict.VIOLATED

    def render(self) -> str:
        """Write it for people."""
        if self.replay is not None:
            parts = [render_story(self.story, self.replay, self.judgement)]
            beliefs = compute_beliefs(self.story, self.replay)
            parts += [render_beliefs(beliefs)] if beliefs is not None else []
            if self.expressions:
                parts.append(render_values(self.expressions, self.replay))
            parts += [render_reasons(one, self._where) for one in self._list_reasons(self.replay)]
            return "\n\n".join(parts)
        return f"{describe_claim(self.story, self.bounded)}\n\n{describe_end(self.judgement)}"

    def data(self, file: str) -> dict[str, object]:
        """Write it as an object: docs/reference/json/story-report.json says what its fields mean."""
        return {
            "verdict": self.verdict.value,
            "file": file,
            "sentence": self.judgement.sentence,
            "witnesses": [list(names) for names in self.judgement.witnesses],
            "changes": self._changes(),
            "beliefs": beliefs_data(compute_beliefs(self.story, self.replay))
            if self.replay is not None
            else None,
            "values": values_data(self.expressions, self.replay) if self.replay is not None else [],
            "reasons": [reasons_data(one) for one in self._list_reasons(self.replay)],
            "story": data_of(self.story, self.bounded, self.story.model),
            "titles": find_titles_in(self.story.profile),
        }

    @property
    def _where(self) -> str:
        if self.at == 0:
            return "in the first world"
        return "in the last world" if self.at is None else f"after {count_of(self.at, 'step')}"

    def _list_reasons(self, replay: Replay | None) -> list[Reasons]:
        if replay is None:
            return []
        cells = replay.last if self.at is None else replay.worlds[self.at]
        return [find_reasons(self.bounded, cells, instance) for instance in self.asked]

    def _changes(self) -> list[dict[str, object]]:
        if self.replay is None:
            return []
        worlds = self.replay.worlds
        return [
            {
                name: {"old": old, "new": new}
                for name, (old, new) in list_changes(self.bounded, before, after).items()
            }
            for before, after in pairwise(worlds)
        ]


def replay_file(path: Path, limits: Limits = LIMITS, *, keeps_rules: bool = True) -> Told:
    """Read a story and replay it; one that cannot be replayed is told so, not raised.

    Without the rules that the story does not take nobody can ask about them.
    """
    story, bounded = read_story(path, limits, keeps_rules=keeps_rules)
    try:
        replay = replay_story(story, bounded)
    except DisabledError as problem:
        return Told(story, bounded, None, Judgement(is_true=False, sentence=str(problem)))
    return Told(story, bounded, replay, judge(story, replay))
