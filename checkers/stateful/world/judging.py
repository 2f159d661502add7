"""Judging a scenario: it is played as usual, and every property of whole clusters is asked on the way."""

from __future__ import annotations

from pathlib import Path

from nomadspec.checkers.scenario.language import Line, read_lines
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.checkers.scenario.run import Run
from nomadspec.checkers.stateful.world.drive import REST_NS, Asking, Breach
from nomadspec.invariants.cluster.world import Step, list_properties
from nomadspec.model.cluster.acts import Act
from nomadspec.model.cluster.acts.registry import list_internal
from nomadspec.model.specification.profiles import Profile


class WatchedRun(Run):
    """A run of a scenario in which properties are asked of each step."""

    def __init__(self, profile: Profile, folder: Path) -> None:
        """Begin with all properties; files that lines name lie in the folder."""
        self.asking = Asking(list_properties())
        self.broken_at: int | None = None
        """The number of the event that broke a property; None where that is seen at rest, or never."""
        super().__init__(profile, folder)

    def take(self, one: Act) -> None:
        """Take an act, and ask what it touches."""
        before = self.world
        super().take(one)
        self.asking.ask(Step(before, one, self.world), self.line)
        if self.asking.breach is not None and self.broken_at is None:
            self.broken_at = len(self.events) - 1


def judge(path: Path, profile: Profile) -> Breach | None:
    """Judge the scenario of a file."""
    return judge_lines(read_lines(path), profile, path.parent)


def judge_lines(lines: list[Line], profile: Profile, folder: Path | None = None) -> Breach | None:
    """Play a scenario and give the first property that it breaks, with the line that breaks it.

    What must be true at rest is asked hours after its end, where then nothing more happens without waiting.
    """
    return watch_lines(lines, profile, folder or Path()).asking.breach


def watch_lines(
    lines: list[Line], profile: Profile, folder: Path, *, keeps_worlds: bool = False
) -> WatchedRun:
    """Play a scenario, and hours after its end, up to the first property that it breaks."""
    run = WatchedRun(profile, folder)
    run.worlds = [] if keeps_worlds else None
    play_lines(lines, profile, run=run)
    if run.asking.breach is not None:
        return run
    run.wait(REST_NS)
    if run.world.is_led and next(list_internal(run.world), None) is None:
        run.asking.ask_at_rest(run.world, run.line)
    return run
