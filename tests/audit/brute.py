"""A search that owes nothing to the package: it executes the data of a random model directly.

A world is a tuple with one item for each part: a tuple of numbers for a variable or table, a tuple of ids for
a queue. Worlds are visited level by level, so the first way to anything is a shortest one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from math import prod
from typing import Any

from tests.audit.described import Described, Effect, Expr, Property, Rule

World = tuple[tuple[int, ...], ...]
Env = dict[str, Any]
"""What names stand for: numbers, tuples of them for maps, and the title of a rule for ``by``."""
Evaluate = Callable[[World, World, Env], int]
Label = tuple[str, tuple[Any, ...]]


class TooLargeError(Exception):
    """The model has more worlds than one wants to look at."""


class Brute:
    """A random model that can be executed."""

    def __init__(self, model: Described) -> None:
        """Compile every expression to a Python closure."""
        self.model = model
        self.lengths = {one.name: one.length for one in model.sets}
        self.names = [part.name for part in model.parts] + [name for name, _ in model.queues]
        self.place = {name: number for number, name in enumerate(self.names)}
        self.shapes = {part.name: tuple(self.lengths[i] for i in part.index) for part in model.parts}
        cells = [(part.init,) * prod(self.shapes[part.name]) for part in model.parts]
        self.first: World = (*cells, *(() for _ in model.queues))
        every = (*model.rules, *model.starts)
        self.instances = [one for rule in model.rules for one in self._list_instances(rule)]
        self._guards = {rule.name: [self.compile(one) for one in rule.guard] for rule in every}
        self._effects = {rule.name: [self._compile_effect(one) for one in rule.effects] for rule in every}
        self.starts: dict[Label | None, World] = {None: self.first} if not model.starts else {}
        """The first worlds, by the start that makes them."""
        for rule, env in (one for start in model.starts for one in self._list_instances(start)):
            made = self.after(self.first, rule, env)
            if made is not None:
                self.starts[rule.title, tuple(env.values())] = made
        self.rest = self.compile(model.rest) if model.rest is not None else None

    def _list_instances(self, rule: Rule) -> list[tuple[Rule, Env]]:
        names = [name for name, _ in rule.arguments]
        choices = product(*[self._list_values(of) for _, of in rule.arguments])
        return [(rule, dict(zip(names, chosen, strict=True))) for chosen in choices]

    def _list_values(self, of: str) -> Sequence[Any]:
        if of.startswith("map "):
            return list(product(range(2), repeat=self.lengths[of.removeprefix("map ")]))
        return range(self.lengths[of])

    def is_inside(self, world: World) -> bool:
        """Tell whether each cell is within its domain."""
        for part, cells in zip(self.model.parts, world, strict=False):
            high = self.lengths.get(part.domain.members, part.domain.high + 1) - 1
            if part.domain.kind == "counter":
                high = self.model.sizes.get(part.domain.members, part.domain.high)
            if not all(part.domain.low <= cell <= high for cell in cells):
                return False
        return True

    # expressions

    def compile(self, expr: Expr) -> Evaluate:
        """Make a function of an expression; flags are numbers, 0 and 1."""
        maker = getattr(self, f"_make_{expr[0]}")
        made: Evaluate = maker(*expr[1:])
        return made

    def _make_num(self, number: int) -> Evaluate:
        return lambda _s, _n, _e: number

    def _make_true(self) -> Evaluate:
        return lambda _s, _n, _e: 1

    def _make_var(self, name: str) -> Evaluate:
        return lambda _s, _n, e: e[name]

    def _make_pick(self, name: str, index: Expr) -> Evaluate:
        key = self.compile(index)
        return lambda s, n, e: e[name][key(s, n, e)]

    def _make_by(self, names: Sequence[str]) -> Evaluate:
        titles = {rule.title for rule in self.model.rules if rule.name in names}
        return lambda _s, _n, e: e["by"] in titles

    def _make_size(self, name: str) -> Evaluate:
        number = self.model.sizes.get(name, self.lengths.get(name, 0))
        return lambda _s, _n, _e: number

    def _make_cell(self, name: str, index: Sequence[Expr], when: str) -> Evaluate:
        at, shape, low = self.place[name], self.shapes[name], self.model.find_part(name).domain.low
        keys = [self.compile(one) for one in index]

        def read(s: World, n: World, e: Env) -> int:
            position = 0
            for key, extent in zip(keys, shape, strict=True):
                member = key(s, n, e)
                if not 0 <= member < extent:
                    return low
                position = position * extent + member
            return (s if when == "s" else n)[at][position]

        return read

    def _two(self, left: Expr, right: Expr, combine: Callable[[int, int], int]) -> Evaluate:
        a, b = self.compile(left), self.compile(right)
        return lambda s, n, e: combine(a(s, n, e), b(s, n, e))

    def _make_plus(self, left: Expr, right: Expr) -> Evaluate:
        return self._two(left, right, lambda a, b: a + b)

    def _make_minus(self, left: Expr, right: Expr) -> Evaluate:
        return self._two(left, right, lambda a, b: a - b)

    def _make_min(self, left: Expr, right: Expr) -> Evaluate:
        return self._two(left, right, min)

    def _make_max(self, left: Expr, right: Expr) -> Evaluate:
        return self._two(left, right, max)

    def _make_eq(self, left: Expr, right: Expr) -> Evaluate:
        return self._two(left, right, lambda a, b: a == b)

    def _make_ne(self, left: Expr, right: Expr) -> Evaluate:
        return self._two(left, right, lambda a, b: a != b)

    def _make_lt(self, left: Expr, right: Expr) -> Evaluate:
        return self._two(left, right, lambda a, b: a < b)

    def _make_le(self, left: Expr, right: Expr) -> Evaluate:
        return self._two(left, right, lambda a, b: a <= b)

    def _make_implies(self, left: Expr, right: Expr) -> Evaluate:
        return self._two(left, right, lambda a, b: not a or bool(b))

    def _make_iff(self, left: Expr, right: Expr) -> Evaluate:
        return self._two(left, right, lambda a, b: bool(a) == bool(b))

    def _make_not(self, flag: Expr) -> Evaluate:
        a = self.compile(flag)
        return lambda s, n, e: not a(s, n, e)

    def _make_and(self, flags: Sequence[Expr]) -> Evaluate:
        parts = [self.compile(one) for one in flags]
        return lambda s, n, e: all(part(s, n, e) for part in parts)

    def _make_or(self, flags: Sequence[Expr]) -> Evaluate:
        parts = [self.compile(one) for one in flags]
        return lambda s, n, e: any(part(s, n, e) for part in parts)

    def _make_ite(self, condition: Expr, then: Expr, otherwise: Expr) -> Evaluate:
        c, a, b = self.compile(condition), self.compile(then), self.compile(otherwise)
        return lambda s, n, e: a(s, n, e) if c(s, n, e) else b(s, n, e)

    def _bind(self, name: str, of: str, body: Expr) -> Callable[[World, World, Env], Iterator[int]]:
        inner, length = self.compile(body), self.lengths[of]
        return lambda s, n, e: (inner(s, n, {**e, name: member}) for member in range(length))

    def _make_all(self, name: str, of: str, body: Expr) -> Evaluate:
        bound = self._bind(name, of, body)
        return lambda s, n, e: all(bound(s, n, e))

    def _make_some(self, name: str, of: str, body: Expr) -> Evaluate:
        bound = self._bind(name, of, body)
        return lambda s, n, e: any(bound(s, n, e))

    def _make_count(self, name: str, of: str, body: Expr) -> Evaluate:
        bound = self._bind(name, of, body)
        return lambda s, n, e: sum(map(bool, bound(s, n, e)))

    def _make_total(self, name: str, of: str, body: Expr) -> Evaluate:
        bound = self._bind(name, of, body)
        return lambda s, n, e: sum(bound(s, n, e))

    def _make_tally(self, name: str, index: Expr) -> Evaluate:
        at, key = self.place[dict(self.model.tallies)[name]], self.compile(index)

        def tally(s: World, n: World, e: Env) -> int:
            member = key(s, n, e)
            return 0 if member < 0 else s[at].count(member)

        return tally

    def _make_in(self, queue: str, index: Expr) -> Evaluate:
        at, key = self.place[queue], self.compile(index)
        return lambda s, n, e: key(s, n, e) in s[at]

    def _make_heads(self, queue: str, index: Expr) -> Evaluate:
        at, key = self.place[queue], self.compile(index)
        return lambda s, n, e: s[at][:1] == (key(s, n, e),)

    def _make_empty(self, queue: str) -> Evaluate:
        at = self.place[queue]
        return lambda s, _n, _e: not s[at]

    # steps

    def _compile_effect(self, effect: Effect) -> tuple[Effect, list[Evaluate], Evaluate, Evaluate]:
        value = self.compile(effect.value) if effect.value else self.compile(("true",))
        condition = self.compile(effect.condition) if effect.condition else self.compile(("true",))
        return effect, [self.compile(one) for one in effect.index], value, condition

    def after(self, world: World, rule: Rule, env: Env) -> World | None:
        """Take a step; None where the guard does not hold."""
        if not all(part(world, world, env) for part in self._guards[rule.name]):
            return None
        written = [list(part) for part in world]
        for effect, keys, value, condition in self._effects[rule.name]:
            cells = written[self.place[effect.target]]
            loop = effect.loop
            for member in range(self.lengths[loop[1]]) if loop else (0,):
                inner = {**env, loop[0]: member} if loop else env
                if condition(world, world, inner):
                    self._write(
                        effect, cells, [key(world, world, inner) for key in keys], value(world, world, inner)
                    )
        return tuple(map(tuple, written))

    def _write(self, effect: Effect, cells: list[int], keys: list[int], value: int) -> None:
        if effect.kind == "push":
            cells.append(keys[0])
        elif effect.kind in {"pop", "remove"}:
            cells[:] = [member for member in cells if member != keys[0]]
        elif effect.kind == "fill":
            cells[:] = [int(value)] * len(cells)
        else:
            position = 0
            for key, extent in zip(keys, self.shapes[effect.target], strict=True):
                if not 0 <= key < extent:
                    return
                position = position * extent + key
            cells[position] = int(value)

    def list_steps(self, world: World) -> list[tuple[Label, World]]:
        """List what can happen, with the world that it leads to."""
        found = []
        for rule, env in self.instances:
            after = self.after(world, rule, env)
            if after is not None:
                found.append(((rule.title, tuple(env.values())), after))
        return found

    def holds(self, flag: Expr, world: World, after: World | None = None, env: Env | None = None) -> bool:
        """Evaluate a flag."""
        return bool(self.compile(flag)(world, world if after is None else after, env or {}))


@dataclass(slots=True)
class Graph:
    """All worlds of a model, each with its steps and how far it is from the first one."""

    brute: Brute
    steps: dict[World, list[tuple[Label, World]]] = field(default_factory=dict)
    far: dict[World, int] = field(default_factory=dict)
    exit: int | None = None
    """How many steps lead to the nearest one that leaves a domain, which is the last that is taken."""

    @property
    def generated(self) -> int:
        """How many steps were taken, the first worlds included."""
        return len(set(self.brute.starts.values())) + sum(map(len, self.steps.values()))

    @property
    def depth(self) -> int:
        """How many worlds lie on the longest of the shortest ways."""
        return 1 + max(self.far.values())

    def find_shortest(self, prop: Property) -> int | None:
        """Give the length of the shortest story to a violation (or to a ``sometimes``); None without one."""
        flag = self.brute.compile(prop.flag)
        if prop.kind == "step":
            wrong = [
                self.far[s] + 1
                for s, steps in self.steps.items()
                for (title, _), n in steps
                if not flag(s, n, {"by": title})
            ]
        else:
            wanted = prop.kind == "sometimes"
            wrong = [far for world, far in self.far.items() if bool(flag(world, world, {})) is wanted]
        return min(wrong, default=None)

    def find_stuck(self) -> int | None:
        """Give the length of the shortest story to a world that is stuck; None without one."""
        rest = self.brute.rest
        return min(
            (
                self.far[world]
                for world, steps in self.steps.items()
                if not steps and not (rest and rest(world, world, {}))
            ),
            default=None,
        )


def search(model: Described, most: int) -> Graph:
    """Visit every world; a model with more of them than one wants is refused."""
    brute = Brute(model)
    graph = Graph(brute, far=dict.fromkeys(brute.starts.values(), 0))
    level = list(graph.far)
    while level and graph.exit is None:
        following = []
        for world in level:
            graph.steps[world] = brute.list_steps(world)
            for _, after in graph.steps[world]:
                if not brute.is_inside(after):
                    graph.exit = graph.far[world] + 1
                elif after not in graph.far:
                    graph.far[after] = graph.far[world] + 1
                    following.append(after)
        if len(graph.far) > most:
            raise TooLargeError(f"seed {model.seed}: more than {most} worlds")
        level = following
    return graph


def count_orbits(graph: Graph) -> tuple[int, int, int]:
    """Count worlds, steps and depth where worlds that differ only by names are one."""
    rename = _list_renamings(graph.brute)
    seen: dict[World, int] = {}
    first: dict[World, World] = {}
    for world, far in graph.far.items():  # in the order of their distance
        if world not in first:
            seen[world] = far
            for renamed in rename:
                first.setdefault(renamed(world), world)
    first_worlds = {first[world] for world in graph.brute.starts.values()}
    generated = len(first_worlds) + sum(len(graph.steps[world]) for world in seen)
    return len(seen), generated, 1 + max(seen.values())


def _list_renamings(brute: Brute) -> list[Callable[[World], World]]:
    model = brute.model
    sets = [one for one in model.sets if not one.is_index]
    choices = product(*[list(permutations(range(one.length))) for one in sets])
    return [
        _make_renaming(brute, {one.name: order for one, order in zip(sets, orders, strict=True)})
        for orders in choices
    ]


def _make_renaming(brute: Brute, orders: dict[str, tuple[int, ...]]) -> Callable[[World], World]:
    model = brute.model

    def rename_value(of: str, value: int) -> int:
        return orders[of][value] if of in orders and value >= 0 else value

    def rename_part(number: int, cells: tuple[int, ...]) -> tuple[int, ...]:
        part = model.parts[number]
        places = list(product(*[range(brute.lengths[of]) for of in part.index]))
        moved: dict[tuple[int, ...], int] = {}
        for place, value in zip(places, cells, strict=True):
            target = tuple(rename_value(of, member) for of, member in zip(part.index, place, strict=True))
            moved[target] = rename_value(part.domain.members, value) if part.domain.members else value
        return tuple(moved[place] for place in places)

    def rename(world: World) -> World:
        cut = len(model.parts)
        parts = [rename_part(number, cells) for number, cells in enumerate(world[:cut])]
        lines = [
            tuple(rename_value(of, member) for member in line)
            for (_, of), line in zip(model.queues, world[cut:], strict=True)
        ]
        return (*parts, *lines)

    return rename


# promises


def is_promise_kept(graph: Graph, prop: Property) -> bool:
    """Tell whether an ``eventually`` comes true on every fair path, for each value of its arguments."""
    brute = graph.brute
    names = [name for name, _ in prop.arguments]
    cases = product(*[range(brute.lengths[of]) for _, of in prop.arguments])
    return not any(_is_broken(graph, prop, dict(zip(names, case, strict=True))) for case in cases)


def _is_broken(graph: Graph, prop: Property, env: Env) -> bool:
    flag = graph.brute.compile(prop.flag)
    goals = {world for world in graph.steps if flag(world, world, env)}
    if prop.given is None:
        waiting = list(graph.brute.starts.values())
    else:
        given = graph.brute.compile(prop.given)
        waiting = [world for world in graph.steps if given(world, world, env)]
    owing: set[World] = set()
    while waiting:
        world = waiting.pop()
        if world not in owing and world not in goals:
            owing.add(world)
            waiting += [after for _, after in graph.steps[world]]
    return has_fair_stay(graph, owing)


def has_fair_stay(graph: Graph, worlds: set[World]) -> bool:
    """Tell whether some fair path can stay within these worlds for ever, or end in one of them."""
    return any(_is_fair(graph, part) for part in list_components(graph, worlds))


def _is_fair(graph: Graph, part: set[World]) -> bool:
    possible = {world: _list_groups(graph, world) for world in part}
    happens = {
        group
        for world in part
        for label, after in graph.steps[world]
        if after in part and after != world
        for group in [_find_group(graph, label)]
        if group
    }
    everywhere = set.intersection(*possible.values())
    if everywhere - happens:
        return False
    strong = {rule.title for rule in graph.brute.model.rules if rule.fairness == "strong"}
    owed = {group for group in set.union(*possible.values()) - happens if group[0] in strong}
    if not owed:
        return True
    return has_fair_stay(graph, {world for world in part if not possible[world] & owed})


def _list_groups(graph: Graph, world: World) -> set[Label]:
    groups = (_find_group(graph, label) for label, after in graph.steps[world] if after != world)
    return {group for group in groups if group is not None}


def _find_group(graph: Graph, label: Label) -> Label | None:
    rule = next(one for one in graph.brute.model.rules if one.title == label[0])
    if rule.fairness is None:
        return None
    names = [name for name, _ in rule.arguments]
    return rule.title, tuple(label[1][names.index(name)] for name in rule.each)


def list_components(graph: Graph, worlds: set[World]) -> list[set[World]]:  # noqa: C901 -- two passes
    """List the largest sets of worlds that can be reached from each other, single worlds included."""
    order: list[World] = []
    seen: set[World] = set()
    for root in worlds:
        stack: list[tuple[World, Any]] = [] if root in seen else [(root, iter(graph.steps[root]))]
        seen.add(root)
        while stack:
            world, left = stack[-1]
            after = next((n for _, n in left if n in worlds and n not in seen), None)
            if after is None:
                order.append(world)
                stack.pop()
            else:
                seen.add(after)
                stack.append((after, iter(graph.steps[after])))
    before: dict[World, list[World]] = {world: [] for world in worlds}
    for world in worlds:
        for _, after in graph.steps[world]:
            if after in worlds:
                before[after].append(world)
    parts: list[set[World]] = []
    placed: set[World] = set()
    for root in reversed(order):
        if root in placed:
            continue
        part, waiting = {root}, [root]
        placed.add(root)
        while waiting:
            for world in before[waiting.pop()]:
                if world not in placed:
                    placed.add(world)
                    part.add(world)
                    waiting.append(world)
        parts.append(part)
    return parts
