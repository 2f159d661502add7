"""What a search through whole clusters came to: how far it went, and the scenario of all that was broken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from nomadspec.checkers.report.table import render_table
from nomadspec.checkers.report.titles import find_titles_in
from nomadspec.checkers.stateful.world import Search
from nomadspec.checkers.verdict import Verdict
from nomadspec.invariants.cluster.world import PROPERTIES
from nomadspec.model.errors import EXIT_HOLDS, EXIT_INCONCLUSIVE, EXIT_VIOLATED

EXIT_CODES: Final = {"violated": EXIT_VIOLATED, "inconclusive": EXIT_INCONCLUSIVE, "not-refuted": EXIT_HOLDS}


@dataclass(frozen=True, slots=True)
class Searched:
    """A search that has ended."""

    search: Search
    again: str
    """The command that searches the same once more."""

    @property
    def exit_code(self) -> int:
        """1 where something was broken; else 0, which proves nothing, or 4 where the search was stopped."""
        return EXIT_CODES[self._word]

    @property
    def _word(self) -> str:
        if self.search.found:
            return "violated"
        return "inconclusive" if self.search.is_stopped else "not-refuted"

    def data(self) -> dict[str, Any]:
        """Write it as an object: docs/reference/json/scenario-search.json says what its fields mean."""
        search = self.search
        return {
            "profile": search.profile,
            "seed": search.seed,
            "verdict": self._word,
            "walks": search.walks,
            "acts": search.acts,
            "moves_by_act": search.by_act,
            "properties": len(PROPERTIES),
            "found": [
                {
                    "property": each.name,
                    "witness": each.witness,
                    "walk": each.walk,
                    "moves": each.moves,
                    "scenario": each.scenario,
                }
                for each in search.found
            ],
            "again": self.again,
            "titles": find_titles_in(search.profile),
        }

    def render(self) -> str:
        """Write it as text: what was broken with its scenario, then how far the search went."""
        search = self.search
        parts = [f"{each.name}, in walk {each.walk}:\n\n{each.scenario}" for each in search.found]
        rows = [(name, str(count)) for name, count in search.by_act.items()]
        parts.append(render_table(("MOVE", "TIMES"), rows, indent=0))
        parts.append(self._verdict())
        return "\n\n".join(parts)

    def _verdict(self) -> str:
        search = self.search
        far = f"{search.walks:,} walks of {search.acts:,} acts, profile {search.profile}, seed {search.seed}"
        if not search.found:
            word = "INCONCLUSIVE  interrupted:" if search.is_stopped else "NOT REFUTED "
            return f"{word} {len(PROPERTIES)} properties held in {far}\nAgain: {self.again}"
        return f"VIOLATED  {len(search.found)} of {len(PROPERTIES)} properties, in {far}\nAgain: {self.again}"


@dataclass(frozen=True, slots=True)
class SearchedClusters(Searched):
    """A search that is a part of a larger verdict."""

    seconds: float

    @property
    def verdict(self) -> Verdict:
        """Nothing found refutes nothing; only a violation counts."""
        return {EXIT_VIOLATED: Verdict.VIOLATED, EXIT_HOLDS: Verdict.HOLDS}.get(
            self.exit_code, Verdict.INCONCLUSIVE
        )

    def part_data(self) -> dict[str, Any]:
        """Write it as a part of an object: docs/reference/json/verify.json says what its fields mean."""
        left_out = {"moves_by_act", "titles"}
        data = {name: value for name, value in self.data().items() if name not in left_out}
        return {**data, "seconds": round(self.seconds, 3)}
