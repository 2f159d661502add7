"""The decisive step of a scenario: the act that its file names, and the cluster just before it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from msgspec import Struct

from nomadspec.checkers.plain_digits import is_whole
from nomadspec.checkers.scenario.language import Line, parse_lines, read_scenario
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.acts import Act
from nomadspec.model.cluster.acts.registry import show
from nomadspec.model.cluster.world import World
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import Profile

MARK: Final = "# Decided by "
"""A line that begins so names an act, and which of its kind it is: ``# Decided by CommitPlan 3``."""


class Decisive(Struct, frozen=True):
    """The step of a scenario that decides what comes of it."""

    before: World
    number: int
    """Its number among all acts."""
    act: str
    statement: str
    """The line of the scenario in which it happens."""


class _Watching(Run):
    """A run that keeps the world before one act."""

    def __init__(self, profile: Profile, folder: Path, name: str, which: int) -> None:
        """Watch for an act of this name, the one that comes after so many others."""
        super().__init__(profile, folder)
        self._name, self._left = name, which
        self.found: tuple[World, int, Act, int] | None = None

    def take(self, one: Act) -> None:
        """Take an act, and keep the world before it if it is the one."""
        if type(one).__name__ == self._name:
            self._left -= 1
            if self._left == 0:
                self.found = (self.world, len(self.events) + 1, one, self.line)
        super().take(one)


def find_decisive(path: Path, profile: Profile) -> Decisive | None:
    """Find the decisive step of a scenario by playing it; None where its file names none."""
    text = read_scenario(path)
    named = next((line.removeprefix(MARK) for line in text.splitlines() if line.startswith(MARK)), None)
    if named is None:
        return None
    name, _, which = named.partition(" ")
    lines = parse_lines(text, str(path))
    run = _Watching(profile, path.parent, name, int(which) if is_whole(which) else 1)
    play_lines(lines, profile, run=run)
    if run.found is None:
        raise InputError(str(path), f"it is said to be decided by {named}, which does not happen")
    world, number, act, line = run.found
    return Decisive(world, number, show(act), _find_statement(lines, line))


def _find_statement(lines: list[Line], number: int) -> str:
    return next(line.text for line in lines if line.number == number)
