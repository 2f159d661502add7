"""Reduced searches and full ones notice the same, and an audit that compares them notices a difference."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomadspec.checkers.explore.explorer import explore
from nomadspec.checkers.explore.limits import Limits
from nomadspec.checkers.explore.partial_order import audit as audit_module
from nomadspec.checkers.explore.partial_order.audit import audit_reduction
from nomadspec.checkers.explore.partial_order.footprints import Footprint
from nomadspec.checkers.explore.partial_order.partial_order import PartialOrder, Steps
from nomadspec.checkers.explore.reduction import REDUCTIONS
from nomadspec.checkers.explore.task import Task, make_task
from nomadspec.checkers.verdict import Verdict
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import ImpossibleError, ModelError, UsageError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import FLAG, Id, upto
from nomadspec.model.language.logic import not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.rule import rule
from nomadspec.model.language.world import World, field, ids
from tests.checkers.explore.boards import BOARDS
from tests.checkers.explore.comparing import TRIED_REDUCTIONS
from tests.checkers.explore.models import CLUB, DIAL, FORKS, LAMPS, RELAY, ROOMS

ALL = REDUCTIONS[1:]
TINY = {"jobs": 1, "count": 1, "deliveries": 1}


@pytest.mark.parametrize("reduction", TRIED_REDUCTIONS[1:])
@pytest.mark.parametrize(
    "bounded",
    [
        pytest.param(model.at("small") if model is CLUB else model.at(), id=model.name)
        for model in (CLUB, DIAL, FORKS, LAMPS, RELAY, ROOMS)
    ]
    + [
        pytest.param(find_model("2pc").at("small", sizes={"rms": 3}, profile="nomad-2.0"), id="2pc"),
        pytest.param(find_model("2pc").at("hasty"), id="2pc hasty", marks=pytest.mark.deep),
        pytest.param(
            find_model("2pc").at("small", sizes={"rms": 4}, profile="nomad-2.0"),
            id="2pc of four",
            marks=pytest.mark.deep,
        ),
        pytest.param(find_model("core").at("unchecked", sizes=TINY), id="core unchecked"),
        pytest.param(
            find_model("core").at("flip", sizes=TINY, profile="nomad-2.0"), id="core", marks=pytest.mark.deep
        ),
    ],
)
def test_every_small_model_passes(bounded: BoundedModel, reduction: str) -> None:
    for properties in (None, ["deadlock"]):
        task = make_task(bounded, properties, reduction, stops_at_first=False)
        assert audit_reduction(task, Limits()).stopped_by is None


@settings(max_examples=15)
@given(BOARDS, st.sampled_from(ALL))
def test_random_models_pass(model: Model, reduction: str) -> None:
    assert_passes(model, reduction)


@pytest.mark.deep
@settings(max_examples=100)
@given(BOARDS, st.sampled_from(ALL))
def test_more_random_models_pass(model: Model, reduction: str) -> None:
    assert_passes(model, reduction)


def assert_passes(model: Model, reduction: str) -> None:
    bounded = model.at()
    names = [prop.name for prop in model.properties]

    for asked in (None, names[:1], names[1:2], [names[2], "deadlock"]):
        task = make_task(bounded, asked, reduction, stops_at_first=False)
        assert audit_reduction(task, Limits()).stopped_by is None


@pytest.mark.parametrize(
    ("scope", "reduction"),
    [
        ("two-tokens", "symmetry+partial-order"),
        pytest.param("partial", "symmetry+partial-order", marks=pytest.mark.deep),
        pytest.param("contention", "partial-order", marks=pytest.mark.deep),
    ],
)
def test_the_kernel_passes(scope: str, reduction: str) -> None:
    bounded = find_model("kernel").at(scope, sizes={"evals": 2}, profile="nomad-2.0")
    task = make_task(bounded, ["no_node_is_oversubscribed", "deadlock"], reduction, stops_at_first=False)

    assert audit_reduction(task, Limits()).stopped_by is None


@pytest.mark.deep
@pytest.mark.parametrize("scope", [scope.name for scope in find_model("kernel").scopes])
def test_every_scope_of_the_kernel_passes(scope: str) -> None:
    bounded = find_model("kernel").at(scope, profile="nomad-2.0")

    for reduction in ALL:
        task = make_task(bounded, None, reduction, stops_at_first=False)
        assert audit_reduction(task, Limits(max_states=6000)).stopped_by in {None, "states"}


@pytest.mark.parametrize(
    ("rms", "full", "fewer"),
    [
        (3, (288, 1_146), (234, 768)),
        pytest.param(4, (1_568, 8_258), (1_072, 4_371), marks=pytest.mark.deep),
        pytest.param(5, (8_832, 58_146), (4_962, 24_274), marks=pytest.mark.deep),
    ],
)
def test_fewer_steps_are_taken(rms: int, full: tuple[int, int], fewer: tuple[int, int]) -> None:
    bounded = find_model("2pc").at("small", sizes={"rms": rms}, profile="nomad-2.0")
    task = make_task(bounded, None, "partial-order", stops_at_first=False)

    audited = audit_reduction(task, Limits())

    assert full == (audited.full_distinct, audited.full_generated)
    assert fewer == (audited.distinct, audited.generated)


def with_footprints(task: Task, change: Callable[[Footprint], Footprint]) -> Task:
    """Let the search believe other footprints than those that were traced."""
    assert task.partial_order is not None
    false = [change(footprint) for footprint in task.partial_order.footprints]
    order = PartialOrder(task.bounded, task.layout, task.properties, false)
    return replace(task, partial_order=order)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        pytest.param(
            lambda footprint: replace(footprint, reads=frozenset()),
            r"(said to be independent|found a difference)",
            id="reads nothing",
        ),
        pytest.param(
            lambda footprint: replace(footprint, writes=frozenset()),
            r"(said to write|found a difference)",
            id="writes nothing",
        ),
    ],
)
def test_a_wrong_declaration_is_caught(
    change: Callable[[Footprint], Footprint], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make_false(bounded: BoundedModel, *arguments: object, **named: object) -> Task:
        task = make_task(bounded, *arguments, **named)  # type: ignore[arg-type]  # as it was called
        return with_footprints(task, change) if task.partial_order is not None else task

    task = make_task(find_model("2pc").at("hasty"), None, "partial-order", stops_at_first=False)
    monkeypatch.setattr(audit_module, "make_task", make_false)

    with pytest.raises((ImpossibleError, ModelError), match=complaint):
        audit_reduction(task, Limits())


@pytest.mark.parametrize(
    ("properties", "complaint"),
    [
        pytest.param(["managers_agree"], "managers_agree is broken only without", id="broken"),
        pytest.param(["all_commit"], "all_commit is reached only without", id="reached"),
        pytest.param([], "happens only without the reduction", id="happens"),
    ],
)
def test_a_search_that_leaves_out_too_much_is_caught(
    properties: list[str], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take_first(_order: PartialOrder, _packed: int, steps: Steps) -> Steps:
        return steps[-1:]

    task = make_task(find_model("2pc").at("hasty"), properties, "partial-order", stops_at_first=False)
    monkeypatch.setattr(PartialOrder, "choose", take_first)

    with pytest.raises(ImpossibleError, match=complaint):
        audit_reduction(task, Limits())


def test_a_stopped_audit_says_so() -> None:
    report = explore(DIAL.at(), reduction="partial-order", properties=["has_stopped"], audit=True)
    assert report.audited is not None
    assert Verdict.HOLDS is report.verdict

    task = make_task(FORKS.at(), [], "partial-order", stops_at_first=False)
    assert "states" == audit_reduction(task, Limits(max_states=2)).stopped_by


def test_without_a_reduction_there_is_nothing_to_audit() -> None:
    with pytest.raises(UsageError, match="choose a reduction"):
        explore(FORKS.at(), audit=True)


class Cup(World):
    """A cup beside lamps."""

    lamps = ids("lamp", 2, "lamps")
    level = field(upto(2), init=0, about="how full the cup is")
    on = field(lamps, FLAG, init=False, about="the lamp is on")


@rule("Cup-1")
def fill(s: Cup, t: Cup) -> None:
    """Somebody fills the cup without looking."""
    t.level = s.level + 1


@rule("Cup-2", lamp=Cup.lamps)
def switch(s: Cup, t: Cup, lamp: Id) -> None:
    """Somebody uses a switch."""
    t.on[lamp] = not_(s.on[lamp])


@pytest.mark.parametrize("reduction", ["symmetry", "partial-order", "symmetry+partial-order"])
def test_searches_that_end_at_a_failure_are_not_compared_further(reduction: str) -> None:
    """One of them sees no switch before it, which is no difference."""
    report = explore(Model("cup", "a cup", Cup, (fill, switch)).at(), reduction=reduction, audit=True)

    assert ["domains_are_kept"] == [finding.property for finding in report.findings]
    assert report.audited is not None
