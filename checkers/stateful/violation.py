"""What the machine raises: a property that does not hold, with the story that shows it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from nomadspec.checkers.minimise import minimise
from nomadspec.model.errors import EXIT_VIOLATED, NomadSpecError
from nomadspec.model.language.claim import tell
from nomadspec.model.language.model_promises import PROMISES
from nomadspec.model.language.story import DEADLOCK

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nomadspec.model.language.bounded import BoundedModel, Cells
    from nomadspec.model.language.story import Story
    from nomadspec.model.language.trace import Instance


class ViolationError(NomadSpecError, AssertionError):
    """A property does not hold, or a world is stuck."""

    exit_code: ClassVar[int] = EXIT_VIOLATED

    def __init__(
        self,
        bounded: BoundedModel,
        about: str,
        first: Cells,
        instances: Sequence[Instance],
        write_line: Callable[[Sequence[str]], str] | None = None,
    ) -> None:
        """Keep the way there; most violations are only raised while shrinking and never told."""
        super().__init__(about)
        self.about = about
        self._bounded = bounded
        self._first = first
        self._instances = tuple(instances)
        self._write_line = write_line

    @cached_property
    def story(self) -> Story:
        """Tell the story, replayed by the interpreter, without steps that Hypothesis should have left out."""
        return minimise(self._bounded, tell(self._bounded, self._first, self._instances, about=self.about))

    def __str__(self) -> str:
        """Write the property, the witnesses and the story, a line for each step, and how to replay it."""
        story = self.story
        lines = [self._headline()]
        if story.witnesses:
            lines.append(f"witnesses: {'; '.join(', '.join(found) for found in story.witnesses)}")
        lines.append(f"{story.model}, scope {story.scope}, profile {story.profile}:")
        if story.start is not None:
            lines.append(f"    {story.start}")
        lines += [f"{number:3} {step}" for number, step in enumerate(story.steps, 1)]
        if self._write_line is not None:
            lines.append(self._write_line([str(step) for step in story.steps]))
        return "\n".join(lines)

    def _headline(self) -> str:
        if self.about == DEADLOCK:
            return f"{DEADLOCK}: nothing can happen in the last world, and it is not at rest"
        name = self.story.property or self.about
        if name in PROMISES:
            return f"{name} is broken: {PROMISES[name]}"
        return f"{self.about} does not hold: {self._bounded.model.find_property(self.about).why}"
