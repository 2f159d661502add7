"""How a scenario was judged: the property of clusters that it breaks, or what stopped it before its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nomadspec.checkers.report.stopped_run import describe_stopped
from nomadspec.checkers.report.titles import find_titles_in
from nomadspec.checkers.stateful.world.judging import WatchedRun
from nomadspec.checkers.verdict import Verdict
from nomadspec.invariants.cluster.world import PROPERTIES


@dataclass(frozen=True, slots=True)
class Judged:
    """A scenario that was judged."""

    file: str
    profile: str
    run: WatchedRun

    @property
    def verdict(self) -> Verdict:
        """Whether a property was broken, and if not, whether it was seen to the end."""
        if self.run.breach is not None:
            return Verdict.VIOLATED
        return Verdict.HOLDS if self.run.stopped_by is None else Verdict.INCONCLUSIVE

    def data(self) -> dict[str, Any]:
        """Write it as an object: docs/reference/json/scenario-judge.json says what its fields mean."""
        run, breach = self.run, self.run.breach
        is_cut = self.verdict is Verdict.INCONCLUSIVE
        return {
            "file": self.file,
            "profile": self.profile,
            "verdict": self.verdict.value,
            "stopped_by": run.stopped_by if is_cut else None,
            "stopped_in_line": run.line if is_cut else None,
            "properties": len(PROPERTIES),
            "broken": None
            if breach is None
            else {"property": breach.name, "line": breach.at, "witness": breach.witness},
            "titles": find_titles_in(self.profile),
        }

    def render(self) -> str:
        """Write it in a line."""
        word, breach = self.verdict.value.upper(), self.run.breach
        if breach is not None:
            return f"{word}  {breach.name}, line {breach.at}: {breach.witness}"
        count = f"{len(PROPERTIES)} properties"
        if self.verdict is Verdict.HOLDS:
            return f"{word}  {count}"
        return f"{word}  none of {count} is broken so far; {describe_stopped(self.run)}"
