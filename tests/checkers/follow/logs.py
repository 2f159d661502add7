"""Random models with logs of their random walks, and which line a plain search cannot explain first."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.domain import Id, upto
from nomadspec.model.language.logic import Value, any_of
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import Rule, rule
from nomadspec.model.language.world import World, field

PLACES, MARKS = 5, 3


class Walk(World):
    """A place that a log may show, and a mark that it may hide."""

    at = field(upto(PLACES - 1), init=0, about="a place")
    mark = field(upto(MARKS - 1), init=0, about="a mark")


def make_rule(number: int, random: Random) -> Rule:
    sources = random.sample(range(PLACES), random.randint(1, 3))
    marks = random.sample(range(MARKS), random.randint(1, MARKS))
    target = random.choice([*range(PLACES), None])

    def move(s: Walk, t: Walk, mark: Id) -> None:
        """Somebody moves, and marks it."""
        here: Value = any_of(*(s.at == source for source in sources))
        t.require(here, any_of(*(s.mark == one for one in marks)))
        t.mark = mark
        if target is not None:
            t.at = target

    move.__name__ = f"move_{number}"
    return rule("W-1", mark=upto(MARKS - 1))(move)


@dataclass(frozen=True)
class Case:
    """A model, which of its rules may happen unseen, and a log."""

    bounded: BoundedModel
    unseen: tuple[str, ...]
    lines: tuple[Mapping[str, Any], ...]

    def write(self, path: Path) -> Path:
        head = {"schema": "nomadspec/log/1", "unseen": list(self.unseen)}
        path.write_text("\n".join(json.dumps(line) for line in (head, *self.lines)))
        return path

    def find_impossible(self) -> int | None:
        """Find the first line that no path explains, counted from 0."""
        here = set(self.bounded.initial)
        for number, line in enumerate(self.lines):
            here = {after for cells in self._close(here) for after in self._list_afters(cells, line)}
            if not here:
                return number
        return None

    def _close(self, worlds: set[Cells]) -> set[Cells]:
        found, waiting = set(worlds), list(worlds)
        while waiting:
            for one, after in self.bounded.successors(waiting.pop()):
                if one.rule.name in self.unseen and after not in found:
                    found.add(after)
                    waiting.append(after)
        return found

    def _list_afters(self, cells: Cells, line: Mapping[str, Any]) -> list[Cells]:
        if not is_seen(cells, line.get("before", {})):
            return []
        mark = line.get("arguments", {}).get("mark")
        return [
            after
            for one, after in self.bounded.successors(cells)
            if one.rule.name == line["rule"] and mark in {None, one.arguments[0]}
            if is_seen(after, line.get("after", {}))
        ]


def is_seen(cells: Cells, fields: Mapping[str, int]) -> bool:
    return all(cells[("at", "mark").index(name)] == value for name, value in fields.items())


def show(cells: Cells, random: Random) -> dict[str, int]:
    return {
        name: value
        for name, value in zip(("at", "mark"), cells, strict=True)
        if random.random() < (0.5 if name == "at" else 0.2)
    }


def make_case(seed: int) -> Case:
    """Make a log of a walk, some of whose lines are then changed or left out."""
    random = Random(seed)
    rules = tuple(make_rule(number, random) for number in range(random.randint(2, 4)))
    bounded = Model("walk", "a walk", Walk, rules).at()
    unseen = tuple(one.name for one in rules if random.random() < 0.3)
    cells, lines = bounded.initial[0], []
    for _ in range(random.randint(3, 8)):
        steps = list(bounded.successors(cells))
        if not steps:
            break
        one, after = random.choice(steps)
        line: dict[str, Any] = {
            "rule": one.rule.name,
            "before": show(cells, random),
            "after": show(after, random),
        }
        if random.random() < 0.4:
            line["arguments"] = {"mark": one.arguments[0]}
        if one.rule.name not in unseen or random.random() < 0.3:
            lines.append(line)
        cells = after
    if lines and random.random() < 0.6:
        line = random.choice(lines)
        change = random.choice(("rule", "after", "before"))
        line[change] = random.choice(rules).name if change == "rule" else {"at": random.randrange(PLACES)}
    return Case(bounded, unseen, tuple(lines) or ({"rule": rules[0].name},))
