"""The Python text of a random model: what is loaded is what a failure prints."""

from typing import Any

from tests.audit.described import Described, Domain, Effect, Expr, Part, Property, Rule, Set

_HEAD = '''"""Model of seed {seed}."""

from enum import IntEnum

from nomadspec.model.language.domain import FLAG, NONE, Map, counter, opt, upto
from nomadspec.model.language.logic import (
    all_of, any_of, count, exists, for_all, iff, implies, ite, maximum, minimum, not_, total,
)
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always, eventually, sometimes, step
from nomadspec.model.language.rule import rule, strong, weak
from nomadspec.model.language.world import World, field, ids, index, queue, size, tally
'''

_TWO = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "plus": "+", "minus": "-"}
_CALLS = {"min": "minimum", "max": "maximum", "implies": "implies", "iff": "iff", "not": "not_", "ite": "ite"}
_MANY = {"and": "all_of", "or": "any_of"}
_BOUND = {"all": "for_all", "some": "exists", "count": "count", "total": "total"}


def write_model(model: Described) -> str:
    """Write a model as a file that defines ``MODEL``."""
    blocks = [
        _HEAD.format(seed=model.seed),
        *(_write_enum(part) for part in model.parts if part.domain.kind == "enum"),
        *(_write_members(one) for one in model.sets if one.is_enum),
        _write_world(model),
        *(_write_rule(one, model) for one in (*model.rules, *model.starts)),
        *(_write_property(one) for one in model.properties),
        *([] if model.rest is None else [f"def is_over(s):\n    return {write(model.rest)}\n"]),
        _write_end(model),
    ]
    return "\n\n".join(blocks)


def write(expr: Expr) -> str:
    """Write an expression."""
    kind, *rest = expr
    if kind in _TWO:
        return f"({write(rest[0])} {_TWO[kind]} {write(rest[1])})"
    if kind in _CALLS:
        return f"{_CALLS[kind]}({', '.join(map(write, rest))})"
    if kind in _MANY:
        return f"{_MANY[kind]}({', '.join(map(write, rest[0]))})"
    if kind in _BOUND:
        name, of, body = rest
        return f"{_BOUND[kind]}({write(body)} for {name} in s.{of})"
    return _write_leaf(kind, rest)


def _write_leaf(kind: str, rest: list[Any]) -> str:
    if kind == "cell":
        name, index, when = rest
        return f"{when}.{name}" + (f"[{', '.join(map(write, index))}]" if index else "")
    if kind in {"in", "heads"}:
        return f"s.{rest[0]}.{'has' if kind == 'in' else 'head'}({write(rest[1])})"
    if kind in {"pick", "tally"}:
        return f"{'s.' if kind == 'tally' else ''}{rest[0]}[{write(rest[1])}]"
    if kind == "by":
        return f"by.is_({', '.join(rest[0])})"
    texts = {"empty": "s.{}.is_empty()", "size": "s.{}", "true": "True"}
    if kind == "num":
        return "NONE" if rest[0] == -1 else str(rest[0])
    return texts.get(kind, "{}").format(*rest)


def _write_members(one: Set) -> str:
    """Write an enum whose members are called as ids are, from 1 on."""
    lines = [f"    {one.label.upper()}{value + 1} = {value}" for value in range(one.length)]
    return "\n".join([f"class {one.name}(IntEnum):", *lines, ""])


def _write_enum(part: Part) -> str:
    lines = [f"    V{value} = {value}" for value in range(part.domain.high + 1)]
    return "\n".join([f"class {_enum_name(part)}(IntEnum):", *lines, ""])


def _enum_name(part: Part) -> str:
    return f"Enum{part.name.capitalize()}"


def _write_world(model: Described) -> str:
    lines = ["class Drawn(World):"]
    lines += [f'    {name} = size({number}, "a bound")' for name, number in model.sizes.items()]
    for one in (each for each in model.sets if not each.is_enum):
        if one.is_index:
            lines.append(f'    {one.name}_length = size({one.length}, "its length")')
            lines.append(f'    {one.name} = index("{one.label}", {one.name}_length, "an index")')
        else:
            lines.append(f'    {one.name} = ids("{one.label}", {one.length}, "a set")')
    for part in model.parts:
        index = "".join(f"{name}, " for name in part.index)
        init = bool(part.init) if part.domain.kind == "flag" else part.init
        lines.append(f'    {part.name} = field({index}{_write_domain(part)}, init={init}, about="a part")')
    lines += [f'    {name} = queue({of}, "a queue")' for name, of in model.queues]
    lines += [f'    {name} = tally({of}, "a tally")' for name, of in model.tallies]
    return "\n".join([*lines, ""])


def _write_domain(part: Part) -> str:
    domain: Domain = part.domain
    return {
        "flag": "FLAG",
        "upto": f"upto({domain.high})",
        "counter": f"counter({domain.members or domain.high})",
        "enum": _enum_name(part),
        "opt": f"opt({domain.members})",
        "id": domain.members,
    }[domain.kind]


def _write_argument(of: str, model: Described) -> str:
    if of.startswith("map "):
        return f"Map(Drawn.{of.removeprefix('map ')}, upto(1))"
    return of if model.find_set(of).is_enum else f"Drawn.{of}"


def _write_rule(one: Rule, model: Described) -> str:
    fair = f", fair={one.fairness}({', '.join(map(repr, one.each))})" if one.fairness else ""
    arguments = "".join(f", {name}={_write_argument(of, model)}" for name, of in one.arguments)
    named = "".join(f", {name}" for name, _ in one.arguments)
    lines = [
        f'@rule("Drawn!Rule"{fair}{arguments})',
        f"def {one.name}(s, t{named}):",
        '    """It happens."""',
    ]
    lines += [f"    t.require({write(flag)})" for flag in one.guard]
    for effect in one.effects:
        lines += _write_effect(effect)
    return "\n".join([*lines, ""])


def _write_effect(effect: Effect) -> list[str]:
    target = f"t.when({write(effect.condition)})" if effect.condition else "t"
    keys = ", ".join(map(write, effect.index))
    if effect.kind in {"push", "pop", "remove"}:
        return [f"    {target}.{effect.target}.{effect.kind}({keys})"]
    line = f"{target}.{effect.target}{f'[{keys}]' if keys else ''} = {write(effect.value)}"
    if effect.loop:
        return [f"    for {effect.loop[0]} in s.{effect.loop[1]}:", f"        {line}"]
    return [f"    {line}"]


def _write_property(one: Property) -> str:
    arguments = "".join(f", {name}=Drawn.{of}" for name, of in one.arguments)
    named = "".join(f", {name}" for name, _ in one.arguments)
    given = f", given=lambda s{named}: {write(one.given)}" if one.given is not None else ""
    faces = "s, n, by" if "by.is_(" in write(one.flag) else "s, n" if one.kind == "step" else "s"
    return (
        f'@{one.kind}("Drawn!Property", why="it was drawn"{given}{arguments})\n'
        f"def {one.name}({faces}{named}):\n    return {write(one.flag)}\n"
    )


def _write_end(model: Described) -> str:
    rules = ", ".join(one.name for one in model.rules)
    properties = ", ".join(one.name for one in model.properties)
    rest = "" if model.rest is None else ", is_at_rest=is_over"
    if model.starts:
        rest += f", starts=({', '.join(one.name for one in model.starts)},)"
    return (
        f'MODEL = Model("drawn", "drawn from seed {model.seed}", Drawn, ({rules},), ({properties},){rest})\n'
    )
