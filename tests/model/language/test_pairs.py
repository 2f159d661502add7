import pytest

from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import StyleError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import FLAG
from nomadspec.model.language.logic import Value, all_of, for_all, implies, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.pairs import Ask, Heard, Heeded, PairTexts, expect_flag
from nomadspec.model.language.property import By, Kind, Property, step
from nomadspec.model.language.rule import rule
from nomadspec.model.language.term import Term, is_same
from nomadspec.model.language.trace import TracedInstance
from nomadspec.model.language.world import World, field, ids


class Hall(World):
    """Doors that are opened and shut."""

    doors = ids("door", 3, "what opens")
    is_open = field(doors, FLAG, init=False, about="the door is open")
    is_dark = field(FLAG, init=True, about="no light is on")


@rule("H-4")
def open_the_window(s: Hall, t: Hall) -> None:
    """Open a window, of which the model knows nothing."""
    t.is_dark = not_(s.is_dark)


@rule("H-1", door=Hall.doors)
def unlock(s: Hall, t: Hall, door: Value) -> None:
    """Open a door that is shut."""
    t.require(not_(s.is_open[door]))
    t.is_open[door] = True


@rule("H-2", door=Hall.doors)
def swing(s: Hall, t: Hall, door: Value) -> None:
    """Move a door."""
    t.is_open[door] = not_(s.is_open[door])


@rule("H-3")
def light_up(s: Hall, t: Hall) -> None:
    """Turn the light on."""
    t.is_dark = False


def trace(prop: Property, *, times: list[str] | None = None) -> tuple[BoundedModel, tuple[Value, ...]]:
    """Trace a property for the three doors of both rules, and for the light."""
    bounded = Model("hall", "a hall", Hall, (unlock, swing, light_up), (prop,)).at()
    if times is not None:
        times.clear()
    return bounded, bounded.trace_steps(prop)


def cells_of(bounded: BoundedModel, *names: str) -> list[Value]:
    return [bounded.cell_terms[bounded.frame.cell_names.index(name)] for name in names]


@step("H-1", why="doors stay open")
def open_stays_open(s: Hall, n: Hall) -> Value:
    """An open door is never shut."""
    return for_all(implies(s.is_open[door], n.is_open[door]) for door in s.doors)


def test_what_a_step_leaves_alone_says_nothing() -> None:
    bounded, values = trace(open_stays_open)
    doors = cells_of(bounded, "is_open[door1]", "is_open[door2]", "is_open[door3]")

    assert values[6] is True
    assert all(is_same(not_(door), value) for door, value in zip(doors, values[3:6], strict=True))


def test_what_a_guard_settles_is_known() -> None:
    assert [True] * 3 == list(trace(open_stays_open)[1][:3])


@pytest.mark.usefixtures("ids_may_be_numbers", "unread_texts")
def test_a_text_that_asks_nothing_of_the_rule_is_traced_once() -> None:
    times: list[str] = []

    def counted(s: Hall, n: Hall, by: Value) -> Value:
        times.append("once")
        return implies(n.is_dark, s.is_dark)

    values = trace(step("H-3", why="it counts")(counted), times=times)[1]

    assert ([], [True] * 7) == (times, list(values))


@pytest.mark.usefixtures("ids_may_be_numbers", "unread_texts")
def test_a_text_is_traced_once_for_each_answer_about_the_rule() -> None:
    heard: list[tuple[bool, int | None]] = []

    def opens_its_own(s: Hall, n: Hall, by: By) -> Value:
        is_door = not by.is_(light_up)
        heard.append((is_door, by["door"] if is_door else None))
        return all_of(n.is_open[by["door"]], not_(s.is_open[by["door"]])) if is_door else n.is_dark

    bounded, values = trace(step("H-1", why="it asks")(opens_its_own))
    (door2,) = cells_of(bounded, "is_open[door2]")

    assert {(True, 0), (True, 1), (True, 2), (False, None)} == set(heard)
    assert 4 == len(heard)
    assert (True, False) == (values[1], values[6])
    assert is_same(not_(door2), values[4])


@pytest.mark.usefixtures("unread_texts")
def test_a_text_in_style_for_certain_instances_only_is_traced_for_each() -> None:
    times: list[int] = []

    def looks(s: Hall, n: Hall, by: By) -> Value:
        times.append([by.is_(rule) for rule in (unlock, swing, light_up)].index(True))
        return not n.is_dark if by.is_(light_up) else s.is_dark == n.is_dark

    values = trace(step("H-3", why="Python's own not, where the value is known")(looks))[1]

    assert [True] * 7 == list(values)
    assert {0, 1, 2} == set(times)


def test_what_is_said_of_two_worlds_apart_knows_nothing_of_the_step() -> None:
    bounded = find_model("2pc").at(profile="nomad-2.0")
    (prop, *_) = bounded.model.list_properties(Kind.ALWAYS)
    apart = bounded.pairs.read_apart(prop, bounded.traced[0])

    assert isinstance(apart, Term)
    assert all(cell >= len(bounded.cell_terms) for cell in apart.reads)


def test_what_needs_to_know_the_step_is_not_said_of_two_worlds_apart() -> None:
    def looks(s: Hall, n: Hall, by: By) -> Value:
        return not n.is_dark if by.is_(light_up) else s.is_dark == n.is_dark

    prop = step("H-3", why="Python's own not, where the value is known")(looks)
    bounded = trace(prop)[0]

    assert bounded.pairs.read_apart(prop, bounded.traced[-1]) is None
    assert bounded.pairs.read_apart(prop, bounded.traced[0]) is not None


def test_a_slip_is_blamed_on_the_property() -> None:
    def slips(s: Hall, n: Hall) -> Value:
        return s.is_dark and n.is_dark

    with pytest.raises(StyleError, match=r"^Property slips .*: a rule or property may not branch"):
        trace(step("H-3", why="it slips")(slips))


def test_asking_for_what_a_rule_does_not_have_is_blamed_on_the_property() -> None:
    def asks(s: Hall, n: Hall, by: By) -> Value:
        return s.is_open[by["door"]]

    with pytest.raises(StyleError, match=r"^Property asks .* LightUp has no argument 'door'"):
        trace(step("H-3", why="it slips")(asks))


@pytest.mark.parametrize("answer", [3, "yes", None])
def test_an_answer_must_be_a_flag(answer: object) -> None:
    with pytest.raises(StyleError, match="where a flag was expected"):
        expect_flag(answer)


def test_what_is_another_now_is_found_anew() -> None:
    bounded, values = trace(open_stays_open)
    pairs = PairTexts(Hall, bounded.frame, bounded.cell_terms)
    shut = step("H-1", why="doors stay shut")(lambda s, n: for_all(not_(n.is_open[d]) for d in s.doors))
    other = Property("open_stays_open", *[getattr(shut, name) for name in Property.__slots__[1:]])
    of_fourth = bounded.traced[3]

    assert values[3] is pairs.read(open_stays_open, of_fourth)
    assert values[3] is pairs.read(other, of_fourth)
    assert values[3] is not pairs.without(["open_stays_open"], []).read(other, of_fourth)
    assert values[3] is pairs.without([], [3]).read(open_stays_open, of_fourth)


def test_what_is_asked_of_the_rule_is_remembered() -> None:
    heard = Heard(By(unlock, (1,)))

    assert (True, False, 1) == (heard.is_(unlock, swing), heard.is_(light_up), heard["door"])
    assert heard.arguments == (1,)
    assert [True, False, 1, (1,)] == list(heard.heard.values())


def test_the_name_of_a_rule_is_not_compared() -> None:
    def asks(s: Hall, n: Hall, by: By) -> Value:
        return for_all(not_(s.is_open[d]) for d in n.doors if by.rule.name != "light-up")

    with pytest.raises(StyleError, match=r"it asks for by\.rule, .* write by\.is_\(the_rule\)"):
        trace(step("H-3", why="it slips")(asks))


def test_a_flag_is_not_the_number_that_it_equals() -> None:
    heeded = Heeded()
    heeded.keep({Ask("argument", "door"): 1}, "one")
    kept = [heeded.find(By(unlock, (door,))) for door in (1, True)]

    assert [("one", True), (None, False)] == [(each.made, each.is_made) for each in kept]


def is_faultless(bounded: BoundedModel, traced: TracedInstance) -> bool:
    """Tell whether tracing knows that what an instance writes stays in its domains."""
    bounds = bounded.frame.intervals
    written = [(bounds[cell], value) for cell, value in traced.writes.items() if isinstance(value, Term)]
    return all(bound.low <= value.low <= value.high <= bound.high for bound, value in written)


@pytest.mark.parametrize(
    ("model", "scope", "every"),
    [("core", "small", 1), ("2pc", "small", 1), ("kernel", "external-triggers", 10)],
)
def test_it_is_what_tracing_for_the_instance_alone_gives(model: str, scope: str, every: int) -> None:
    bounded = bind_as_usual(find_model(model), scope)
    steps = bounded.model.list_properties(Kind.STEP)
    faultless = [traced for traced in bounded.traced[::every] if is_faultless(bounded, traced)]
    for traced in faultless:
        before = traced.before(bounded.cell_terms)
        worlds = bounded.world(before), bounded.world(traced.after(before))
        by = By(traced.instance.rule, traced.instance.arguments)
        read = [bounded.pairs.read(prop, traced) for prop in steps]

        assert all(is_same(prop(*worlds, by), value) for prop, value in zip(steps, read, strict=True))


def test_a_rule_that_the_model_does_not_have_is_not_asked_for() -> None:
    """No step would ever be it, so that what it implies would never be asked."""

    def says(s: Hall, n: Hall, by: By) -> Value:
        return implies(by.is_(open_the_window), n.is_dark != s.is_dark)

    with pytest.raises(StyleError, match=r"by\.is_ is asked for the rule OpenTheWindow, which"):
        trace(step("H-3", why="nobody is asked")(says))


def test_the_name_of_an_argument_is_not_among_the_arguments() -> None:
    def says(s: Hall, n: Hall, by: By) -> Value:
        return implies("door" in by.arguments, n.is_dark != s.is_dark)

    with pytest.raises(StyleError, match=r"it asks what is among by\.arguments, which are values"):
        trace(step("H-3", why="no value is a name")(says))
