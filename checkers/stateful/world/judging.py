"""Judging a scenario: it is played as usual, and every property of whole clusters is asked on the way."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from nomadspec.checkers.scenario.language import Line, read_lines
from nomadspec.checkers.scenario.play import go_on, play_lines
from nomadspec.checkers.scenario.run import Run
from nomadspec.checkers.stateful.world.drive import REST_NS, Asking, Breach
from nomadspec.invariants.cluster.world import Step, list_properties
from nomadspec.model.cluster.acts import Act
from nomadspec.model.cluster.acts.registry import list_internal
from nomadspec.model.specification.profiles import Profile


class _BrokenError(Exception):
    """A property is broken, and nothing after that matters."""


class WatchedRun(Run):
    """A run of a scenario in which properties are asked of each step; it may end where one is broken."""

    def __init__(self, profile: Profile, folder: Path, *, ends_when_broken: bool = False) -> None:
        """Begin with all properties; files that lines name lie in the folder."""
        self._ends_when_broken = ends_when_broken
        self.asking = Asking(list_properties())
        self.broken_at: int | None = None
        """The number of the event that broke a property; None where that is seen at rest, or never."""
        super().__init__(profile, folder)

    @property
    def breach(self) -> Breach | None:
        """The first property that was broken, with the line that breaks it."""
        return self.asking.breach

    def take(self, one: Act) -> None:
        """Take an act, and ask what it touches."""
        before = self.world
        super().take(one)
        self.asking.ask(Step(before, one, self.world), self.line)
        if self.breach is not None and self.broken_at is None:
            self.broken_at = len(self.events) - 1
            if self._ends_when_broken:
                raise _BrokenError


def judge(path: Path, profile: Profile) -> WatchedRun:
    """Judge the scenario of a file."""
    return judge_lines(read_lines(path), profile, path.parent)


def judge_lines(lines: list[Line], profile: Profile, folder: Path | None = None) -> WatchedRun:
    """Play a scenario up to the first property that it breaks.

    What must be true at rest is asked hours after its end, where then nothing more happens without waiting.
    """
    run = WatchedRun(profile, folder or Path(), ends_when_broken=True)
    with suppress(_BrokenError):
        _watch(lines, run)
    return run


def watch_lines(
    lines: list[Line], profile: Profile, folder: Path, *, keeps_worlds: bool = False
) -> WatchedRun:
    """Play a scenario to its end, and, where it breaks no property till then, to hours after that."""
    run = WatchedRun(profile, folder)
    run.worlds = [] if keeps_worlds else None
    _watch(lines, run)
    return run


def _watch(lines: list[Line], run: WatchedRun) -> None:
    play_lines(lines, run.profile, run=run)
    if run.breach is not None or run.stopped_by is not None:
        return

    def rest() -> None:
        run.wait(REST_NS)
        if run.world.is_led and next(list_internal(run.world), None) is None:
            run.asking.ask_at_rest(run.world, run.line)

    go_on(run, rest)
