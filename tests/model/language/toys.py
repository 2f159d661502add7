"""A small world with one of everything, and short ways to write a model around one rule or property."""

from collections.abc import Callable
from enum import IntEnum
from textwrap import indent
from typing import Any

from nomadspec.model.language import domain, logic
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.domain import FLAG, NONE, SKIP, Map, counter, opt, upto
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property, always
from nomadspec.model.language.rule import Rule, rule
from nomadspec.model.language.world import World, field, ids, index, queue, size, tally
from nomadspec.model.specification import quirks


class Mood(IntEnum):
    CALM = 0
    CROSS = 1
    GONE = 2


class Shop(World):
    """Clerks who serve at desks."""

    clerks = ids("clerk", 2, "who serves")
    desks = ids("desk", 3, "where they serve")
    hours = size(2, "how long it is open")
    places = index("place", hours, "the hours in their order")
    most = size(3, "how often a customer asks")

    is_open = field(FLAG, init=True, about="the door is open")
    busy = field(clerks, FLAG, init=False, about="the clerk serves someone")
    mood = field(clerks, Mood, init=Mood.CALM, about="how the clerk feels")
    asked = field(upto(most), init=0, about="how often the customer asked")
    rang = field(counter(most), init=0, about="how often the bell rang", budget=True)
    desk = field(clerks, opt(desks), init=NONE, about="the clerk's desk")
    plan = field(clerks, places, opt(desks, SKIP), init=SKIP, about="which desk the clerk wants when")
    seen = field(clerks, desks, FLAG, init=False, about="the clerk has been at the desk")
    shown = field(desks, clerks, FLAG, init=False, about="the desk has had the clerk")
    dusty = field(desks, FLAG, init=False, about="nobody has been at the desk")
    line = queue(clerks, "who serves next")

    taken = tally(desk, "clerks at a desk")


class Place(World):
    """A world that is not the shop."""

    clerks = ids("clerk", 2, "clerks of their own")
    busy = field(clerks, FLAG, init=False, about="the clerk serves someone")


PLAN = Map(Shop.places, opt(Shop.desks))


@rule("X-1")
def idle(s: Shop, t: Shop) -> None:
    """Nothing happens."""
    t.is_open = s.is_open


def shop_of(*rules: Rule, properties: tuple[Property, ...] = (), **more: Any) -> Model:
    """Make a model of the shop."""
    return Model("shop", "a shop", Shop, rules, properties, **more)


def rule_of(text: Callable[..., Any], **arguments: Any) -> Rule:
    """Make a rule of a function, which need not have a docstring of its own."""
    text.__doc__ = text.__doc__ or "Something happens."
    return rule("X-1", **arguments)(text)


def load_rule(text: Callable[..., Any], **arguments: Any) -> BoundedModel:
    """Load the shop with one rule."""
    return shop_of(rule_of(text, **arguments)).at()


def compile_text(head: str, body: str) -> Any:
    """Make the function that a user's file ``shop.py`` would define: its head is line 1, its body follows."""
    names = {**vars(domain), **vars(logic), **vars(quirks), "Mood": Mood, "Shop": Shop}
    source = f"def {head}:\n{indent(body, '    ')}\n"
    exec(compile(source, "shop.py", "exec"), names)  # noqa: S102 - slips are easier to read as text
    return names[head.partition("(")[0]]


def load_rule_text(body: str) -> BoundedModel:
    """Load the shop with one rule ``serve`` over clerks, written as text."""
    return load_rule(compile_text("serve(s, t, c)", body), c=Shop.clerks)


def load_property_text(body: str) -> BoundedModel:
    """Load the shop with one property ``fine``, written as text."""
    prop = always("X-1", why="it matters")(compile_text("fine(s)", body))
    return shop_of(idle, properties=(prop,)).at()


def cells_of(bounded: BoundedModel, **values: int) -> Cells:
    """Take the declared first values and put others into cells: ``busy_clerk1`` is ``busy[clerk1]``."""
    names = [name.replace("[", "_").replace(", ", "_").rstrip("]") for name in bounded.frame.cell_names]
    cells = list(bounded.frame.first_cells())
    for name, value in values.items():
        cells[names.index(name)] = value
    return tuple(cells)


def run(bounded: BoundedModel, cells: Cells, *arguments: Any) -> dict[str, Any] | None:
    """Run the model's only rule, and name what it changes; None where its guard does not hold."""
    (text,) = bounded.model.rules
    instance = bounded.find_instance(text, arguments)
    after = bounded.step(cells, instance) if instance is not None else None
    if after is None:
        return None
    pairs = zip(bounded.frame.cell_names, cells, after, strict=True)
    return {name: new for name, old, new in pairs if new != old}
