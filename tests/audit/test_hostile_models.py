"""Models as users write them who know Python: each is refused by file and line, or every engine is right.

What is right is what Python says when it runs the text (plain.py).
"""

import linecache
from dataclasses import fields
from functools import cache
from textwrap import indent
from typing import Any, Final

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.smt import prove
from nomadspec.checkers.verdict import ProofResult, Verdict
from nomadspec.model.errors import ModelError
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import Property
from nomadspec.model.language.refinement import Refinement
from nomadspec.model.language.rule import Rule
from nomadspec.model.language.scope import Scope
from tests.audit.plain import Plain

PLANT: Final = '''"""Machines that break, and tools that they take."""

import functools
import random
import time
from enum import IntEnum
from itertools import combinations, pairwise

from nomadspec.model.language import logic
from nomadspec.model.language.domain import FLAG, NONE, SKIP, opt, upto
from nomadspec.model.language.logic import *
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids, index, size


class Stage(IntEnum):
    """How a machine is."""

    IDLE = 0
    BUSY = 1
    BROKEN = 2


class Place(IntEnum):
    """Where a tool is: the same numbers as stages, and other meanings."""

    BROKEN = 0
    SHELF = 1


class Plant(World):
    """Machines in a row, tools, and fields whose names an engine might have thought of, too."""

    many = size(3, "machines")
    asked0 = size(2, "how much is made")
    machines = index("machine", many, "machines")
    tools = ids("tool", 3, "tools")
    stage = field(machines, Stage, init=Stage.IDLE, about="stage")
    place0 = field(machines, opt(tools), init=NONE, about="which tool it has")
    where = field(tools, Place, init=Place.SHELF, about="where the tool is")
    on = field(tools, FLAG, init=False, about="the tool is on")
    counted = field(upto(asked0), init=0, about="how much was made")
    sum = field(FLAG, init=False, about="something was begun")


@rule("H-1", m=Plant.machines)
def begin(s, t, m):
    """A machine begins."""
    t.require(s.stage[m] == Stage.IDLE)
    t.stage[m] = Stage.BUSY
    t.sum = True


@rule("H-2", m=Plant.machines)
def finish(s, t, m):
    """A machine makes something."""
    t.require(s.stage[m] == Stage.BUSY, s.counted < s.asked0)
    t.stage[m] = Stage.IDLE
    t.counted = s.counted + 1


@rule("H-3", m=Plant.machines)
def fail(s, t, m):
    """A machine breaks."""
    t.require(s.stage[m] == Stage.BUSY)
    t.stage[m] = Stage.BROKEN


@rule("H-4", tool=Plant.tools)
def switch(s, t, tool):
    """A tool is switched on."""
    t.require(not_(s.on[tool]))
    t.on[tool] = True


@rule("H-5", m=Plant.machines, tool=Plant.tools)
def take(s, t, m, tool):
    """A machine takes a tool."""
    t.require(s.place0[m] == NONE, s.on[tool])
    t.place0[m] = tool


NEXT = {0: 1, 1: 2, 2: 0}
BEFORE = (2, 0, 1)
ODD = {1}


class Most(int):
    def __gt__(self, other):
        return True


class Level(IntEnum):
    LOW = 0

    def __eq__(self, other):
        return False

    __hash__ = int.__hash__


MOST = Most(0)


def is_broken(s, m):
    return s.stage[m] == Stage.BROKEN


def are_not_both(s, a, b):
    return not_(all_of(is_broken(s, a), is_broken(s, b)))


def note(s, m, seen=[]):
    seen.append(m)
    return len(seen) > 40


class Calls:
    times = 0


def count_call():
    Calls.times += 1
    return Calls.times > 40


class Meter:
    read_so_far = [0]

    @property
    def read(self):
        self.read_so_far[0] += 1
        return self.read_so_far[0]

    def __getitem__(self, key):
        return self.read


METER = Meter()


def count_itself():
    count_itself.times = getattr(count_itself, "times", 0) + 1
    return count_itself.times > 40


def pair_up(members):
    last = None
    for member in members:
        if last is not None:
            yield last, member
        last = member


def is_free(place):
    return place is None


def hold_both(s, some):
    return all_of(for_all(s.stage[m] <= 2 for m in some), for_all(s.stage[m] != 2 for m in some))


def hold_for_pairs(s, pairs):
    low = for_all(s.stage[a] <= 2 for a, _ in pairs)
    return all_of(low, for_all(s.stage[b] != 2 for _, b in pairs))


def hold_in_loops(s, pairs):
    flags = [s.stage[a] <= 2 for a, _ in pairs]
    flags += [s.stage[b] != 2 for _, b in pairs]
    return all_of(*flags)


def hold_once(s, pairs):
    return for_all(are_not_both(s, a, b) for a, b in pairs)


def shift(members):
    return zip(members, range(1, 3))


CHECKS = [lambda s: s.stage[m] != Stage.BROKEN for m in range(3)]


def make_checks():
    return [lambda s: not_(is_broken(s, m)) for m in range(2)]


LATE = make_checks()


'''

REFUSED: Final = {
    "is": "return for_all(s.stage[m] is not Stage.BROKEN for m in s.machines)",
    "type": "return for_all(type(s.stage[m]) is int for m in s.machines)",
    "isinstance": "return not_(exists(isinstance(s.stage[m], Stage) for m in s.machines))",
    "in a literal": "return for_all(s.stage[m] in (0, 1) for m in s.machines)",
    "not in a set": "return for_all(s.stage[m] not in {Stage.BROKEN} for m in s.machines)",
    "truth": "return not s.sum",
    "truth of a table": "return bool(s.stage)",
    "and": "return not_(s.sum and s.counted == 1)",
    "chain": "return not_(exists(0 < s.stage[m] < 2 for m in s.machines))",
    "ternary": "return False if s.counted == 1 else True",
    "early return": "if s.counted == 1:\n    return False\nreturn True",
    "f-string": "return for_all(f'{s.stage[m]}' != 'BROKEN' for m in s.machines)",
    "str": "return for_all(str(s.stage[m]) != '2' for m in s.machines)",
    "name of a status": "return for_all(s.stage[m] != 'BROKEN' for m in s.machines)",
    "None for NONE": "return for_all(s.place0[m] == None for m in s.machines)",
    "is None": "return for_all(implies(s.stage[m] == 1, s.place0[m] is not None) for m in s.machines)",
    "branch on None": "for m in s.machines:\n    if s.place0[NEXT[m]] is None:\n        return False\n"
    "return True",
    "None by a name": "return for_all((place := s.place0[m]) is not None for m in s.machines)",
    "None by a variable": "place = s.place0[1]\nreturn place is not None",
    "None by a helper": "return for_all(not_(is_free(s.place0[m])) for m in s.machines)",
    "a scalar that is None": "return s.counted is not None",
    "ids of two sets": "return for_all(s.place0[m] == m for m in s.machines)",
    "dict by a value": "return for_all({0: True, 1: True, 2: False}[s.stage[m]] for m in s.machines)",
    "set of values": "return len({s.stage[m] for m in s.machines}) == 1",
    "id": "return for_all(id(s.stage[m]) > 0 for m in s.machines) is not None",
    "max": "return max(s.stage[m] for m in s.machines) < 2",
    "sorted": "return sorted([s.stage[m] for m in s.machines])[-1] < 2",
    "any": "return not any(s.stage[m] == Stage.BROKEN for m in s.machines)",
    "all": "return all(s.stage[m] != Stage.BROKEN for m in s.machines)",
    "walrus": "return not_((made := s.counted) and made == 1)",
    "match": "match s.counted:\n    case 1:\n        return False\n    case _:\n        return True",
    "mutable default": "return for_all(any_of(not_(note(s, m)), s.stage[m] != 2) for m in s.machines)",
    "counter in a class": "return any_of(not_(count_call()), s.counted == 0)",
    "counter in a function": "return any_of(not_(count_itself()), s.counted == 0)",
    "global": "global ODD\nODD = {2}\nreturn s.stage[1] == 0",
    "try": "try:\n    return not s.sum\nexcept Exception:\n    return True",
    "random": "return any_of(random.random() < 2, s.counted == 0)",
    "time": "return any_of(time.monotonic() > 0, s.counted == 0)",
    "one of many by number": "return not_(s.on[0])",
    "order of a set": "return for_all(any_of(a < b, not_(s.on[b])) for a in s.tools for b in s.tools)",
    "first of a set": "return not_(s.on[next(iter(s.tools))])",
    "generator twice": "bad = (is_broken(s, m) for m in s.machines)\n"
    "return none_of(exists(bad), for_all(bad))",
    "generator within two": "some = (m for m in s.machines)\n"
    "return all_of(for_all(s.stage[m] <= 2 for m in some), for_all(s.stage[m] != 2 for m in some))",
    "generator within two of a helper": "return hold_both(s, (m for m in s.machines))",
    "map twice": "bad = map(lambda m: is_broken(s, m), s.machines)\n"
    "return none_of(for_all(bad), exists(bad))",
    "zip twice": "two = zip(range(2), range(1, 3))\n"
    "return all_of(for_all(s.stage[m] <= 2 for m, _ in two), for_all(s.stage[o] != 2 for _, o in two))",
    "pairwise twice": "two = pairwise(s.machines)\n"
    "return all_of(for_all(s.stage[m] <= 2 for m, _ in two), for_all(s.stage[o] != 2 for _, o in two))",
    "zip twice by a helper": "return hold_for_pairs(s, zip(range(2), range(1, 3)))",
    "pairwise twice by a helper": "return hold_in_loops(s, pairwise(s.machines))",
    "zip that is kept, twice by a helper": "two = zip(range(2), range(1, 3))\n"
    "return hold_in_loops(pairs=two, s=s)",
    "zip of a helper twice": "two = shift(range(2))\n"
    "return all_of(*[s.stage[m] <= 2 for m, _ in two], *[s.stage[o] != 2 for _, o in two])",
    "own generator twice": "two = pair_up(s.machines)\n"
    "return all_of(*[s.stage[m] <= 2 for m, _ in two], *[s.stage[o] != 2 for _, o in two])",
    "zip in a tuple twice": "held = (zip(range(2), range(1, 3)), 1)\n"
    "return all_of(for_all(s.stage[m] <= 2 for m, _ in held[0]), "
    "for_all(s.stage[o] != 2 for _, o in held[0]))",
    "zip in a loop": "two = zip(range(2), range(1, 3))\nflags = []\n"
    "for m in s.machines:\n    for a, b in two:\n        flags += [any_of(s.stage[b] != 2, a == m)]\n"
    "return all_of(*flags)",
    "None first": "found = None\nfor m in s.machines:\n    if m == 1:\n        found = s.place0[m]\n"
    "return found is not None",
    "None first, by another name": "found = None\nfor place in [s.place0[m] for m in s.machines]:\n"
    "    last = place\n    found = last\nreturn found is not None",
    "generator within a loop": "some = (m for m in s.machines)\n"
    "return for_all(s.stage[o] <= 2 for m in s.machines for o in some)",
    "a flag on a line of its own": "s.stage[1] != Stage.BROKEN\nreturn s.counted <= 2",
    "a claim on a line of its own": "for_all(s.stage[m] != 2 for m in s.machines)\nreturn s.counted <= 2",
    "a claim of a module on a line of its own": "logic.for_all(s.stage[m] != 2 for m in s.machines)\n"
    "return s.counted <= 2",
    "a generator on a line of its own": "(s.stage[m] != 2 for m in s.machines)\nreturn s.counted <= 2",
    "a number with an order of its own": "return s.counted < MOST",
    "a member that equals nothing": "return not_(s.counted == Level.LOW)",
    "the one before the first": "return not_(exists(is_broken(s, m - 1) for m in s.machines))",
    "statuses of two enums": "return not_(exists(s.where[s.place0[m]] == s.stage[m] for m in s.machines))",
    "order of two enums": "return for_all(s.where[s.place0[m]] > s.stage[m] for m in s.machines)",
    "a choice of two enums": "return s.stage[0] != ite(s.sum, s.where[s.place0[0]], s.stage[1])",
    "an id that nobody has": "return not_(exists(s.place0[m] == SKIP for m in s.machines))",
    "a field as it is declared": "return Plant.counted != 2",
    "a table as it is declared": "return not_(Plant.stage == 2)",
    "a part that is missing": "return getattr(s.counted, 'real', 0) < 2",
    "a class that a property changes": "return any_of(s.counted < 2, METER.read > 30)",
    "a class that an index changes": "return any_of(s.counted < 2, METER[0] > 30)",
    "how many tools": "return len(s.tools) > 2",
    "half": "return s.counted <= s.asked0 / 4",
    "message": "return s.counted == 0, 'something was made'",
    "list of flags": "return all_of([s.stage[m] != 2 for m in s.machines])",
}
"""What is refused, whatever the engine: one sentence with file and line."""

READ: Final = {
    "plain": "return for_all(s.stage[m] != Stage.BROKEN for m in s.machines)",
    "topology": "return for_all(are_not_both(s, m, NEXT[m]) for m in s.machines)",
    "tuple by place": "return for_all(are_not_both(s, m, BEFORE[m]) for m in s.machines)",
    "places in a set": "return for_all(not_(is_broken(s, m)) for m in s.machines if m in ODD)",
    "a default that is None": "def ask(m, other=None):\n    if other is None:\n"
    "        return not_(is_broken(s, m))\n    return are_not_both(s, m, other)\n"
    "return all_of(ask(0), ask(0, 1))",
    "None in a table": "return for_all(not_(is_broken(s, m)) for m in s.machines if NEXT.get(m) is not None)",
    "get with a default": "return for_all(not_(is_broken(s, NEXT.get(m, 0))) for m in s.machines)",
    "largest place": "return not_(is_broken(s, max(s.machines)))",
    "closure over a loop": "return for_all(ask(s) for ask in CHECKS)",
    "closures that come late": "return for_all(ask(s) for ask in LATE)",
    "size in a branch": "if s.many == 3:\n    return s.counted < 2\nreturn True",
    "size in another branch": "return True if s.many != 3 else s.counted < 2",
    "size in a table": "return {3: s.counted < 2}.get(s.many, True)",
    "size by match": "match s.many:\n    case 3:\n        return s.counted < 2\n   "
    " case _:\n        return True",
    "worth of a member": "return for_all(s.stage[m] != Stage.BROKEN.value for m in s.machines)",
    "odd sizes": "return any_of(s.many % 2 == 0, s.counted < 2)",
    "sum": "return sum(as_number(is_broken(s, m)) for m in s.machines) < 2",
    "sum of comparisons": "return sum(is_broken(s, m) for m in s.machines) < 2",
    "loop": "found = False\nfor m in s.machines:\n    found = any_of(found, is_broken(s, m))\n"
    "return not_(found)",
    "cache": "@functools.cache\ndef is_second(m):\n    return m == 1\n"
    "return for_all(any_of(is_second(m), not_(is_broken(s, m))) for m in s.machines)",
    "two of a set": "return for_all(not_(all_of(s.on[a], s.on[b])) for a, b in combinations(s.tools, 2))",
    "the one before, in a ring": "return for_all(are_not_both(s, m, (m - 1) % s.many) for m in s.machines)",
    "the one before, in a row": "return for_all(are_not_both(s, m, m - 1) for m in s.machines if m > 0)",
    "neighbours": "return for_all(are_not_both(s, a, b) for a, b in pairwise(s.machines))",
    "own pairs": "return for_all(are_not_both(s, a, b) for a, b in pair_up(s.machines))",
    "pairs by a helper": "return hold_once(s, zip(range(2), range(1, 3)))",
    "a list of pairs twice": "two = list(zip(range(2), range(1, 3)))\nreturn hold_for_pairs(s, two)",
    "None before the first": "last = None\nflags = []\nfor m in s.machines:\n"
    "    if last is not None:\n        flags.append(are_not_both(s, last, m))\n    last = m\n"
    "return all_of(*flags)",
    "names": "return none_of(s.sum, s.counted == 1, exists(s.place0[m] != NONE for m in s.machines))",
    "what holds": "return for_all(implies(s.place0[m] != NONE, s.sum == s.sum) for m in s.machines)",
}
"""What is read: the engines say what Python says."""


def load_plant(body: str) -> Model:
    """Run the text of a user's file, in which one claim is different each time."""
    claim = '@always("H-6", why="somebody claims it")\ndef claim(s):\n    """Somebody claims it."""\n'
    rules = "RULES = (begin, finish, fail, switch, take)\n"
    end = 'MODEL = Model("plant", "a plant", Plant, RULES, (claim,), is_at_rest=lambda s: True)\n'
    return load(f"{PLANT}{claim}{indent(body, '    ')}\n\n\n{rules}{end}")


def load(text: str) -> Model:
    """Run the text of a file."""
    linecache.cache["hostile.py"] = (len(text), None, text.splitlines(keepends=True), "hostile.py")
    names: dict[str, Any] = {"__name__": "hostile"}
    exec(compile(text, "hostile.py", "exec"), names)  # noqa: S102 -- the text is ours
    made: Model = names["MODEL"]
    return made


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in REFUSED.items()])
def test_it_is_refused_in_a_sentence_with_file_and_line(body: str) -> None:
    with pytest.raises(ModelError, match=r"Property claim \(hostile\.py:\d+\): "):
        load_plant(body).at()


@pytest.mark.parametrize(
    "line",
    [
        "s.counted < 1",
        "all_of(s.counted < 1, s.sum)",
        "t.require",
        "(t.require(s.on[o]) for o in s.tools)",
        "t.when(s.counted < 1)",
    ],
)
def test_a_rule_drops_no_condition(line: str) -> None:
    """It looked as if the rule required it."""
    slipped = PLANT.replace("    t.on[tool] = True\n", f"    {line}\n    t.on[tool] = True\n")

    with pytest.raises(
        ModelError, match=r"Rule Switch \(hostile\.py:\d+\): it works out a value and drops it"
    ):
        load(f"{slipped}MODEL = Model('plant', 'a plant', Plant, (switch,))\n").at()


@pytest.mark.parametrize("word", ["and", "or"])
def test_a_rule_does_not_choose_what_it_requires(word: str) -> None:
    """With `and`, nobody asked for the second condition; `or` asked for both."""
    line = f"t.require(s.counted < 1) {word} t.require(*(s.on[o] for o in s.tools))"
    slipped = PLANT.replace("    t.on[tool] = True\n", f"    {line}\n    t.on[tool] = True\n")

    with pytest.raises(ModelError, match=r"Rule Switch \(hostile\.py:\d+\): it branches on t.require"):
        load(f"{slipped}MODEL = Model('plant', 'a plant', Plant, (switch,))\n").at()


@pytest.mark.parametrize("part", ["given", "keeps"])
def test_what_a_promise_is_given_or_keeps_is_read_as_well(part: str) -> None:
    """Such a text said yes wherever it was traced, so that the promise held whatever happened."""
    told = {"given": "lambda s: True", "keeps": "lambda s: True"}
    told[part] = "lambda s: s.stage[0] is not Stage.BROKEN"
    claim = PLANT.replace("import always", "import always, unless") + (
        f'@unless("H-6", why="somebody claims it", given={told["given"]}, keeps={told["keeps"]})\n'
        "def claim(s):\n    return s.sum == s.sum\n\n\n"
        'MODEL = Model("plant", "a plant", Plant, (begin, fail), (claim,), is_at_rest=lambda s: True)\n'
    )

    with pytest.raises(ModelError, match=r"property claim \(hostile\.py:\d+\): it compares with `is`"):
        load(claim).at()


READ_TEXTS: Final[dict[type[Any], set[str]]] = {
    Rule: {"text"},
    Property: {"text", "given", "keeps"},
    Model: {"is_at_rest"},
    Scope: {"constraint"},
    Refinement: {"text"},
}
"""What a user hands over as a function: each is read before it runs, and a hostile one is refused."""


@pytest.mark.parametrize("kind", READ_TEXTS)
def test_no_function_of_a_model_is_left_unread(kind: type[Any]) -> None:
    """A text that nobody read held wherever it was traced; a new one wants its own hostile test."""
    named = ("Callable", "Text", "Rest")  # the types of functions, as they are declared
    found = {each.name for each in fields(kind) if any(word in str(each.type) for word in named)}

    assert READ_TEXTS[kind] == found


SIZES: Final = {"many": 3, "asked0": 2, "tools": 2}


@cache
def find_shortest(body: str) -> int | None:
    """Find how soon a claim can be false, as Python says."""
    return Plain(load_plant(body), SIZES).find_shortest("claim")


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in READ.items()])
def test_every_engine_says_what_python_says(body: str) -> None:
    model = load_plant(body)
    bounded = model.at(sizes=SIZES)
    shortest = find_shortest(body)
    found: dict[str, int | None] = {}
    for reduction in ("none", "symmetry"):
        report = explore(bounded, reduction=reduction, properties=["claim"])
        found[reduction] = next((len(one.story.steps) for one in report.findings if one.story), None)
        assert (report.verdict is Verdict.HOLDS) is (shortest is None)
    sampled = simulate(bounded, seed=1, properties=["claim"])
    (proof, *_) = prove(bounded, properties=["claim"], bmc_steps=0).proofs
    is_proved = proof.result in {ProofResult.PROVED_UNBOUNDED, ProofResult.PROVED_BOUNDED}

    assert {"none": shortest, "symmetry": shortest} == found
    assert bool(sampled.findings) is (shortest is not None)
    assert shortest is None or not is_proved


def test_both_kinds_are_there() -> None:
    """A search that finds everything false, or nothing, would compare little."""
    found = [find_shortest(body) for body in READ.values()]

    assert {1, 2} < set(found)
    assert None in found
