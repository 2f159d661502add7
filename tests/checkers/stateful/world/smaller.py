"""Scenarios that are smaller by one thing: a step, an option, a node, an allocation of a count."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nomadspec.checkers.scenario.grammar import GRAMMAR
from nomadspec.checkers.scenario.language import Line, parse_lines
from nomadspec.checkers.scenario.play import play_lines
from nomadspec.checkers.stateful.world.judging import watch_lines
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import NOMAD_2_0, Profile

EXPECT = "expect "
NUMBERS = ("count", "groups", "pipeline")
"""Options whose values may be smaller by one."""


def read_steps(path: Path) -> list[str]:
    """Read the lines of a scenario, without comments."""
    return [line.text.partition("#")[0].strip() for line in parse_lines(path.read_text("utf-8"), path.name)]


def list_smaller(steps: list[str]) -> Iterator[tuple[str, list[str]]]:
    """List what is smaller by one thing, with a name of what is left out."""
    for at, step in enumerate(steps):
        if step.startswith((EXPECT, "release ")):
            continue
        if at > 0:
            yield step, _leave_out(steps, at)
        for shorter, name in _list_shorter(step):
            yield f"{step}: {name}", [*steps[:at], shorter, *steps[at + 1 :]]


def _leave_out(steps: list[str], at: int) -> list[str]:
    """Leave out a step; what was held and is not any more needs no release."""
    rest = steps[at + 1 :]
    held = steps[at].partition(" ")[2] if steps[at].startswith("hold ") else ""
    if held and f"release {held}" in rest:
        rest.remove(f"release {held}")
    return [*steps[:at], *rest]


def _list_shorter(step: str) -> Iterator[tuple[str, str]]:
    (line,) = parse_lines(step, "step")
    statement, _ = GRAMMAR.find(line)
    words = step.split()
    if words[0] == "cluster" and words[1] not in {"0", "1"}:
        yield " ".join([words[0], str(int(words[1]) - 1), *words[2:]]), "a node"
    if not statement.options:
        return
    for at in range(len(statement.pattern), len(words), 2):
        yield " ".join(words[:at] + words[at + 2 :]), " ".join(words[at : at + 2])
        if words[at] in NUMBERS and words[at + 1].isdecimal() and int(words[at + 1]) > 2:
            fewer = [*words[: at + 1], str(int(words[at + 1]) - 1), *words[at + 2 :]]
            yield " ".join(fewer), f"one of {words[at]}"


@dataclass(frozen=True)
class Harm:
    """What a scenario ends in: a broken property, and the expectations that its cure leaves unmet."""

    violates: str
    cured: Profile
    folder: Path
    expectations: frozenset[int]
    """Which steps of the scenario they are."""

    @classmethod
    def of(cls, steps: list[str], violates: str, cured: Profile, folder: Path) -> "Harm":
        """Find the harm of a scenario by playing it with its cure."""
        all_of_them = frozenset(at for at, step in enumerate(steps) if step.startswith(EXPECT))
        try:
            unmet = play_lines(_read(steps), cured, folder).unmet
        except InputError:
            return cls(violates, cured, folder, all_of_them)  # its cure makes a step impossible
        return cls(violates, cured, folder, frozenset(each.line - 1 for each in unmet))

    def list_needed(self, steps: list[str]) -> list[str]:
        """List the steps, with no expectation but those of the harm."""
        return [
            step for at, step in enumerate(steps) if at in self.expectations or not step.startswith(EXPECT)
        ]

    def shows_in(self, steps: list[str]) -> bool:
        """Whether steps break the property and end in the same, and the cure ends that."""
        lines = _read(steps)
        try:
            is_broken = self._breaks(lines, NOMAD_2_0) and not play_lines(lines, NOMAD_2_0, self.folder).unmet
        except InputError:
            return False
        return is_broken and self._is_cured(lines)

    def _is_cured(self, lines: list[Line]) -> bool:
        try:
            is_gone = not self.expectations or play_lines(lines, self.cured, self.folder).unmet
            return bool(is_gone) and not self._breaks(lines, self.cured)
        except InputError as error:
            if "is not possible here" not in str(error):
                raise
            return True

    def _breaks(self, lines: list[Line], profile: Profile) -> bool:
        breach = watch_lines(lines, profile, self.folder).breach
        return breach is not None and breach.name == self.violates


def _read(steps: list[str]) -> list[Line]:
    return parse_lines("\n".join(steps), "smaller")
