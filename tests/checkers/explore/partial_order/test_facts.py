"""What is known of all reachable worlds before any is visited."""

import pytest

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.partial_order.facts import find_facts, take_as_written
from nomadspec.checkers.explore.reduction import REDUCTIONS
from nomadspec.checkers.explore.search import Search
from nomadspec.checkers.explore.task import make_task
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.domain import NONE, Id, opt, upto
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.story import DEADLOCK
from nomadspec.model.language.world import World, field, ids
from tests.checkers.explore.models import CLUB, DIAL, FORKS, LAMPS, RELAY, ROOMS
from tests.checkers.explore.partial_order.errands import ERRANDS
from tests.checkers.native.models import CALM, SHELF

MODELS = [
    pytest.param(model, "small" if model is CLUB else None, id=model.name)
    for model in (CLUB, DIAL, ERRANDS, FORKS, LAMPS, RELAY, ROOMS)
]


@pytest.mark.parametrize(
    ("model", "scope"),
    [
        *MODELS,
        pytest.param(find_model("2pc"), "hasty", id="2pc"),
        pytest.param(find_model("core"), "unchecked", id="core"),
        pytest.param(find_model("kernel"), "external-triggers", id="kernel"),
        pytest.param(find_model("kernel"), "stale-snapshot", id="a larger kernel", marks=pytest.mark.deep),
    ],
)
def test_no_world_has_a_value_that_was_not_thought_possible(model: Model, scope: str | None) -> None:
    bounded = bind_as_usual(model, scope)
    facts = find_facts(bounded)
    task = make_task(bounded, (), "none", stops_at_first=False)
    search = Search(task)
    search.expand(2_000, 2_000)

    for packed in search.explored.worlds:
        for values, value in zip(facts.cells, task.layout.unpack(packed), strict=True):
            assert values is None or value in values
    happened = [times > 0 for times in search.explored.fired]
    assert all(is_possible or not has for is_possible, has in zip(facts.possible, happened, strict=True))


def test_rules_that_never_happen_in_a_scope_fall_away() -> None:
    bounded = find_model("kernel").at("contention", profile="nomad-2.0")
    facts = find_facts(bounded)
    gone = {
        one.rule.name for one, is_left in zip(bounded.instances, facts.possible, strict=True) if not is_left
    }

    assert {"MarkUnknown", "GainLeader", "ExpireDisconnectedNode"} <= gone
    assert "Dequeue" not in gone
    assert 2 * sum(len(one.writes) for one in facts.traced) < sum(len(one.writes) for one in bounded.traced)


def test_a_property_is_simpler_where_cells_never_change() -> None:
    bounded = ERRANDS.at()
    facts = find_facts(bounded)
    right = bounded.cell_terms[bounded.frame.cell_names.index("right")]

    assert facts.simplify(right <= 1) is True
    assert facts.simplify(right == 2) is False
    assert facts.simplify(right == 1) is (right == 1)


def test_what_comes_to_many_values_is_not_followed() -> None:
    wide, long = SHELF.at("wide"), CALM.at(sizes={"rounds": 90})

    assert take_as_written(wide).cells[wide.frame.placed["content"].base] is None
    assert find_facts(long).cells[long.frame.placed["clock"].base] is None
    assert find_facts(CALM.at()).cells[long.frame.placed["clock"].base] == frozenset(range(41))


class Race(World):
    """Runners, of whom the first has a start, and one who leads."""

    runners = ids("runner", 2, "runners")
    at = field(runners, upto(2), init=0, about="how far a runner is")
    leader = field(opt(runners), init=NONE, about="who leads")


@rule("R-1")
def begin(s: Race, t: Race) -> None:
    """The first runner is ahead."""
    t.at[0] = 1
    t.leader = 0


@rule("R-2", runner=Race.runners)
def run(s: Race, t: Race, runner: Id) -> None:
    """Who leads goes on."""
    t.require(s.leader == runner, s.at[runner] == 1)
    t.at[runner] = 2


RACE = Model("race", "a race that begins unevenly", Race, (run,), starts=(begin,))


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_what_is_possible_for_one_name_is_for_all_that_are_exchanged() -> None:
    bounded = RACE.at()
    at, leader = (bounded.frame.placed[name].base for name in ("at", "leader"))
    alone, renamed = find_facts(bounded), find_facts(bounded, is_renamed=True)

    assert [(True, False), (True, True)] == [alone.possible, renamed.possible]
    assert [frozenset({1, 2}), frozenset({0})] == list(alone.cells[at : at + 2])
    assert [frozenset({0, 1, 2})] * 2 == list(renamed.cells[at : at + 2])
    assert [frozenset({0}), frozenset({0, 1})] == [alone.cells[leader], renamed.cells[leader]]


@pytest.mark.usefixtures("ids_may_be_numbers")
def test_uneven_beginnings_do_no_harm_under_symmetry() -> None:
    for reduction in REDUCTIONS[1:]:
        report = explore(
            RACE.at(), properties=[DEADLOCK], reduction=reduction, audit=True, stop_at_first=False
        )
        assert (2, None) == (report.distinct, report.stopped_by)
