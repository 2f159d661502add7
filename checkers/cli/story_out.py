"""``--story-out``: the story that a run found goes to a file."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from nomadspec.checkers.cli.screen import tell
from nomadspec.checkers.escaping import join_words
from nomadspec.model.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from nomadspec.model.language.bounded import BoundedModel
    from nomadspec.model.language.story import Story


def check_place(path: Path | None) -> None:
    """Refuse a place where no file can be written before anything is computed for it.

    Folders that are not there are no hindrance: who writes the file makes them.
    """
    try:
        problem = None if path is None else _find_problem(path)
    except OSError as refusal:  # its name is too long
        problem = refusal.errno
    if problem is not None:
        raise UsageError(f"{path} cannot be written ({os.strerror(problem)}): name another file.")


def _find_problem(path: Path) -> int | None:
    """Give the number by which the system would refuse to write a file; None where it would not."""
    if path.is_dir():
        return errno.EISDIR
    place = path if path.exists() else next(folder for folder in path.absolute().parents if folder.exists())
    if place != path and not place.is_dir():
        return errno.ENOTDIR
    return None if os.access(place, os.W_OK) else errno.EACCES


def keep_story(path: Path | None, story: Story | None, bounded: BoundedModel, reference: str) -> None:
    """Write a story where that was asked for, and say on stderr what became of it."""
    from nomadspec.checkers.report.stories import write_story

    if path is None:
        return
    if story is None:
        tell(f"wrote no {path}: there is no story to tell")
        return
    write_story(path, story, bounded, reference)
    tell(f"wrote {path}: `{join_words(['nomadspec', 'story', str(path)])}` replays it")
