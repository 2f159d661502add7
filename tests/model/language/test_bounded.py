from typing import Any

import pytest

from nomadspec.invariants.catalogue import find_model
from nomadspec.invariants.small.core import no_node_is_oversubscribed, stale_token_changes_nothing
from nomadspec.invariants.small.two_phase_commit import all_commit, everyone_is_told, managers_agree
from nomadspec.model.errors import DomainError, ModelError, StyleError, UnknownNameError, UsageError
from nomadspec.model.language.bounded import find_start
from nomadspec.model.language.domain import NONE, Id
from nomadspec.model.language.property import always, eventually
from nomadspec.model.small.core import ack, dequeue, schedule
from nomadspec.model.small.two_phase_commit import decide_abort, prepare
from tests.model.language.toys import (
    PLAN,
    Shop,
    cells_of,
    compile_text,
    idle,
    load_rule_text,
    rule_of,
    shop_of,
)

pytestmark = pytest.mark.usefixtures("ids_may_be_numbers")

CORE = find_model("core").at("small", profile="intended")
PAIR = find_model("2pc").at("small", sizes={"rms": 2}, profile="intended")

SIT = rule_of(
    compile_text("sit(s, t, c, d)", "t.desk[c] = d\nt.require(c != 1)"), c=Shop.clerks, d=Shop.desks
)


# worlds


def test_a_world_is_described_as_people_write_it() -> None:
    bounded = shop_of(idle).at()
    described = bounded.describe(cells_of(bounded, mood_clerk2=2, desk_clerk1=0, rang=3))

    assert list(bounded.frame.cell_names) == list(described)
    assert (True, "calm", "gone", "desk1", "NONE", "SKIP", 3) == (
        described["is_open"],
        described["mood[clerk1]"],
        described["mood[clerk2]"],
        described["desk[clerk1]"],
        described["desk[clerk2]"],
        described["plan[clerk1, place1]"],
        described["rang"],
    )


def test_without_start_rules_the_declared_first_values_are_the_only_start() -> None:
    bounded = shop_of(idle).at()

    assert ((None, bounded.frame.first_cells()),) == bounded.starts
    assert (bounded.frame.first_cells(),) == bounded.initial


def test_start_rules_make_the_initial_worlds() -> None:
    bounded = shop_of(idle, starts=(SIT,)).at()

    assert [(0, 0), (0, 1), (0, 2)] == [start.arguments for start, _ in bounded.starts if start]
    assert ["desk1", "desk2", "desk3"] == [
        bounded.describe(cells)["desk[clerk1]"] for cells in bounded.initial
    ]


def test_the_same_start_counts_once() -> None:
    bounded = shop_of(
        idle, starts=(rule_of(compile_text("sit(s, t, d)", "t.desk[0] = 1"), d=Shop.desks),)
    ).at()

    assert (3, 1) == (len(bounded.starts), len(bounded.initial))


def test_a_start_is_found_by_its_rule_and_arguments() -> None:
    bounded = shop_of(idle, starts=(SIT,)).at()

    assert bounded.initial[2] == find_start(bounded, "Sit", {"c": "clerk1", "d": "desk3"})
    assert bounded.initial[0] == find_start(bounded, None, {})


@pytest.mark.parametrize(
    ("labels", "problem"),
    [
        ({"c": "clerk2", "d": "desk1"}, "no initial world named 'Sit'"),
        ({"c": "clerk7", "d": "desk1"}, "no value named 'clerk7'"),
        ({"c": "clerk1"}, "The rule Sit takes c, d, but was given c"),
    ],
)
def test_an_unknown_start_is_refused(labels: dict[str, str], problem: str) -> None:
    bounded = shop_of(idle, starts=(SIT,)).at()
    with pytest.raises(UsageError, match=problem):
        find_start(bounded, "Sit", labels)


def test_a_rule_that_is_no_start_starts_nothing() -> None:
    bounded = shop_of(idle, starts=(SIT,)).at()
    with pytest.raises(UnknownNameError, match="no initial world named 'Idle'; known are Sit"):
        find_start(bounded, "Idle", {})


def test_a_model_without_an_initial_world_is_refused() -> None:
    never = rule_of(compile_text("never(s, t)", "t.require(s.asked == 7)"))
    with pytest.raises(
        ModelError, match=r"shop has no initial world in the scope default: its start rules \(Never\)"
    ):
        shop_of(idle, starts=(never,)).at()


def test_a_slip_in_a_start_rule_is_taught() -> None:
    slip = rule_of(compile_text("slip(s, t)", "if s.is_open: t.asked = 1"))
    with pytest.raises(StyleError, match=r"^Rule Slip \(shop.py:2\): a rule or property may not branch"):
        shop_of(idle, starts=(slip,)).at()


# steps


def test_a_step_needs_its_guard() -> None:
    first = CORE.initial[0]
    taken = CORE.find_instance(dequeue, (0, 1))
    answered = CORE.find_instance(ack, (0, 1))
    assert taken is not None
    assert answered is not None
    after = CORE.step(first, taken)
    assert after is not None

    assert {
        "place[job2]": "unacked",
        "delivered[job2]": 1,
        "token[job2]": 1,
        "stage[worker1]": "planning",
    } == {
        name: value
        for name, value in CORE.describe(after).items()
        if name in {"place[job2]", "delivered[job2]", "token[job2]", "stage[worker1]"}
    }
    assert CORE.step(first, answered) is None


def test_successors_come_in_the_order_of_instances() -> None:
    names = [(item.rule.name, item.arguments) for item, _ in PAIR.successors(PAIR.initial[0])]

    assert [
        ("DecideAbort", ()),
        ("Prepare", (0,)),
        ("Prepare", (1,)),
        ("ChooseAbort", (0,)),
        ("ChooseAbort", (1,)),
    ] == names


def test_an_instance_that_cannot_happen_is_not_found() -> None:
    assert PAIR.find_instance(prepare, (2,)) is None
    assert CORE.find_instance(CORE.model.find_rule("FlipNode"), (0,)) is None


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("t.asked = s.asked + 4", r"asked := 4 leaves its domain, 0 \.\. 3"),
        ("t.mood[c] = s.mood[c] - 1", r"mood\[clerk1\] := -1 leaves its domain, 0 \.\. 2"),
        ("t.desk[c] = s.asked - 2", r"desk\[clerk1\] := -2 leaves its domain, -1 \.\. 2"),
    ],
)
def test_a_value_that_its_field_does_not_admit_is_trapped(body: str, problem: str) -> None:
    bounded = load_rule_text(body)
    with pytest.raises(DomainError, match=rf"^Rule Serve \(shop.py:1\): {problem}\.$"):
        bounded.step(bounded.initial[0], bounded.instances[0])


@pytest.mark.parametrize(
    ("body", "ranks"),
    [
        ("t.line.push(c)", r"line\[clerk1\] := 2, line\[clerk2\] := 0"),
        ("t.line.push(c)\nt.line.push(1)", r"line\[clerk1\] := 2, line\[clerk2\] := 2"),
    ],
)
def test_pushing_what_is_in_the_queue_is_trapped(body: str, ranks: str) -> None:
    bounded = load_rule_text(body)
    with pytest.raises(
        DomainError, match=rf"line is no queue any more \({ranks}\): push only what is not in it"
    ):
        bounded.step(cells_of(bounded, line_clerk1=1), bounded.instances[0])


def test_a_world_in_disorder_is_not_the_rules_fault() -> None:
    bounded = load_rule_text("t.line.push(c)")

    assert bounded.step(cells_of(bounded, line_clerk2=2), bounded.instances[0]) is not None


def test_arguments_are_read_as_they_are_written() -> None:
    instance = CORE.find_instance(schedule, (0, 1, (NONE, 1)))
    assert instance is not None
    labels = CORE.label_arguments(instance)

    assert {"worker": "worker1", "job": "job2", "to": {"placement1": "NONE", "placement2": "node2"}} == labels
    assert (0, 1, (NONE, 1)) == CORE.parse_arguments(schedule, labels)


@pytest.mark.parametrize(
    ("labels", "problem"),
    [
        ({}, "The rule Prepare takes rm, but was given none."),
        ({"rm": "rm1", "job": 1}, "The rule Prepare takes rm, but was given rm, job."),
        ({"rm": "rm3"}, "There is no value named 'rm3'; did you mean rm2 or rm1?"),
    ],
)
def test_wrong_arguments_are_refused(labels: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        PAIR.parse_arguments(prepare, labels)

    assert problem == str(caught.value)


def test_a_rule_without_arguments_says_so() -> None:
    with pytest.raises(UsageError, match="The rule DecideAbort takes no arguments, but was given rm"):
        PAIR.parse_arguments(decide_abort, {"rm": "rm1"})


# properties


def test_properties_are_evaluated_on_worlds() -> None:
    first = PAIR.initial[0]

    assert PAIR.holds(managers_agree, first)
    assert not PAIR.holds(all_commit, first)
    assert [False, False] == [
        PAIR.holds(everyone_is_told, first, *case) for case in PAIR.list_cases(everyone_is_told)
    ]


def test_a_property_that_gives_no_flag_is_refused() -> None:
    odd = always("X-1", why="w")(compile_text("odd(s)", "return 3"))
    with pytest.raises(
        StyleError, match=r"^Property odd \(shop.py:1\): it gives 3 where a flag was expected"
    ):
        PAIR.holds(odd, PAIR.initial[0])


def test_cases_are_written_as_people_do() -> None:
    cases = PAIR.list_cases(everyone_is_told)

    assert [(0,), (1,)] == cases
    assert [("rm1",), ("rm2",)] == [PAIR.label_case(everyone_is_told, case) for case in cases]


def test_without_a_premise_the_start_is_given() -> None:
    first = PAIR.initial[0]
    (_, later), *_ = PAIR.successors(first)

    assert PAIR.is_given(everyone_is_told, first, 0)
    assert not PAIR.is_given(everyone_is_told, later, 0)


def test_a_premise_is_given_where_it_holds() -> None:
    answered = CORE.model.find_property("evaluation_is_answered")
    done = list(CORE.initial[0])
    done[CORE.frame.cell_names.index("place[job1]")] = 0

    assert CORE.is_given(answered, CORE.initial[0], 0)
    assert [False, True] == [CORE.is_given(answered, tuple(done), job) for job in (0, 1)]


def test_a_step_property_sees_both_worlds_and_the_rule() -> None:
    first = CORE.initial[0]
    answered = CORE.find_instance(ack, (0, 0))
    assert answered is not None
    changed = list(first)
    changed[CORE.frame.cell_names.index("status[job1]")] = 2

    assert CORE.holds_step(stale_token_changes_nothing, first, answered, first)
    assert not CORE.holds_step(stale_token_changes_nothing, first, answered, tuple(changed))
    assert () == CORE.explain_step(stale_token_changes_nothing, first, answered, tuple(changed))


def test_explaining_names_the_ids_to_blame() -> None:
    full = list(CORE.initial[0])
    for name in ("allocs[job1, placement1]", "allocs[job1, placement2]", "allocs[job2, placement1]"):
        full[CORE.frame.cell_names.index(name)] = 1

    assert (("node2",),) == CORE.explain(no_node_is_oversubscribed, tuple(full))


# rest


def rest_of(body: str) -> Any:
    return compile_text("may_rest(s)", body)


def test_a_world_rests_where_the_model_says_so() -> None:
    bounded = shop_of(idle, is_at_rest=rest_of("return s.asked == 3")).at()

    assert not bounded.is_at_rest(bounded.initial[0])
    assert bounded.is_at_rest(cells_of(bounded, asked=3))


def test_without_a_word_nothing_rests() -> None:
    bounded = shop_of(idle).at()

    assert not bounded.is_at_rest(bounded.initial[0])


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("return not s.is_open", "a rule or property may not branch on a value of the world"),
        ("return s.askd == 3", "Shop has no 'askd'; did you mean asked?"),
        ("return s.mood.count(1) == 3", r"mood is a table and has no 'count': index it, such as mood\[i\]"),
        ("return s.limits == 3", "Shop has no 'limits'; known are"),
    ],
)
def test_a_slip_in_what_rests_is_taught(body: str, problem: str) -> None:
    with pytest.raises(StyleError, match=rf"^is_at_rest of shop \(shop.py:2\): {problem}"):
        shop_of(idle, is_at_rest=rest_of(body)).at()


def test_what_rests_is_a_flag() -> None:
    with pytest.raises(
        StyleError, match=r"^is_at_rest of shop \(shop.py:1\): it gives a number of the world where a flag"
    ):
        shop_of(idle, is_at_rest=rest_of("return s.asked")).at()


# worlds without members, and a property for each of nobody


def test_a_scope_may_be_empty() -> None:
    def served(s: Shop, c: Id) -> Any:
        return s.busy[c]

    prop = eventually("X-1", why="w", c=Shop.clerks)(served)
    sizes = {"clerks": 0, "desks": 0, "hours": 0, "most": 0}
    serve = rule_of(compile_text("serve(s, t, c, to)", "t.plan[c] = to"), c=Shop.clerks, to=PLAN)
    bounded = shop_of(serve, properties=(prop,)).at(sizes=sizes)

    assert ((), []) == (bounded.instances, bounded.list_cases(prop))
    assert {"is_open": True, "asked": 0, "rang": 0} == bounded.describe(bounded.initial[0])
    assert [] == list(bounded.successors(bounded.initial[0]))


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ({"clerks": 10**9}, "more than 100,000 cells .the field busy alone has 1,000,000,000."),
        ({"desks": 400, "hours": 2}, "the rule Plan can happen in 321,602 ways, more than 100,000"),
    ],
)
def test_a_size_that_is_a_slip_of_the_pen_is_refused_at_once(sizes: dict[str, int], words: str) -> None:
    text = compile_text("plan(s, t, clerk, to)", "t.require(s.busy[clerk])")
    model = shop_of(rule_of(text, clerk=Shop.clerks, to=PLAN))

    with pytest.raises(UsageError, match=words):
        model.at(sizes=sizes)
