import random
import re
import sys
from collections.abc import Iterator

import pytest

from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import DomainError, ModelError, StyleError
from nomadspec.model.language.bounded import BoundedModel, Cells
from nomadspec.model.language.domain import Id
from nomadspec.model.language.model import Model
from nomadspec.model.language.term import Term
from nomadspec.model.language.trace import blaming
from nomadspec.model.language.world import World, field, index, size
from tests.model.language.evaluate import evaluate
from tests.model.language.toys import (
    Shop,
    cells_of,
    compile_text,
    load_rule,
    load_rule_text,
    rule_of,
    shop_of,
)


def walk(bounded: BoundedModel, seed: int, length: int) -> Iterator[Cells]:
    """Walk at random through reachable worlds, from the start again where nothing can happen."""
    choose = random.Random(seed)
    cells = bounded.initial[0]
    for _ in range(length):
        yield cells
        after = [world for _, world in bounded.successors(cells) if world != cells]
        cells = choose.choice(after) if after else bounded.initial[0]


@pytest.mark.parametrize(
    ("name", "profile", "sizes"),
    [
        ("core", "intended", {"flips": 2}),
        ("core", "X-01", {"flips": 1, "cap": 1}),
        ("core", "X-02", {"jobs": 3, "count": 1}),
        ("core", "intended", {"nodes": 3, "workers": 1, "count": 3, "flips": 1}),
        ("2pc", "intended", {"rms": 4}),
        ("2pc", "X-03", {"rms": 3}),
    ],
)
@pytest.mark.parametrize("steps", [15, pytest.param(40, marks=pytest.mark.deep)])
def test_traces_say_what_the_interpreter_does(
    name: str, profile: str, sizes: dict[str, int], steps: int
) -> None:
    bounded = find_model(name).at("small", sizes=sizes, profile=profile)
    for cells in walk(bounded, 7, steps):
        for traced in bounded.traced:
            is_enabled = all(evaluate(term, cells) for term in traced.guard)
            after = tuple(evaluate(term, cells) for term in traced.after(cells)) if is_enabled else None

            assert bounded.step(cells, traced.instance) == after


@pytest.mark.parametrize(("name", "sizes"), [("core", {"flips": 1}), ("2pc", {"rms": 3})])
def test_properties_are_traced_as_they_are_evaluated(name: str, sizes: dict[str, int]) -> None:
    bounded = find_model(name).at("small", sizes=sizes, profile="intended")
    world = bounded.world(bounded.cell_terms)
    steps = [prop for prop in bounded.model.properties if prop.kind.value == "step"]
    terms = [
        (prop, case, prop(world, *case))
        for prop in bounded.model.properties
        for case in (bounded.list_cases(prop) if prop not in steps else [])
    ]
    for cells in walk(bounded, 11, 60):
        assert [bounded.holds(prop, cells, *case) for prop, case, _ in terms] == [
            evaluate(term, cells) for _, _, term in terms
        ]


def test_what_a_guard_settles_is_what_is_there_when_it_holds() -> None:
    bounded = find_model("core").at("small", sizes={"flips": 1}, profile="nomad-2.0")
    settled = [traced.before(bounded.cell_terms) for traced in bounded.traced]
    for cells in walk(bounded, 7, 40):
        for traced, known in zip(bounded.traced, settled, strict=True):
            if all(evaluate(term, cells) for term in traced.guard):
                assert cells == tuple(evaluate(term, cells) for term in known)

    assert any(not isinstance(value, Term) for known in settled for value in known)


def test_instances_are_numbered_in_the_order_of_rules_and_arguments() -> None:
    bounded = find_model("2pc").at("small", sizes={"rms": 2}, profile="nomad-2.0")

    assert list(range(len(bounded.instances))) == [instance.number for instance in bounded.instances]
    assert [
        ("CountPrepared", (0,)),
        ("CountPrepared", (1,)),
        ("DecideCommit", ()),
        ("DecideAbort", ()),
        ("Prepare", (0,)),
    ] == [(instance.rule.name, instance.arguments) for instance in bounded.instances[:5]]


def test_an_instance_that_can_never_happen_does_not_exist() -> None:
    bounded = find_model("core").at("small", sizes={"flips": 0}, profile="nomad-2.0")

    assert "FlipNode" not in {instance.rule.name for instance in bounded.instances}


def test_a_guard_is_a_list_of_conjuncts() -> None:
    (first, _) = load_rule_text("t.require(s.is_open, s.asked == 1)\nt.require(s.busy[c])").traced

    assert ["c0", "eq(c5, 1)", "c1"] == [repr(term) for term in first.guard]


@pytest.mark.parametrize(
    ("body", "guards"),
    [
        ("t.asked = 1", [[], []]),
        ("t.require(True)", [[], []]),
        ("t.require(any_of(s.is_open, s.busy[c]))", [["or(c0, c1)"], ["or(c0, c2)"]]),
        ("t.require(s.is_open)\nt.require(not_(s.is_open))", []),
        ("t.require(c == 1)", [[]]),
    ],
)
@pytest.mark.usefixtures("ids_may_be_numbers")
def test_guards_fold(body: str, guards: list[list[str]]) -> None:
    assert guards == [[repr(term) for term in traced.guard] for traced in load_rule_text(body).traced]


def test_only_cells_that_change_are_written() -> None:
    traced = load_rule_text("t.busy[c] = s.busy[c]\nt.asked = s.asked + 1\nt.is_open = True").traced[0]

    assert {0: "True", 5: "add(c5, 1)"} == {at: repr(term) for at, term in sorted(traced.writes.items())}


def test_the_cells_after_a_step_are_the_old_ones_but_for_the_writes() -> None:
    bounded = load_rule_text("t.asked = s.rang")
    cells = cells_of(bounded, rang=2)

    assert (*cells[:5], bounded.cell_terms[6], *cells[6:]) == bounded.traced[0].after(cells)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("t.require(s.busy[c])\nt.asked = [][1]", "IndexError: list index out of range."),
        ("t.require(s.busy[c])\nt.asked = {1: 2}[3]", "KeyError: 3."),
        (
            "t.require(s.busy[c])\nt.asked = next(n for n in (1, 2) if n > 2)",
            "StopIteration: without a word.",
        ),
        ("t.require(s.busy[c])\nt.asked = 1 // 0", "ZeroDivisionError: integer division or modulo by zero."),
    ],
)
def test_what_a_table_of_ones_own_does_not_have_fails_where_the_guard_holds(body: str, problem: str) -> None:
    bounded = load_rule_text(body)
    (first, _) = bounded.traced
    told = rf"Rule Serve \(shop.py:3\): its text raises {problem}"

    assert re.fullmatch(told, str(first.failure))
    assert (bounded.cell_terms[1],) == first.guard
    assert bounded.step(cells_of(bounded), first.instance) is None
    with pytest.raises(StyleError, match=told):
        bounded.step(cells_of(bounded, busy_clerk1=True), first.instance)


# who is to blame

T_STRINGS = [(2, "t'{s.asked}'", "it makes text of a value")] if sys.version_info >= (3, 14) else []


@pytest.mark.parametrize(
    ("line", "body", "problem"),
    [
        (2, "t.asked = int('a')", "its text raises ValueError: invalid literal for int() with base 10: 'a'."),
        (2, "t.asked = 'a' + 1", "its text raises TypeError: can only concatenate str"),
        (2, "import nosuch", "it imports while it runs; import at the top of the file."),
        (2, "open('no/such/file')", "it uses open, which asks a value what only some engines can answer"),
        (2, "t.asked = most", "its text raises NameError: name 'most' is not defined."),
        (2, "assert c == 7", "it asserts something, which is no part of what it says; write t.require(...)"),
        (2, "raise RuntimeError('closed')", "its text raises RuntimeError: closed."),
        (2, "f = lambda: f()\nf()", "its text raises RecursionError: maximum recursion depth exceeded"),
        (
            2,
            "t.require(for_all(s.is_open, s.busy[c]))",
            "its text raises TypeError: for_all() takes 1 positional",
        ),
        (2, "t.require(s.bussy[c])", "Shop has no 'bussy'; did you mean busy or dusty?"),
        (2, "t.bussy[c] = True", "Shop has no 'bussy'; did you mean busy or dusty?"),
        (2, "t.mood[c] = Mood.CRSS", "Mood has no 'CRSS'; did you mean CROSS"),
        (
            2,
            "s.line.first(c)",
            "a queue has no 'first'; known are has, head, is_before, is_empty, pop, push, remove.",
        ),
        (2, "t.asked = len(s.clerks)", "a set has no len(): write count(True for i in s.set), or the size"),
        (2, "t.asked = len(s.asked)", "a rule or property may not take the length of a value of the world"),
        (2, "t.asked = int(s.clerks)", "A set is made a number as if it were one value: ask for its cells"),
        (2, "t.asked = s.clerks + 1", "A set is calculated with as if it were one value: ask for its cells"),
        (2, "t.require(s.clerks < 3)", "A set is ordered as if it were one value: ask for its cells"),
        (2, "t.asked = count(True for c in range(s.clerks))", "A set is used as if it were a number"),
        (2, "t.asked = list(reversed(s.clerks))[0]", "A set is gone through from its end"),
        (2, "t.busy[s.clerks[0]] = True", "clerks is a set and is indexed, which only tables are"),
        (2, "t.require(s.busy(c))", "a table is called, but is no function: index a table with [...]"),
        (2, "t.require(s.asked() == 1)", "a value of the world is called, but is no function"),
        (2, "t.require(s.clerks.size == 1)", "a set has no 'size'."),
        (2, "if s.is_open: t.asked = 1", "a rule or property may not branch on a value of the world"),
        (3, "match s.asked:\n    case 1: t.asked = 2", "a rule or property may not branch on a value"),
        (2, "while s.is_open: t.asked = 1", "a rule or property may not branch on a value of the world"),
        (2, "assert s.is_open", "it asserts something, which is no part of what it says"),
        (2, "t.require(all(s.busy[k] for k in s.clerks))", "a rule or property may not branch on a value"),
        (
            2,
            "t.require(exists(s.busy[k] for k in s.clerks if s.busy[k]))",
            "a rule or property may not branch on a",
        ),
        (2, "for hour in range(s.asked): pass", "a rule or property may not index a Python list or range"),
        *T_STRINGS,
    ],
)
def test_a_slip_is_told_in_a_sentence_with_rule_and_place(line: int, body: str, problem: str) -> None:
    with pytest.raises(StyleError) as caught:
        load_rule_text(body)

    sentence = str(caught.value)
    assert sentence.startswith(f"Rule Serve (shop.py:{line}): {problem}")
    assert sentence.endswith((".", "?"))
    assert "\n" not in sentence


@pytest.mark.parametrize(
    "number",
    [
        "s.desk[c] + 1",
        "1 + s.desk[c]",
        "s.asked - s.desk[c]",
        "3 - s.desk[c]",
        "-s.desk[c]",
        "s.desk[c] * 2",
        "s.plan[c, 0] - SKIP",
        "ite(s.is_open, s.desk[c], NONE) + 1",
        "total(s.desk[k] for k in s.clerks)",
    ],
)
def test_nobody_calculates_with_ids(number: str) -> None:
    problem = "A rule or property may not calculate with ids, which are names that mean nothing"
    with pytest.raises(StyleError, match=rf"^Rule Serve \(shop.py:2\): {problem}"):
        load_rule_text(f"t.asked = {number}")


def test_annotations_are_no_text_of_a_class() -> None:
    class Tag:
        __annotate_func__ = lambda form: {"hour": id(form)}  # noqa: E731 - as Python 3.14 keeps them

    def serve(s: Shop, t: Shop, c: Id) -> None:
        t.asked = (Tag(), s.asked + 1)[1]

    assert {5: "add(c5, 1)"} == {
        at: repr(term) for at, term in load_rule(serve, c=Shop.clerks).traced[0].writes.items()
    }


def test_places_whose_order_shows_are_numbers() -> None:
    class Walk(World):
        steps = size(3, "how far it goes")
        places = index("place", steps, "the places in their order")
        at = field(places, init=0, about="where it is")

    go = rule_of(compile_text("go(s, t)", "t.require(s.at < 2)\nt.at = s.at + 1"))
    bounded = Model("walk", "a walk", Walk, (go,)).at()

    assert {"at": "place2"} == bounded.describe(bounded.step((0,), bounded.instances[0]) or ())


def test_the_place_is_the_line_of_the_text_that_slipped() -> None:
    with pytest.raises(StyleError, match=r"^Rule Serve \(shop.py:4\): a rule or property may not branch"):
        load_rule_text("t.require(s.is_open)\nt.asked = 1\nt.busy[c] = not s.busy[c]")


def test_the_kind_of_error_is_kept() -> None:
    with pytest.raises(DomainError, match=r"^Rule Serve \(shop.py:2\): 1 is assigned to busy"):
        load_rule_text("t.busy[c] = 1")
    with pytest.raises(ModelError, match=r"^Rule R \(f:1\): no$") as caught, blaming("Rule R", "f", 1):
        raise ModelError("no")
    assert ModelError is type(caught.value)


def test_files_of_the_environment_are_shown_short() -> None:
    with pytest.raises(StyleError, match=r"^R \(/lib/x.py:5\): "), blaming("R", sys.prefix + "/lib/x.py", 5):
        raise ValueError


def test_other_errors_pass() -> None:
    with pytest.raises(KeyboardInterrupt), blaming("R", "f", 1):
        raise KeyboardInterrupt


def test_a_model_without_rules_has_no_traces() -> None:
    assert () == shop_of().at().traced
