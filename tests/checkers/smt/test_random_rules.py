"""Random rules are read over sets of any size as they run."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nomadspec.checkers.smt.open_world import OpenWorld
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.logic import Value, all_of, any_of, count, exists, for_all, ite, not_
from nomadspec.model.language.rule import Rule, rule
from tests.checkers.smt.agreement import assert_step_agrees
from tests.checkers.smt.toys import Desk, begin, desk
from tests.checkers.smt.walks import list_reachable


@dataclass(frozen=True)
class Names:
    """What a statement can speak of: the worlds, the arguments, and the member of the loop around it."""

    s: Desk
    t: Desk
    one: Id
    other: Id
    shelf: Id
    here: Id


KEYS: dict[str, Callable[[Names], Value]] = {
    "one": lambda o: o.one,
    "other": lambda o: o.other,
    "here": lambda o: o.here,
    "by turn": lambda o: o.s.turns[o.one],
    "by turn of here": lambda o: o.s.turns[o.here] - 1,
}
FLAGS: dict[str, Callable[[Names, Value], Value]] = {
    "always": lambda _o, _x: True,
    "busy": lambda o, x: o.s.busy[x],
    "idle": lambda o, x: not_(o.s.busy[x]),
    "there": lambda o, x: o.s.at[x] == o.shelf,
    "marked": lambda o, x: exists(o.s.marked[x, i] == o.shelf for i in o.s.marks),
    "all idle": lambda o, x: for_all(any_of(y == x, not_(o.s.busy[y])) for y in o.s.clerks),
    "somebody there": lambda o, x: exists(all_of(y != x, o.s.at[y] == o.s.at[x]) for y in o.s.clerks),
    "waits": lambda o, x: o.s.line.has(x),
    "not first": lambda o, x: not_(o.s.line.head(x)),
    "named once": lambda o, x: o.s.named[o.s.at[x]] == 1,
}
PLACES: dict[str, Callable[[Names, Value], Value]] = {
    "none": lambda _o, _x: NONE,
    "shelf": lambda o, _x: o.shelf,
    "at": lambda o, x: o.s.at[x],
    "mark": lambda o, x: o.s.marked[x, 1],
    "either": lambda o, x: ite(o.s.busy[x], o.s.at[o.one], o.shelf),
}
EFFECTS: dict[str, Callable[[Names, Desk, Value, Value], object]] = {
    "go": lambda _o, t, x, place: t.at.__setitem__(x, place),
    "work": lambda _o, t, x, place: t.busy.__setitem__(x, place != NONE),
    "mark": lambda _o, t, x, place: t.marked.__setitem__((x, 0), place),
    "mark all": lambda o, t, x, place: [t.marked.__setitem__((x, i), place) for i in o.s.marks],
    "clear": lambda _o, t, x, place: t.marked.__setitem__(x, place),
    "copy": lambda o, t, x, _place: t.copied.__setitem__(x, o.s.marked[o.here]),
    "copy from one": lambda o, t, x, _place: t.copied.__setitem__(x, o.s.marked[o.one]),
    "copy table": lambda o, t, _x, _place: setattr(t, "copied", o.s.marked),
    "close": lambda _o, t, _x, place: setattr(t, "closed", place == NONE),
    "leave": lambda _o, t, x, _place: t.line.remove(x),
    "count": lambda o, t, _x, _place: setattr(
        t, "level", ite(count(o.s.marked[o.one, i] != NONE for i in o.s.marks) > 1, 1, 0)
    ),
}


MARKING = frozenset({"mark", "mark all", "clear"})
"""What moves the total of marks; a loop may move it by a sum, which is not always seen."""


@dataclass(frozen=True)
class Statement:
    """One statement: what it does, to whom, on what condition, once or for every clerk."""

    effect: str
    key: str
    flag: str
    flag_key: str
    place: str
    place_key: str
    loops: bool

    def run(self, names: Names) -> None:
        key, flag_key, place_key = (KEYS[name](names) for name in (self.key, self.flag_key, self.place_key))
        place = PLACES[self.place](names, place_key)
        writer = names.t.when(FLAGS[self.flag](names, flag_key))
        EFFECTS[self.effect](names, writer, key, place)


def make_rule(guard: str, body: Sequence[Statement]) -> Rule:
    """Make a rule of random parts."""

    @rule("X", one=Desk.clerks, other=Desk.clerks, shelf=Desk.shelves)
    def happen(s: Desk, t: Desk, one: Id, other: Id, shelf: Id) -> None:
        """Something happens."""
        t.require(FLAGS[guard](Names(s, t, one, other, shelf, one), other))
        for statement in body:
            if statement.loops:
                for clerk in s.clerks:
                    statement.run(Names(s, t, one, other, shelf, clerk))
            else:
                statement.run(Names(s, t, one, other, shelf, one))

    return happen


def names_of(parts: Iterable[str]) -> st.SearchStrategy[str]:
    return st.sampled_from(sorted(parts))


STATEMENTS = st.builds(
    Statement,
    effect=names_of(EFFECTS),
    key=names_of(KEYS),
    flag=names_of(FLAGS),
    flag_key=names_of(KEYS),
    place=names_of(PLACES),
    place_key=names_of(KEYS),
    loops=st.booleans(),
)


def assert_rule_agrees(guard: str, body: Sequence[Statement], worlds: int, seed: int) -> None:
    changed = make_rule(guard, body)
    bounded = desk(begin, changed)
    world = OpenWorld(bounded)
    instances = [instance for instance in bounded.instances if instance.rule is changed]
    is_summed = any(each.loops and each.effect in MARKING for each in body)
    for cells in list_reachable(bounded, worlds, seed):
        for instance in instances:
            summed = frozenset({"named"} if is_summed else ())
            assert_step_agrees(bounded, world, cells, instance, summed=summed)


_PATIENT = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
pytestmark = pytest.mark.usefixtures("unread_texts", "ids_may_be_numbers")


@settings(max_examples=7, suppress_health_check=_PATIENT)
@given(guard=names_of(FLAGS), body=st.lists(STATEMENTS, min_size=1, max_size=3), seed=st.integers(0, 99))
def test_random_rules_agree_with_the_interpreter(guard: str, body: list[Statement], seed: int) -> None:
    assert_rule_agrees(guard, body, 1, seed)


@pytest.mark.deep
@settings(max_examples=400, suppress_health_check=_PATIENT)
@given(guard=names_of(FLAGS), body=st.lists(STATEMENTS, min_size=1, max_size=4), seed=st.integers(0, 99))
def test_many_random_rules_agree_with_the_interpreter(guard: str, body: list[Statement], seed: int) -> None:
    assert_rule_agrees(guard, body, 2, seed)
