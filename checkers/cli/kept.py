"""``--story-out``: the story that a run found goes to a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from nomadspec.checkers.cli.screen import tell
from nomadspec.model.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.story import Story


def check_place(path: Path | None) -> None:
    """Refuse a place where no file can be written before anything is computed for it."""
    if path is not None and (path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK)):
        raise UsageError(f"{path} cannot be written: name a file in a folder that is there.")


def keep_story(path: Path | None, story: Story | None, bounded: BoundedModel, reference: str) -> None:
    """Write a story where that was asked for, and say on stderr what became of it."""
    from nomadspec.checkers.report.stories import write_story

    if path is None:
        return
    if story is None:
        tell(f"wrote no {path}: there is no story to tell")
        return
    write_story(path, story, bounded, reference)
    tell(f"wrote {path}: `nomadspec story {path}` replays it")
