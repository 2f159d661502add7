"""A plant, and what somebody who knows Python and not the language writes about it: each claim is false."""

import linecache
import operator
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import partial, reduce
from itertools import combinations, count, pairwise
from textwrap import indent
from typing import Any, Final

from nomadspec.model.language import domain, logic
from nomadspec.model.language.domain import FLAG, NONE, Id, counter, opt, upto
from nomadspec.model.language.logic import all_of, for_all, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property, always, step
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids, index, size


class Stage(IntEnum):
    """How a machine is."""

    IDLE = 0
    BUSY = 1
    BROKEN = 2


class Plant(World):
    """Machines in a row that break, and tools that they use."""

    many = size(3, "how many machines there are")
    machines = index("machine", many, "the machines, from left to right")
    tools = ids("tool", 2, "what machines use")
    stage = field(machines, Stage, init=Stage.IDLE, about="how the machine is")
    heat = field(machines, upto(3), init=0, about="how hot it is")
    on = field(tools, FLAG, init=False, about="the tool is switched on")
    tool = field(machines, opt(tools), init=NONE, about="what the machine uses")
    made = field(counter(3), init=0, about="what was made")


@rule("P-1", machine=Plant.machines)
def begin(s: Plant, t: Plant, machine: Id) -> None:
    """A machine begins to work, and gets hotter."""
    t.require(s.stage[machine] == Stage.IDLE)
    t.stage[machine] = Stage.BUSY


@rule("P-2", machine=Plant.machines)
def finish(s: Plant, t: Plant, machine: Id) -> None:
    """A machine makes something and is idle again."""
    t.require(s.stage[machine] == Stage.BUSY, s.made < 3, s.heat[machine] < 3)
    t.stage[machine] = Stage.IDLE
    t.heat[machine] = s.heat[machine] + 1
    t.made = s.made + 1


@rule("P-3", machine=Plant.machines)
def fail(s: Plant, t: Plant, machine: Id) -> None:
    """A machine that works breaks."""
    t.require(s.stage[machine] == Stage.BUSY)
    t.stage[machine] = Stage.BROKEN


@rule("P-4", tool=Plant.tools)
def switch(s: Plant, t: Plant, tool: Id) -> None:
    """A tool is switched on."""
    t.require(not_(s.on[tool]))
    t.on[tool] = True


@rule("P-5", machine=Plant.machines, tool=Plant.tools)
def take(s: Plant, t: Plant, machine: Id, tool: Id) -> None:
    """A machine takes a tool."""
    t.require(s.tool[machine] == NONE, s.on[tool])
    t.tool[machine] = tool


RULES: Final = (begin, finish, fail, switch, take)

HELPERS: Final = """
CALLS = []
SEEN = set()
TIMES = {"read": 0}
COUNTER = count()
NEXT = {0: 1, 1: 2, 2: 0}
BAD = {Stage.BROKEN}
OK = (0, 1)

class Policy:
    calls = 0
    def allows(self, s, m):
        return s.stage[m] is not Stage.BROKEN

class Memory:
    def __init__(self):
        self.times = 0
    def ask(self, s, m):
        self.times += 1
        return s.stage[m] != Stage.BROKEN if self.times > 20 else True

POLICY = Policy()
MEMORY = Memory()

def is_broken(s, m):
    return s.stage[m] is Stage.BROKEN

def is_broken_or(s, m, otherwise=False):
    try:
        return True if s.stage[m] == Stage.BROKEN else otherwise
    except Exception:
        return otherwise

def grows(s, m, seen=[]):
    seen.append(m)
    return len(seen) > 6

def never(kind):
    return lambda s, m: not_(s.stage[m] is kind)

@dataclass
class Pair:
    left: object
    right: object
"""


def write_claim(body: str, head: str = "claim(s)", file: str = "plant.py") -> Callable[..., Any]:
    """Make the function that a user's file would define."""
    names: dict[str, Any] = {**vars(domain), **vars(logic), "Stage": Stage, "Plant": Plant, "random": random}
    names["__name__"] = "plant"
    names |= {"operator": operator, "time": time, "partial": partial, "reduce": reduce, "count_up": count}
    names |= {"combinations": combinations, "pairwise": pairwise, "dataclass": dataclass}
    names |= {each.text.__name__: each for each in RULES}
    helpers = HELPERS.replace("count()", "count_up()")
    source = f"def {head}:\n{indent(body, '    ')}\n\n{helpers}"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), names)  # noqa: S102 - slips are easier to read as text
    claim: Callable[..., Any] = names[head.partition("(")[0]]
    return claim


def model_about(*properties: Property, **more: Any) -> Model:
    """Make the model of the plant that is asked about some claims."""
    return Model("plant", "machines that break", Plant, RULES, properties, is_at_rest=rests, **more)


def rests(s: Plant) -> logic.Value:
    """True while the plant may rest anywhere."""
    return for_all(all_of(s.heat[m] >= 0) for m in s.machines)


def claim_always(body: str, file: str = "plant.py", name: str = "claim") -> Property:
    """Make a claim about worlds."""
    return always("P-1", why="it is false on purpose")(write_claim(body, f"{name}(s)", file))


def claim_of_steps(body: str, file: str = "plant.py", name: str = "claim") -> Property:
    """Make a claim about steps."""
    return step("P-1", why="it is false on purpose")(write_claim(body, f"{name}(s, n, by)", file))
