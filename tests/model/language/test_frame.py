from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.errors import ModelError, QueueError, StrayError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import NONE, SKIP
from nomadspec.model.language.frame import NO_RANK, FiniteFrame, Row
from nomadspec.model.specification.profiles import INTENDED
from tests.model.language.evaluate import evaluate
from tests.model.language.toys import (
    Place,
    Shop,
    cells_of,
    compile_text,
    idle,
    load_rule,
    load_rule_text,
    rule_of,
    run,
    shop_of,
)

pytestmark = pytest.mark.usefixtures("ids_may_be_numbers")

FRAME = FiniteFrame(Shop.schema, {"clerks": 2, "desks": 3, "hours": 2, "most": 3}, INTENDED)


def load_plain(body: str) -> BoundedModel:
    """Load the shop with one rule that has no arguments."""
    return load_rule(compile_text("serve(s, t)", body))


# the layout


def test_cells_lie_in_the_order_of_the_declarations() -> None:
    assert (
        "is_open",
        "busy[clerk1]",
        "busy[clerk2]",
        "mood[clerk1]",
        "mood[clerk2]",
        "asked",
        "rang",
        "desk[clerk1]",
        "desk[clerk2]",
        "plan[clerk1, place1]",
    ) == FRAME.cell_names[:10]


def test_each_cell_knows_its_interval() -> None:
    intervals = dict(zip(FRAME.cell_names, FRAME.intervals, strict=True))

    assert (0, 2) == (intervals["mood[clerk1]"].low, intervals["mood[clerk1]"].high)
    assert (SKIP, 2) == (intervals["plan[clerk2, place1]"].low, intervals["plan[clerk2, place1]"].high)
    assert (0, 2) == (intervals["line[clerk1]"].low, intervals["line[clerk1]"].high)


def test_first_cells_are_the_declared_first_values() -> None:
    first = dict(zip(FRAME.cell_names, FRAME.first_cells(), strict=True))

    assert first["is_open"] is True
    assert (NONE, SKIP, 0) == (first["desk[clerk1]"], first["plan[clerk1, place2]"], first["line[clerk2]"])


def test_spans_and_strides_agree_with_the_names() -> None:
    seen = FRAME.placed["seen"]

    assert (6, 3, 1) == (seen.span, *seen.strides)
    assert "seen[clerk2, desk1]" == FRAME.cell_names[seen.base + seen.strides[0]]


def test_a_set_without_members_has_no_cells() -> None:
    frame = FiniteFrame(Place.schema, {"clerks": 0}, INTENDED)

    assert (0, (), ()) == (frame.cell_count, frame.cell_names, frame.first_cells())


def test_a_field_must_begin_inside_its_domain() -> None:
    sizes = {"clerks": 2, "desks": 3, "hours": 2, "most": -1}
    with pytest.raises(ModelError, match=r"The field asked begins at 0, outside of its domain 0 \.\. -1"):
        FiniteFrame(Shop.schema, sizes, INTENDED)


# reading


def row_of(name: str, values: Sequence[int]) -> Row:
    """Make a table of the shop that holds these values."""
    placed = FRAME.placed[name]
    cells = list(FRAME.first_cells())
    cells[placed.base : placed.base + len(values)] = values
    return Row(placed, cells, placed.base, 0)


def test_a_cell_is_read_at_once_or_row_by_row() -> None:
    plan = row_of("plan", [0, 1, 2, NONE])

    assert [0, 1, 2, NONE] == [plan[i, j] for i in (0, 1) for j in (0, 1)]
    assert [2, NONE] == [plan[1][j] for j in (0, 1)]
    assert [2, NONE] == list(plan[1].values())


@pytest.mark.parametrize("key", [NONE, SKIP, 2, 99])
def test_reading_where_nobody_is_gives_the_least_value(key: int) -> None:
    assert SKIP == row_of("plan", [0, 1, 2, NONE])[key, 0]
    assert row_of("busy", [True, True])[key] is False


@pytest.mark.parametrize(
    ("index", "reads"),
    [
        ("s.desk[0]", [False, True, False, True]),  # NONE, desk1, desk2, desk3
        ("s.plan[0, 0]", [False, True, False, True]),
        ("s.asked", [True, False, True, None]),  # None where there is no such desk
        ("s.asked - 4", [None, None, None, None]),
        ("ite(one_of(s.desk[0], 1, 2), SKIP, s.desk[0])", [False, True, False, False]),
    ],
)
def test_an_index_may_be_a_value(index: str, reads: list[bool | None]) -> None:
    bounded = load_plain(f"t.is_open = s.dusty[{index}]")
    for at, expected in enumerate(reads, NONE):
        cells = cells_of(
            bounded,
            is_open=expected is False,
            asked=at + 1,
            desk_clerk1=at,
            plan_clerk1_place1=at,
            dusty_desk1=True,
            dusty_desk3=True,
        )
        if expected is None:
            with pytest.raises(StrayError, match=r"Serve reads dusty at .*, but desks has 3"):
                run(bounded, cells)
            continue

        assert {"is_open": expected} == run(bounded, cells)
        assert expected == evaluate(bounded.traced[0].writes[0], cells)


@pytest.mark.parametrize(
    ("index", "changed"),
    [
        ("s.desk[0]", [None, "desk1", "desk2", "desk3"]),
        ("s.asked", ["desk1", "desk2", "desk3", "desk4"]),
        ("s.asked - 4", ["number -4", "number -3", "number -2", "number -1"]),
    ],
)
def test_writing_at_a_value_changes_one_cell_or_none(index: str, changed: list[str | None]) -> None:
    bounded = load_plain(f"t.dusty[{index}] = True")
    for at, desk in enumerate(changed, NONE):
        cells = cells_of(bounded, asked=at + 1, desk_clerk1=at)
        if desk not in {None, "desk1", "desk2", "desk3"}:
            with pytest.raises(StrayError, match=f"Serve writes dusty at {desk}.*, but desks has 3"):
                run(bounded, cells)
            continue
        traced = bounded.traced[0].after(cells)

        assert ({f"dusty[{desk}]": True} if desk else {}) == run(bounded, cells)
        assert [evaluate(term, cells) for term in traced] == list(
            bounded.step(cells, bounded.instances[0]) or ()
        )


def test_a_value_may_be_one_of_two_indexes() -> None:
    bounded = load_plain("t.seen[s.asked, s.desk[0]] = True; t.is_open = s.seen[s.asked, s.desk[0]]")
    cells = cells_of(bounded, desk_clerk1=2, asked=1)

    assert {"is_open": False, "seen[clerk2, desk3]": True} == run(bounded, cells)


def test_a_set_without_members_can_be_indexed_by_its_values() -> None:
    text = compile_text("serve(s, t)", "t.dusty[s.desk[0]] = True; t.is_open = s.dusty[s.desk[0]]")
    bounded = shop_of(rule_of(text)).at(sizes={"desks": 0})

    assert {"is_open": False} == run(bounded, bounded.initial[0])


# slips


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("for i in s.busy: pass", "busy is a table: go through its sets"),
        ("t.require(s.busy['a'])", "busy is indexed by the text 'a': index it by an argument"),
        ("t.require(s.busy[True])", "busy is indexed by True, which is no id"),
        ("t.require(s.busy[s.is_open])", "busy is indexed by a flag of the world, which is no id"),
        ("t.require(s.busy[1.0])", "busy is indexed by 1.0, which is no id"),
        ("t.require(s.seen[c, 0, 0])", "seen is indexed too deeply: it has 2 index sets"),
        ("t.seen[c, 0, 0] = True", "seen is indexed too deeply: it has 2 index sets"),
        ("t.require(t.busy[c])", "busy is read on t, which rules only write"),
        ("t.require(t.is_open)", "is_open is read on t, which rules only write"),
        ("t.asked += 1", "asked is read on t, which rules only write"),
        ("t.busy[c] |= True", "busy is read on t, which rules only write"),
        ("t.require(t.line.has(c))", "line is read on t, which rules only write"),
        ("t.require(t.line.head(c))", "line is read on t, which rules only write"),
        ("t.require(t.line.is_empty())", "line is read on t, which rules only write"),
        ("t.require(t.taken[0] == 0)", "A total cannot be read on t: it counts desk, read it on s"),
        ("t.taken[0] = 1", "A total is never assigned to: it counts desk, assign to that"),
        ("s.busy[c] = True", "busy of s cannot be assigned to: write to t"),
        ("s.seen[c][1] = True", "seen of s cannot be assigned to: write to t"),
        ("s.line.push(c)", "line of s cannot be assigned to: write to t"),
        ("s.line.pop(c)", "line of s cannot be assigned to: write to t"),
        ("s.line.remove(c)", "line of s cannot be assigned to: write to t"),
        ("t.busy[c] = 1", "1 is assigned to busy, which holds a flag"),
        ("t.busy[c] = s.asked", "a number of the world is assigned to busy, which holds a flag"),
        ("t.asked = True", "True is assigned to asked, which holds 0 .. most"),
        ("t.asked = s.is_open", "a flag of the world is assigned to asked, which holds 0 .. most"),
        ("t.asked = '1'", "'1' is assigned to asked, which holds 0 .. most"),
        ("t.asked = 1.5", "1.5 is assigned to asked, which holds 0 .. most"),
        ("t.asked = None", "None is assigned to asked, which holds 0 .. most"),
        ("t.asked = s.busy", r"busy \(over clerks\) is copied to asked \(over a single cell\)"),
        ("t.seen = s.shown", r"shown \(over desks, clerks\) is copied to seen \(over clerks, desks\)"),
        ("t.seen[c] = s.busy", r"busy \(over clerks\) is copied to seen \(over desks\)"),
        ("t.busy = [True]", "1 values are assigned to 2 cells of busy: the shapes must agree"),
    ],
)
def test_a_slip_with_a_table_is_taught(body: str, problem: str) -> None:
    with pytest.raises(ModelError, match=rf"^Rule Serve \(shop.py:2\): {problem}"):
        load_rule_text(body)


def test_a_wrong_index_is_only_a_slip_where_the_rule_can_happen() -> None:
    assert [] == list(load_rule_text("t.require(s.most == 0)\nt.busy[9] = True").traced)


# writing


def test_a_scalar_assignment_fills_a_table() -> None:
    bounded = load_plain("t.busy = True")

    assert {"busy[clerk1]": True, "busy[clerk2]": True} == run(bounded, bounded.initial[0])


def test_a_row_can_be_filled_copied_and_listed() -> None:
    bounded = load_plain("t.seen[0] = True\nt.seen[1] = s.dusty\nt.plan[0] = (1, 2)")
    cells = cells_of(bounded, dusty_desk2=True)

    assert {
        "seen[clerk1, desk1]": True,
        "seen[clerk1, desk2]": True,
        "seen[clerk1, desk3]": True,
        "seen[clerk2, desk2]": True,
        "plan[clerk1, place1]": 1,
        "plan[clerk1, place2]": 2,
    } == run(bounded, cells)


def test_a_whole_table_can_be_copied() -> None:
    bounded = load_plain("t.seen = s.seen\nt.plan[1] = s.plan[0]")

    assert {"plan[clerk2, place1]": 2} == run(bounded, cells_of(bounded, plan_clerk1_place1=2))


def test_later_writes_win_and_reads_see_none_of_them() -> None:
    bounded = load_plain("t.asked = 1\nt.asked = s.asked + 2\nt.when(s.busy[0]).asked = 0")

    assert {"asked": 2} == run(bounded, cells_of(bounded))
    assert {"asked": 0} == run(bounded, cells_of(bounded, busy_clerk1=True, asked=1))


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("busy", [False, True])
def test_conditions_nest(busy: bool, is_open: bool) -> None:
    bounded = load_plain(
        "outer = t.when(s.busy[0])\n"
        "outer.asked = 1\n"
        "outer.when(s.is_open).asked = 2\n"
        "outer.when(s.is_open).mood[0] = Mood.CROSS\n"
        "outer.when(s.is_open).line.push(1)"
    )
    cells = cells_of(bounded, is_open=is_open, busy_clerk1=busy)
    inner = {"mood[clerk1]": 1, "line[clerk2]": 1} if is_open else {}

    assert ({"asked": 2 if is_open else 1, **inner} if busy else {}) == run(bounded, cells)


def test_swapping_needs_no_third_place() -> None:
    bounded = load_plain("t.mood[0], t.mood[1] = s.mood[1], s.mood[0]")

    assert {"mood[clerk1]": 2, "mood[clerk2]": 0} == run(bounded, cells_of(bounded, mood_clerk2=2))


# queues and totals


@given(st.lists(st.tuples(st.sampled_from(["push", "pop", "remove"]), st.integers(-1, 3)), max_size=12))
def test_a_queue_behaves_like_a_list(deeds: list[tuple[str, int]]) -> None:
    frame = FiniteFrame(Shop.schema, {"clerks": 4, "desks": 0, "hours": 0, "most": 0}, INTENDED)
    cells = list(frame.first_cells())
    line = Shop(frame, cells, condition=True, guard=[]).line
    expected: list[int] = []
    for deed, member in deeds:
        if deed == "remove" and member in expected:
            expected.remove(member)
        if deed == "pop" and expected[:1] != [member]:
            continue
        if deed == "pop":
            expected.pop(0)
        if deed == "push" and member in expected:
            continue
        if deed == "push" and member >= 0:
            expected.append(member)
        getattr(line, deed)(member)

    seen = Shop(frame, tuple(cells)).line
    ranks = cells[frame.placed["line"].base :]

    assert [expected.index(member) + 1 if member in expected else 0 for member in range(4)] == ranks
    assert [member in expected for member in range(4)] == [seen.has(member) for member in range(4)]
    assert [expected[:1] == [member] for member in range(4)] == [seen.head(member) for member in range(4)]
    assert (not expected) == seen.is_empty()
    before = [
        one in expected and other in expected[expected.index(one) + 1 :]
        for one in range(4)
        for other in range(4)
    ]
    assert before == [seen.is_before(one, other) for one in range(4) for other in range(4)]


DEEDS = ("push(s.asked - 1)", "pop(s.asked - 1)", "remove(s.asked - 1)", "remove(1)")


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("ranks", [(0, 0), (1, 0), (0, 1), (1, 2), (2, 1)])
def test_a_queue_is_traced_as_it_runs(deed: str, ranks: tuple[int, int]) -> None:
    bounded = load_plain(f"t.line.{deed}")
    for member in (NONE, 0, 1, 2):
        cells = cells_of(bounded, asked=member + 1, line_clerk1=ranks[0], line_clerk2=ranks[1])
        if deed.startswith("push") and 0 <= member < len(ranks) and ranks[member]:
            continue
        traced = tuple(evaluate(term, cells) for term in bounded.traced[0].after(cells))
        if "asked" in deed and not 0 <= member < len(ranks):
            with pytest.raises(StrayError, match=r"Serve (reads|writes) line at .*, but clerks has 2"):
                bounded.step(cells, bounded.instances[0])
            continue
        if deed.startswith("pop") and not (0 <= member < len(ranks) and ranks[member] == 1):
            base = bounded.frame.placed["line"].base
            assert {NO_RANK} == set(traced[base : base + len(ranks)])
            with pytest.raises(QueueError, match="is popped of an id that is not its head"):
                bounded.step(cells, bounded.instances[0])
            continue

        assert bounded.step(cells, bounded.instances[0]) == traced


def test_two_can_queue_up_in_one_step() -> None:
    bounded = load_plain("line = t.line\nline.push(1)\nline.push(0)\nt.line.remove(1)\nt.line.push(1)")

    assert {"line[clerk1]": 1, "line[clerk2]": 2} == run(bounded, bounded.initial[0])


def test_a_total_counts_the_cells_that_hold_an_id() -> None:
    cells = cells_of(shop_of(idle).at(), desk_clerk1=0, desk_clerk2=0)
    taken = Shop(FRAME, cells).taken

    assert [2, 0, 0] == [taken[desk] for desk in range(3)]
    assert [0, 0, 0] == [taken[NONE], taken[SKIP], taken[7]]


def test_a_total_may_be_asked_with_a_value() -> None:
    bounded = load_plain("t.asked = s.taken[s.desk[0]]")
    (term,) = bounded.traced[0].writes.values()
    for one, other in ((NONE, NONE), (1, 1), (1, 2)):
        cells = cells_of(bounded, desk_clerk1=one, desk_clerk2=other, asked=3)

        expected = 0 if one == NONE else [one, other].count(one)
        assert {"asked": expected} == run(bounded, cells)
        assert expected == evaluate(term, cells)
