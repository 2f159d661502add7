"""A search of a user's model that runs its text as Python: worlds are dictionaries, ids are numbers.

It knows the declarations and nothing of terms, frames or engines. What a text says is what Python says.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import Rule
from nomadspec.model.language.world import Schema

Cells = Mapping[str, Mapping[tuple[int, ...], int]]
World = tuple[tuple[int, ...], ...]


class Blocked(Exception):  # noqa: N818 -- as the language's own: how a rule ends that cannot happen
    """What a rule requires is not so."""


class Table:
    """A table of the world; after a step it takes what is assigned."""

    def __init__(self, cells: Any, condition: bool, prefix: tuple[int, ...] = ()) -> None:
        self._cells = cells
        self._condition = condition
        self._prefix = prefix

    def __getitem__(self, key: Any) -> Any:
        return self._cells.get((*self._prefix, *(key if isinstance(key, tuple) else (key,))))

    def __setitem__(self, key: Any, value: Any) -> None:
        place = key if isinstance(key, tuple) else (key,)
        if self._condition and place in self._cells:
            self._cells[place] = value


class Face:
    """A world as a text sees it: ``s``, or with a condition ``t``."""

    def __init__(self, search: "Plain", cells: Any, condition: bool = True) -> None:
        vars(self).update(_search=search, _cells=cells, _condition=condition)

    def __getattr__(self, name: str) -> Any:
        if name in self._search.lengths:
            return list(range(self._search.lengths[name]))
        if name in self._search.sizes:
            return self._search.sizes[name]
        cells = self._cells[name]
        return cells[()] if () in cells else Table(cells, self._condition)

    def __setattr__(self, name: str, value: Any) -> None:
        if self._condition:
            for place in self._cells[name]:
                self._cells[name][place] = value

    def require(self, *flags: Any) -> None:
        if not all(flags):
            raise Blocked

    def when(self, condition: Any) -> "Face":
        return Face(self._search, self._cells, bool(self._condition and condition))


@dataclass
class Plain:
    """A model in a scope, searched level by level."""

    model: Model
    sizes: Mapping[str, int]
    lengths: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.schema: Schema = self.model.world.schema
        self.lengths = {ids.name: self.sizes[ids.size.name] for ids in self.schema.sets}
        self.first = {
            one.name: dict.fromkeys(product(*[range(self.lengths[ids.name]) for ids in one.index]), one.init)
            for one in self.schema.fields
        }

    def find_shortest(self, name: str) -> int | None:
        """Give the length of the shortest way to a world that lacks a property; None without one."""
        prop = self.model.find_property(name)
        level, seen, far = [self.first], {_freeze(self.first)}, 0
        while level:
            if not all(bool(prop.text(Face(self, cells))) for cells in level):
                return far
            after = {_freeze(new): new for cells in level for new in self._list_after(cells)}
            level = [cells for frozen, cells in after.items() if frozen not in seen]
            seen |= after.keys()
            far += 1
        return None

    def _list_after(self, cells: Cells) -> Iterator[Any]:
        for rule in self.model.rules:
            for told in product(
                *[range(self.lengths[str(getattr(of, "name", ""))]) for _, of in rule.arguments]
            ):
                after = self._take(rule, cells, told)
                if after is not None:
                    yield after

    def _take(self, rule: Rule, cells: Cells, told: tuple[int, ...]) -> Any:
        after = {name: dict(values) for name, values in cells.items()}
        try:
            rule.text(Face(self, cells), Face(self, after), *told)
        except Blocked:
            return None
        return after


def _freeze(cells: Cells) -> World:
    return tuple(tuple(int(value) for value in values.values()) for values in cells.values())
