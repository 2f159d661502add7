"""What became of a story when it was replayed: as text and as data."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from nomadspec.checkers.report.stories import data_of, read_story
from nomadspec.checkers.report.story_text import describe_claim, describe_end, list_changes, render_story
from nomadspec.checkers.verdict import Verdict
from nomadspec.model.bounded import BoundedModel
from nomadspec.model.claim import Judgement, judge
from nomadspec.model.errors import DisabledError
from nomadspec.model.story import Replay, Story
from nomadspec.model.story import replay as replay_story


@dataclass(frozen=True, slots=True)
class Told:
    """A story, its replay where it could be replayed, and whether it ends as it claims."""

    story: Story
    bounded: BoundedModel
    replay: Replay | None
    judgement: Judgement

    @property
    def verdict(self) -> Verdict:
        """Whether the story is as it says."""
        return Verdict.HOLDS if self.judgement.is_true else Verdict.VIOLATED

    def render(self) -> str:
        """Write it for people."""
        if self.replay is not None:
            return render_story(self.story, self.replay, self.judgement)
        return f"{describe_claim(self.story, self.bounded)}\n\n{describe_end(self.judgement)}"

    def data(self, file: str) -> dict[str, object]:
        """Write it as an object: docs/reference/json/story-report.json says what its fields mean."""
        return {
            "verdict": self.verdict.value,
            "file": file,
            "sentence": self.judgement.sentence,
            "witnesses": [list(names) for names in self.judgement.witnesses],
            "changes": self._changes(),
            "story": data_of(self.story, self.bounded, self.story.model),
        }

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


def replay_file(path: Path) -> Told:
    """Read a story and replay it; one that cannot be replayed is told so, not raised."""
    story, bounded = read_story(path)
    try:
        replay = replay_story(story, bounded)
    except DisabledError as problem:
        return Told(story, bounded, None, Judgement(is_true=False, sentence=str(problem)))
    return Told(story, bounded, replay, judge(story, replay))
