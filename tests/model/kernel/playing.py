"""Play rules of the kernel one after another, and look at cells of the world in which they end."""

import re
from dataclasses import replace
from functools import cache
from typing import Any

from nomadspec.model.kernel.kernel import KERNEL
from nomadspec.model.kernel.statuses import Kind
from nomadspec.model.language.arguments import Argument
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.domain import NONE
from nomadspec.model.language.trace import Instance
from nomadspec.model.specification.profiles import INTENDED

ALONE = {"jobs": 1, "nodes": 1, "workers": 1, "evals": 3, "allocations": 3}
PLACED = ("Begin(1, 1)", "Plan(1, 1, [1])", "Submit(1, 1)", "ApplyPlan(1, 1)")
"""How worker 1 places the one instance of job 1 on node 1."""
SHORT = ("Begin(1, 1)", "Plan(1, 1, [0])")
"""How worker 1 finds no place for the one instance of job 1."""


@cache
def bind(profile: str, sizes: tuple[tuple[str, int], ...]) -> BoundedModel:
    """Bound the kernel without its rules, for to trace them takes longer than to play a story."""
    return replace(KERNEL, rules=()).at("contention", sizes=dict(sizes), profile=profile)


class Play:
    """A world of the kernel that rules move on."""

    def __init__(self, profile: str = INTENDED.name, **sizes: int) -> None:
        """Begin where every job has just been registered."""
        self._about = (profile, tuple(sorted({**ALONE, **sizes}.items())))
        self.bounded: BoundedModel = bind(*self._about)
        self.cells: Cells = self.bounded.initial[0]

    def start(self, kind: int) -> None:
        """Begin where every job is of a type."""
        names = [name for name in self.bounded.frame.cell_names if name.startswith("kind[")]
        places = [self.bounded.frame.cell_names.index(name) for name in names]
        self.cells = next(c for c in self.bounded.initial if all(c[place] == kind for place in places))

    def play(self, *calls: str) -> "Play":
        """Apply rules in turn: ``Dequeue(1, 1, 2)`` counts ids from 1, and 0 is none."""
        for call in calls:
            after = self._try(call)
            assert after is not None, f"{call} cannot happen"
            self.cells = after
        return self

    def can(self, call: str) -> bool:
        """Tell whether a rule can be applied."""
        return self._try(call) is not None

    def look(self, *names: str) -> list[Any]:
        """Read some cells as people write them: ``record 1 2`` is that of evaluation 2 of job 1."""
        described = self.bounded.describe(self.cells)
        return [described[_spell(name, described)] for name in names]

    def _try(self, call: str) -> Cells | None:
        name, _, arguments = call.partition("(")
        values = tuple(_read(part) for part in re.findall(r"\[[^\]]*\]|\w+", arguments))
        rule = KERNEL.find_rule(name)
        domains = rule.domains(self.bounded.frame)
        found = [list(domain.values()) for domain in domains]
        if not all(value in known for value, known in zip(values, found, strict=True)):
            return None
        chosen = tuple(known[known.index(value)] for value, known in zip(values, found, strict=True))
        return self.bounded.step(self.cells, Instance(0, rule, chosen))


def _read(part: str) -> Argument:
    if part.startswith("["):
        return tuple(_read_id(item) for item in re.findall(r"\w+", part))
    return _read_id(part)


def _read_id(part: str) -> int:
    return NONE if part == "0" else int(part) - 1


def _spell(name: str, described: dict[str, Any]) -> str:
    """Find the cell with this field and these numbers among its ids."""
    wanted = name.split()
    for cell in described:
        places = "".join(re.findall(r"\[[^\]]*\]", cell))
        if [re.sub(r"\[[^\]]*\]", "", cell), *re.findall(r"\d+", places)] == wanted:
            return cell
    raise AssertionError(f"there is no cell {name}")


class SystemPlay(Play):
    """A world in which every job is a system job."""

    def __init__(self, profile: str = INTENDED.name, **sizes: int) -> None:
        """Begin where every job has just been registered."""
        super().__init__(profile, kinds=Kind.SYSTEM, **sizes)
        self.start(Kind.SYSTEM)
