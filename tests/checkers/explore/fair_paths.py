"""Endless fair paths, looked for in plain sets of worlds: what the explorer's lassos must agree with.

A path may stay in a world, or go round in a set of worlds each of which can be reached from each other. It is
fair where no group is owed a step: a weak group that is possible in all worlds visited happens, and so does a
strong one that is possible in one of them.
"""

from collections.abc import Iterable, Mapping

from nomadspec.model.language.arguments import Argument
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.claim import group_of
from nomadspec.model.language.property import Kind, Property

Group = tuple[str, tuple[Argument, ...]] | None
Steps = Mapping[Cells, Iterable[tuple[Group, Cells]]]
Case = tuple[Argument, ...]


def list_steps(bounded: BoundedModel) -> dict[Cells, list[tuple[Group, Cells]]]:
    """List the steps that change each reachable world."""
    steps: dict[Cells, list[tuple[Group, Cells]]] = {}
    queue = list(bounded.initial)
    for cells in queue:
        if cells not in steps:
            found = [(group_of(one), after) for one, after in bounded.successors(cells) if after != cells]
            steps[cells] = found
            queue += [after for _, after in found]
    return steps


def is_promise_kept(bounded: BoundedModel, prop: Property) -> bool:
    """Tell whether an ``eventually`` comes true on every fair path, for each of its cases."""
    steps = list_steps(bounded)
    strong = {one.rule.name for one in bounded.instances if one.rule.fairness and one.rule.fairness.is_strong}
    return not any(
        _has_fair_path(_find_owing(bounded, prop, case, steps), steps, strong)
        for case in bounded.list_cases(prop)
    )


def _find_owing(bounded: BoundedModel, prop: Property, case: Case, steps: Steps) -> set[Cells]:
    """Find the worlds on paths that have met the premise and not yet the goal."""
    goals = {cells for cells in steps if bounded.holds(prop, cells, *case)}
    waiting = [cells for cells in steps if bounded.is_given(prop, cells, *case) and cells not in goals]
    owing: set[Cells] = set()
    while waiting:
        cells = waiting.pop()
        if cells not in owing:
            owing.add(cells)
            waiting += [after for _, after in steps[cells] if after not in goals]
    return owing


def _has_fair_path(worlds: set[Cells], steps: Steps, strong: set[str]) -> bool:
    if any(not any(group for group, _ in steps[cells]) for cells in worlds):
        return True
    return any(_is_fair(part, steps, strong) for part in _list_parts(worlds, steps))


def _is_fair(part: set[Cells], steps: Steps, strong: set[str]) -> bool:
    """Tell whether a path can go round in a part for ever, all of it or what strong fairness leaves."""
    happens = {group for cells in part for group, after in steps[cells] if after in part}
    possible = [{group for group, _ in steps[cells] if group is not None} for cells in part]
    if set.intersection(*possible) - happens:
        return False
    owed = {group for group in set.union(*possible) - happens if group[0] in strong}
    if not owed:
        return True
    rest = {cells for cells, there in zip(part, possible, strict=True) if not there & owed}
    return any(_is_fair(smaller, steps, strong) for smaller in _list_parts(rest, steps))


def _list_parts(worlds: set[Cells], steps: Steps) -> list[set[Cells]]:
    """List the largest sets of two or more worlds that can be reached from each other."""
    reach = {cells: _find_reachable(cells, worlds, steps) for cells in worlds}
    parts = {frozenset(other for other in reach[cells] if cells in reach[other]) for cells in worlds}
    return [set(part) for part in parts if len(part) > 1]


def _find_reachable(start: Cells, worlds: set[Cells], steps: Steps) -> set[Cells]:
    found: set[Cells] = set()
    waiting = [start]
    while waiting:
        for _, after in steps[waiting.pop()]:
            if after in worlds and after not in found:
                found.add(after)
                waiting.append(after)
    return found


def list_broken(bounded: BoundedModel, props: Iterable[Property]) -> set[str]:
    """Name the properties of paths that a fair path breaks, for any of their cases."""
    steps = list_steps(bounded)
    strong = {one.rule.name for one in bounded.instances if one.rule.fairness and one.rule.fairness.is_strong}
    return {
        prop.name
        for prop in props
        for case in bounded.list_cases(prop)
        if _is_broken(bounded, prop, case, steps, strong)
    }


def _is_broken(bounded: BoundedModel, prop: Property, case: Case, steps: Steps, strong: set[str]) -> bool:
    if prop.kind is Kind.EVENTUALLY_ALWAYS:
        bad = {cells for cells in steps if not bounded.holds(prop, cells, *case)}
        given = {cells for cells in steps if bounded.is_given(prop, cells, *case)}
        after = given.union(*(_find_reachable(cells, set(steps), steps) for cells in given))
        stays = {cells for cells in after if not any(group for group, _ in steps[cells])}
        parts = [fair for part in _list_parts(after, steps) for fair in _list_fair(part, steps, strong)]
        return any(part & bad for part in [stays, *parts])
    owing = _find_owing(bounded, prop, case, steps)
    is_left = any(not bounded.is_kept(prop, cells, *case) for cells in owing)
    return is_left or (prop.kind is not Kind.UNLESS and _has_fair_path(owing, steps, strong))


def _list_fair(part: set[Cells], steps: Steps, strong: set[str]) -> list[set[Cells]]:
    """List the largest parts of a part all of which a fair path can visit again and again."""
    happens = {group for cells in part for group, after in steps[cells] if after in part}
    possible = {cells: {group for group, _ in steps[cells] if group is not None} for cells in part}
    if set.intersection(*possible.values()) - happens:
        return []
    owed = {group for group in set.union(*possible.values()) - happens if group[0] in strong}
    if not owed:
        return [part]
    rest = {cells for cells in part if not possible[cells] & owed}
    return [fair for smaller in _list_parts(rest, steps) for fair in _list_fair(smaller, steps, strong)]
