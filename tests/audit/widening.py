"""What a drawn model gets on top: start rules, arguments that are enums and maps, ``by.is_``, domains left.

Drawn apart from the rest, so that the models of known seeds stay what they are.
"""

from dataclasses import replace
from random import Random

from tests.audit.described import Described, Effect, Expr, Part, Rule, Set

HUES = Set("Hues", "hue", 3, is_index=True, is_enum=True)


def widen(model: Described) -> Described:
    """Give a model start rules, an argument that is an enum, one that is a map, and a property of a rule."""
    random = Random(f"wider {model.seed}")
    model = replace(model, sets=(*model.sets, HUES))
    rules = [*model.rules]
    at = random.randrange(len(rules))
    rules[at] = _add_hue(random, model, rules[at])
    by_set = [part for part in model.parts if len(part.index) == 1]
    if by_set:
        rules.append(_make_mapping_rule(random, random.choice(by_set)))
    properties = [
        replace(prop, flag=("implies", ("by", _choose_rules(random, rules)), prop.flag[2]))
        if prop.kind == "step"
        else prop
        for prop in model.properties
    ]
    starts = tuple(_make_start(random, model, name) for name in ("begin", "begin_anew"))
    return replace(model, rules=tuple(rules), starts=starts, properties=tuple(properties))


def _choose_rules(random: Random, rules: list[Rule]) -> tuple[str, ...]:
    return tuple(rule.name for rule in random.sample(rules, random.randint(1, 2)))


def _add_hue(random: Random, model: Described, rule: Rule) -> Rule:
    hue: Expr = ("var", "hue")
    numbers = [part for part in model.parts if not part.index and part.domain.kind in {"upto", "enum"}]
    kept = [one for one in rule.effects if one.target not in {part.name for part in numbers[:1]}]
    written = [Effect("set", part.name, (), ("min", hue, ("num", part.domain.high))) for part in numbers[:1]]
    guard: Expr = random.choice([("ne", hue, ("num", 1)), ("lt", ("num", 0), hue), ("true",)])
    return replace(
        rule,
        arguments=(*rule.arguments, ("hue", HUES.name)),
        guard=(*rule.guard, guard),
        effects=tuple([*kept, *written] or rule.effects),
    )


def _make_mapping_rule(random: Random, part: Part) -> Rule:
    """Make a rule that writes a table by a map over its index, or forgets it."""
    (of,) = part.index
    picked: Expr = ("eq", ("pick", "to", ("var", "each1")), ("num", 1))
    here: Expr = ("cell", part.name, (("var", "each1"),), "s")
    first: Expr = _constant(part, part.init)
    other = part.init if part.domain.kind == "counter" else part.domain.low
    value: Expr = ("ite", picked, first, random.choice([here, _constant(part, other)]))
    if part.domain.kind == "flag":
        value = random.choice([picked, ("and", (picked, here)), ("or", (picked, here))])
    guard: Expr = random.choice(
        [("true",), ("some", "each2", of, ("eq", ("pick", "to", ("var", "each2")), ("num", 1)))]
    )
    effect = Effect("each", part.name, (("var", "each1"),), value, loop=("each1", of))
    return Rule("map_it", (("to", f"map {of}"),), (guard,), (effect,))


def _make_start(random: Random, model: Described, name: str) -> Rule:
    """Make a start rule that gives a part another first value, maybe one that its argument chooses."""
    part = random.choice(model.parts)
    if part.domain.kind in {"upto", "enum"} and part.domain.high >= 1:
        value: Expr = ("min", ("var", "hue"), ("num", part.domain.high))
        effect = Effect("fill" if part.index else "set", part.name, (), value)
        guard: Expr = random.choice([("true",), ("ne", ("var", "hue"), ("num", 2))])
        return Rule(name, (("hue", HUES.name),), (guard,), (effect,))
    first = random.choice([part.init, part.domain.low]) if part.domain.kind != "counter" else part.init
    filled = Effect("fill" if part.index else "set", part.name, (), _constant(part, first))
    return Rule(name, (), (("true",),), (filled,))


def _constant(part: Part, value: int) -> Expr:
    if part.domain.kind == "flag":
        return ("true",) if value else ("not", ("true",))
    return ("num", value)


def overflow(model: Described) -> Described | None:
    """Let one rule leave a domain: by a step too many, or by a constant; None where there is no such part."""
    random = Random(f"over {model.seed}")
    places = [
        (at, number)
        for at, rule in enumerate(model.rules)
        for number, effect in enumerate(rule.effects)
        if effect.kind in {"set", "fill"} and model.find_part(effect.target).domain.kind == "upto"
    ]
    if not places:
        return None
    at, number = random.choice(places)
    rule = model.rules[at]
    effect = rule.effects[number]
    part = model.find_part(effect.target)
    cell: Expr = ("cell", part.name, effect.index, "s")
    beyond: list[Expr] = [("num", part.domain.high + 1)]
    if effect.kind == "set":
        beyond += [("plus", cell, ("num", 1)), ("plus", cell, ("num", 2)), ("minus", cell, ("num", 1))]
    changed = replace(effect, value=random.choice(beyond))
    effects = (*rule.effects[:number], changed, *rule.effects[number + 1 :])
    rules = (*model.rules[:at], replace(rule, effects=effects), *model.rules[at + 1 :])
    return replace(model, rules=rules)
