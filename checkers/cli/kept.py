"""``--story-out``: the story that a run found goes to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

    from nomadspec.model.bounded import BoundedModel
    from nomadspec.model.story import Story


def keep_story(path: Path | None, story: Story | None, bounded: BoundedModel, reference: str) -> None:
    """Write a story where that was asked for, and say on stderr what became of it."""
    from nomadspec.checkers.report.stories import write_story

    if path is None:
        return
    if story is None:
        click.echo(f"wrote no {path}: there is no story to tell", err=True)
        return
    write_story(path, story, bounded, reference)
    click.echo(f"wrote {path}: `nomadspec story {path}` replays it", err=True)
