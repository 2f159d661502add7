"""Random models drawn from a seed, as data.

Names come from Nomad's words, and from those that engines use for themselves, that Python and solvers
keep for themselves, or that a rule's own parameters bear: whoever mixes them up is found out. Values are
written so that no cell leaves its domain: an effect either fits by what it is, or the guard says so.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from tests.audit.described import Described, Domain, Effect, Expr, Part, Property, Rule, Set

NAMES = (
    *("counted", "place0", "asked0", "s", "t", "n", "store", "select", "stage", "busy", "token", "got"),
    *("class_", "lambda_", "if_", "None_", "assert_", "forall", "let", "distinct", "Int", "Bool", "x0", "w"),
    *("cell0", "before", "after", "world", "packed", "step0", "argument0", "sum0", "total0", "least0", "k0"),
    *("rank", "ghost", "self_", "position", "g", "d1", "frame0", "Array", "head", "declare", "old", "new"),
)
SET_NAMES = ("jobs", "nodes", "workers", "place1", "counted0", "members", "s0", "t0")
ENGINE_NAMES = ("counted", "place0", "asked0")
"""What the proofs call what they bind themselves, or did so once."""
RULE_NAMES = ("take", "give_back", "asked1", "store_it", "go", "declare_fun", "push_on", "turn", "check_sat")
ARGUMENTS = ("x", "y", "who", "place2", "asked2", "by_", "self", "w1", "arg0")
PROPERTY_NAMES = ("is_fine", "counted1", "place3", "asked3", "goal", "define", "model", "verdict", "true_")


@dataclass(slots=True)
class _Scene:
    """What has been declared, and the variables that are bound where an expression is drawn."""

    random: Random
    sets: list[Set]
    parts: list[Part]
    queues: list[tuple[str, str]]
    tallies: list[tuple[str, str]]
    sizes: dict[str, int]
    when: str = "s"
    bound: list[tuple[str, str]] = field(default_factory=list)
    fresh: int = 0

    def list_vars(self, of: str) -> list[Expr]:
        """List the bound variables that go through a set."""
        return [("var", name) for name, members in self.bound if members == of]

    def find_index(self, part: Part) -> tuple[Expr, ...] | None:
        """Choose a variable for each index of a part; None where there is none."""
        index = []
        for of in part.index:
            choices = self.list_vars(of)
            if self.random.random() < 0.15:
                choices += self.list_ids(of)
            members = next(one for one in self.sets if one.name == of)
            if members.is_index and self.random.random() < 0.2:
                choices.append(("num", self.random.randrange(members.length)))
            if not choices:
                return None
            index.append(self.random.choice(choices))
        return tuple(index)

    def list_ids(self, of: str) -> list[Expr]:
        """List the cells without a table, and those at a bound variable, that hold an id of a set."""
        found: list[Expr] = []
        for part in self.parts:
            if part.domain.members == of and part.domain.kind in {"opt", "id"}:
                index = [self.list_vars(name) for name in part.index]
                if all(index):
                    found.append(
                        ("cell", part.name, tuple(self.random.choice(one) for one in index), self.when)
                    )
        return found


def draw(seed: int, *, is_counting: bool = False) -> Described:
    """Draw a model; one that counts has a table, a variable beside it, and properties of both."""
    random = Random(seed)
    names = random.sample(NAMES, len(NAMES))
    names = [name for name in names if name not in ENGINE_NAMES] if is_counting else names
    sets = _draw_sets(random)
    sets = [replace(one, is_index=False) for one in sets] if is_counting else sets
    sizes = {names.pop(): random.randint(1, 3)} if random.random() < 0.4 else {}
    parts = [_draw_part(random, names.pop(), sets, sizes) for _ in range(random.randint(2, 4))]
    if is_counting:
        parts = [*_draw_compared(random, names, sets[0].name), *parts[:2]]
    symmetric = [one for one in sets if not one.is_index]
    queues = [(names.pop(), symmetric[0].name)] if symmetric and random.random() < 0.3 else []
    counted = [part for part in parts if part.domain.kind in {"opt", "id"}]
    tallies = [(names.pop(), counted[0].name)] if counted and random.random() < 0.5 else []
    scene = _Scene(random, sets, parts, queues, tallies, sizes)
    rules = _draw_rules(scene, random.sample(RULE_NAMES, random.randint(3, 5)))
    properties = _draw_properties(scene, random.sample(PROPERTY_NAMES, 6))
    properties += _draw_counts(scene) if is_counting else []
    rest = _flag(scene, 2) if random.random() < 0.5 else None
    return Described(
        seed,
        tuple(sets),
        tuple(parts),
        tuple(queues),
        tuple(tallies),
        tuple(rules),
        tuple(properties),
        rest,
        sizes,
    )


def _draw_sets(random: Random) -> list[Set]:
    names = random.sample(SET_NAMES, 2)
    count = random.choice([1, 1, 2])
    return [
        Set(name, f"m{place}", random.choice([2, 2, 3]), random.random() < 0.25)
        for place, name in enumerate(names[:count])
    ]


def _draw_part(random: Random, name: str, sets: list[Set], sizes: dict[str, int]) -> Part:
    depth = random.choice([0, 1, 1, 1, 2] if all(one.length < 3 for one in sets) else [0, 1, 1])
    index = tuple(random.choice(sets).name for _ in range(depth))
    kind = random.choice(["flag", "flag", "upto", "counter", "enum", "opt", "opt"])
    of = random.choice(sets).name
    if kind in {"opt", "id"}:
        return Part(name, index, Domain(kind, members=of), -1)
    if kind == "counter" and sizes and random.random() < 0.5:
        bound, number = next(iter(sizes.items()))
        return Part(name, index, Domain(kind, number, bound), 0)
    high = 1 if kind == "flag" else random.randint(1, 2 if depth else 3)
    return Part(name, index, Domain(kind, high), random.choice([0, 0, high]) if kind != "counter" else 0)


# expressions


def _flag(scene: _Scene, depth: int) -> Expr:  # noqa: PLR0911 -- one for each kind of flag
    random = scene.random
    if depth <= 0:
        return _atom(scene)
    kind = random.choice(
        ["and", "or", "not", "implies", "iff", "all", "some", "atom", "atom", "compare", "ite"]
    )
    if kind in {"and", "or"}:
        return (kind, tuple(_flag(scene, depth - 1) for _ in range(random.randint(2, 3))))
    if kind == "not":
        return (kind, _flag(scene, depth - 1))
    if kind in {"implies", "iff"}:
        return (kind, _flag(scene, depth - 1), _flag(scene, depth - 1))
    if kind in {"all", "some"}:
        return _bind(scene, kind, lambda: _flag(scene, depth - 1))
    if kind == "compare":
        return (random.choice(["eq", "le", "lt", "ne"]), _number(scene, depth - 1), _number(scene, depth - 1))
    return _atom(scene)


def _bind(scene: _Scene, kind: str, body: Callable[[], Expr]) -> Expr:
    of = scene.random.choice(scene.sets).name
    scene.fresh += 1
    name = scene.random.choice(["i", "j", "k", "member", "place0_", "asked0_"]) + str(scene.fresh)
    scene.bound.append((name, of))
    inner = body()
    scene.bound.pop()
    return (kind, name, of, inner)


def _atom(scene: _Scene) -> Expr:
    random = scene.random
    if scene.queues and scene.when == "s" and random.random() < 0.2:
        queue, of = random.choice(scene.queues)
        chosen = scene.list_vars(of)
        if chosen and random.random() < 0.8:
            return (random.choice(["in", "heads"]), queue, random.choice(chosen))
        return ("empty", queue)
    part = random.choice(scene.parts)
    index = scene.find_index(part)
    if index is None:
        return _bind(scene, random.choice(["all", "some"]), lambda: _atom(scene))
    cell: Expr = ("cell", part.name, index, scene.when)
    if part.domain.kind == "flag":
        return cell
    if part.domain.kind in {"opt", "id"}:
        others = [("num", -1), *scene.list_vars(part.domain.members)]
        return (random.choice(["eq", "ne"]), cell, random.choice(others))
    number: Expr = ("num", random.randint(0, part.domain.high))
    if part.domain.kind == "counter" and part.domain.members and random.random() < 0.5:
        number = ("size", part.domain.members)
    if random.random() < 0.3:
        number = _number(scene, 0)
    return (random.choice(["eq", "ne", "le", "lt"]), cell, number)


def _number(scene: _Scene, depth: int) -> Expr:  # noqa: PLR0911 -- one for each kind of number
    random = scene.random
    kind = random.choice(
        ["num", "cell", "cell", "count", "count", "total", "plus", "minus", "ite", "min", "max", "tally"]
    )
    if kind in {"count", "total"} and depth > 0:
        if kind == "count":
            return _bind(scene, kind, lambda: _flag(scene, depth - 1))
        return _bind(scene, kind, lambda: _number(scene, depth - 1))
    if kind in {"plus", "minus", "min", "max"} and depth > 0:
        return (kind, _number(scene, depth - 1), _number(scene, depth - 1))
    if kind == "ite" and depth > 0:
        return (kind, _flag(scene, depth - 1), _number(scene, depth - 1), _number(scene, depth - 1))
    if kind == "tally" and scene.tallies and scene.when == "s":
        name, counted = scene.tallies[0]
        of = next(part.domain.members for part in scene.parts if part.name == counted)
        chosen = scene.list_vars(of)
        if chosen:
            return (kind, name, random.choice(chosen))
    numbers = [part for part in scene.parts if part.domain.kind in {"upto", "counter", "enum"}]
    part = random.choice(numbers) if numbers else None
    index = scene.find_index(part) if part else None
    if part is not None and index is not None and kind != "num":
        return ("cell", part.name, index, scene.when)
    return ("num", random.randint(0, 3))


# rules


def _draw_rules(scene: _Scene, names: list[str]) -> list[Rule]:
    return [_draw_rule(scene, name) for name in names]


def _draw_rule(scene: _Scene, name: str) -> Rule:
    random = scene.random
    arguments = tuple(
        (argument, random.choice(scene.sets).name)
        for argument in random.sample(ARGUMENTS, random.choice([0, 1, 1, 2]))
    )
    scene.bound = list(arguments)
    guard: list[Expr] = [_flag(scene, random.choice([0, 0, 1, 2]))] if random.random() < 0.6 else [("true",)]
    effects: list[Effect] = []
    for part in random.sample(scene.parts, random.randint(1, min(3, len(scene.parts)))):
        found = _draw_effect(scene, part, guard)
        effects += [found] if found else []
    if scene.queues and random.random() < 0.6:
        effects += _draw_queueing(scene, guard)
    if not effects:
        effects = [_fill(scene, scene.parts[0])]
    scene.bound = []
    fairness = random.choice([None, "weak", "weak", "strong"])
    each = tuple(argument for argument, _ in arguments if random.random() < 0.5) if fairness else ()
    return Rule(name, arguments, tuple(guard), tuple(effects), fairness, each)


def _fill(scene: _Scene, part: Part) -> Effect:
    return Effect(
        "fill" if part.index else "set",
        part.name,
        (),
        ("num", part.init) if part.domain.kind != "flag" else _constant(part.init),
    )


def _constant(flag: int) -> Expr:
    return ("true",) if flag else ("not", ("true",))


def _draw_effect(scene: _Scene, part: Part, guard: list[Expr]) -> Effect | None:
    random = scene.random
    if part.index and random.random() < 0.1:
        return _fill(scene, part)
    loop = None
    if part.index and random.random() < 0.2:
        loop = ("each0", part.index[0])
        scene.bound.append(loop)
    choices: list[list[Expr]] = [scene.list_vars(of) for of in part.index]
    if loop:
        choices[0] = [("var", "each0")]
    found = None
    if all(choices):
        index = [random.choice(one) for one in choices]
        cell: Expr = ("cell", part.name, tuple(index), "s")
        condition = _flag(scene, 1) if random.random() < 0.3 else None
        value = _draw_value(scene, part, cell, [] if loop or condition else guard)
        found = Effect("each" if loop else "set", part.name, tuple(index), value, condition, loop)
    if loop:
        scene.bound.pop()
    return found


def _draw_value(scene: _Scene, part: Part, cell: Expr, guard: list[Expr]) -> Expr:  # noqa: PLR0911 -- one for each kind of value
    """Draw a value that stays in the domain; what is added may need a condition in the guard."""
    random = scene.random
    kind, high = part.domain.kind, part.domain.high
    top: Expr = ("size", part.domain.members) if kind == "counter" and part.domain.members else ("num", high)
    if kind == "flag":
        return random.choice([("true",), ("not", ("true",)), ("not", cell), _flag(scene, 1)])
    if kind in {"opt", "id"}:
        return random.choice([("num", -1), *scene.list_vars(part.domain.members) * 2])
    choice = random.randint(0, 4)
    if choice == 0 and guard:
        guard.append(("lt", cell, top))
        return ("plus", cell, ("num", 1))
    if choice == 1:
        return ("ite", ("lt", cell, top), ("plus", cell, ("num", 1)), ("num", 0))
    if choice == 2:
        return ("max", ("num", 0), ("min", top, _number(scene, 1)))
    if choice == 3:
        return ("ite", ("lt", ("num", 0), cell), ("minus", cell, ("num", 1)), cell)
    return ("num", random.randint(0, 1 if kind == "counter" else high))


def _draw_queueing(scene: _Scene, guard: list[Expr]) -> list[Effect]:
    random = scene.random
    queue, of = scene.queues[0]
    chosen = scene.list_vars(of)
    if not chosen:
        return []
    member, kind = random.choice(chosen), random.choice(["push", "push", "pop", "remove"])
    if kind == "push":
        guard.append(("not", ("in", queue, member)))
    elif kind == "pop":
        guard.append(("heads", queue, member))
    return [Effect(kind, queue, (member,))]


# properties


def _draw_properties(scene: _Scene, names: list[str]) -> list[Property]:
    kinds = ["always", "always", "step", "sometimes", "eventually", "eventually"]
    return [_draw_property(scene, name, kind) for name, kind in zip(names, kinds, strict=True)]


def _draw_compared(random: Random, names: list[str], of: str) -> list[Part]:
    """Draw a variable and a table of the same domain, so that what the table holds is like the variable."""
    domain = random.choice([Domain("opt", members=of), Domain("upto", random.randint(1, 3))])
    return [
        Part(random.choice(ENGINE_NAMES), (), domain, domain.low),
        Part(names.pop(), (of,), domain, domain.low),
    ]


def _draw_counts(scene: _Scene) -> list[Property]:
    """Draw properties that count cells by the variable beside them; whoever takes that for the cell's own
    place, or for what is counted, proves them.
    """
    random = scene.random
    variable, table = scene.parts[0], scene.parts[1]
    of, is_id = table.index[0], table.domain.kind == "opt"
    cell: Expr = ("cell", table.name, (("var", "i0"),), "s")
    beside: Expr = ("cell", variable.name, (), "s")
    relation = "eq" if is_id else random.choice(["eq", "le", "lt"])
    number: Expr = ("num", random.randint(0, 2))
    count: Expr = ("count", "i0", of, (relation, cell, beside))
    own: Expr = (relation, cell, ("var", "i0") if is_id else number)
    total: Expr = ("total", "i0", of, ("ite", (relation, cell, beside), number, ("num", 1)))
    return [
        Property(
            "count_is_fine", "always", (random.choice(["le", "ne"]), *random.sample([count, number], 2))
        ),
        Property("own_is_counted", "always", ("implies", ("some", "i0", of, own), ("le", ("num", 1), count))),
        Property("counts_agree", "always", ("le", *random.sample([("count", "i0", of, own), count], 2))),
        Property("sum_is_fine", "always", (random.choice(["le", "ne"]), *random.sample([total, number], 2))),
    ]


def _draw_property(scene: _Scene, name: str, kind: str) -> Property:
    random = scene.random
    if kind == "step":
        before = _flag(scene, 2)
        scene.when = "n"
        after = _flag(scene, 2)
        scene.when = "s"
        return Property(name, kind, ("implies", before, after))
    if kind == "eventually":
        arguments = (("case", random.choice(scene.sets).name),) if random.random() < 0.5 else ()
        scene.bound = list(arguments)
        given = _flag(scene, 1) if random.random() < 0.6 else None
        found = Property(name, kind, _flag(scene, 2), arguments, given)
        scene.bound = []
        return found
    flag = _flag(scene, 3)
    if kind == "always" and random.random() < 0.7:
        flag = ("or", (flag, _flag(scene, 2), _flag(scene, 2)))
    return Property(name, kind, flag)
