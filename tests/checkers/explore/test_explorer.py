"""Whole searches: counts, verdicts, stories and limits."""

import signal
import threading
from itertools import count
from typing import Any

import pytest

from nomadspec.checkers.explore import explore, limits
from nomadspec.checkers.explore.bounds import Constraint
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.checkers.verdict import ExploreReport, Verdict
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UnknownNameError, UsageError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.story import DEADLOCK
from tests.checkers.explore.models import CLUB, DIAL, FORKS, GATE_OPEN, LAMPS
from tests.checkers.explore.reference import search
from tests.checkers.explore.symmetry.orbits import find_orbits
from tests.checkers.stepper.models import CRAMPED, DESK

UNCHECKED = find_model("core").at("unchecked", sizes={"count": 1, "cap": 1, "deliveries": 1})

SMALL = [
    pytest.param(DESK.at(sizes={"notes": 2}), id="desk"),
    pytest.param(CLUB.at("small"), id="club"),
    pytest.param(DIAL.at(), id="dial"),
    pytest.param(LAMPS.at(), id="lamps"),
    pytest.param(find_model("2pc").at("small", sizes={"rms": 3}, profile="nomad-2.0"), id="2pc"),
    pytest.param(find_model("2pc").at("hasty"), id="2pc hasty"),
    pytest.param(
        find_model("core").at("flip", sizes={"jobs": 1, "count": 1, "deliveries": 1}, profile="nomad-2.0"),
        id="core",
    ),
    pytest.param(UNCHECKED, id="core unchecked"),
]


class Impatience:
    """Somebody who presses Ctrl-C after some time."""

    def __init__(self, updates: int, *, by_signal: bool) -> None:
        self.left = updates
        self.by_signal = by_signal
        self.texts: list[str] = []

    def update(self, text: str, done: int, expected: int | None = None) -> None:
        assert done > 0
        assert expected is None
        self.texts.append(text)
        self.left -= 1
        if self.left == 0:
            if not self.by_signal:
                raise KeyboardInterrupt
            signal.raise_signal(signal.SIGINT)


def steps_of(report: ExploreReport) -> dict[str, list[str]]:
    return {
        finding.property: [str(step) for step in finding.story.steps] if finding.story else []
        for finding in report.findings
    }


@pytest.mark.parametrize("bounded", SMALL)
def test_a_search_agrees_with_the_interpreter(bounded: BoundedModel) -> None:
    expected = search(bounded)

    report = explore(bounded, stop_at_first=False)

    counts = report.distinct, report.generated, report.depth, report.digest
    assert (expected.distinct, expected.generated, expected.depth, expected.digest) == counts
    assert sum(report.fired.values()) == report.generated - len(bounded.initial)
    assert report.stopped_by is None


# The orbits of the last are many, and those of the others are of all kinds.
@pytest.mark.parametrize(
    "bounded", [*SMALL[:-1], pytest.param(UNCHECKED, id="core unchecked", marks=pytest.mark.deep)]
)
def test_reduced_counts_are_those_of_the_orbits(bounded: BoundedModel) -> None:
    orbits = find_orbits(bounded)

    report = explore(bounded, reduction="symmetry", stop_at_first=False)

    generated = len(bounded.initial) + sum(steps for _, steps in orbits.values())
    assert (len(orbits), generated) == (report.distinct, report.generated)
    assert explore(bounded, stop_at_first=False).depth == report.depth
    assert "symmetry" == report.reduction


@pytest.mark.parametrize(
    ("model", "scope", "reduction", "distinct", "generated", "depth"),
    [
        ("core", "small", "none", 34_069, 87_945, 21),
        ("core", "small", "symmetry", 4_351, 11_305, 21),
        ("2pc", "small", "none", 8_832, 58_146, 17),
        ("2pc", "small", "symmetry", 314, 2_048, 17),
        ("2pc", "full", "symmetry", 1_461, 15_287, 26),
    ],
)
def test_published_counts(
    model: str, scope: str, reduction: str, distinct: int, generated: int, depth: int
) -> None:
    most = 10_000 if (model, scope) == ("2pc", "small") else 0
    report = explore(bind_as_usual(find_model(model), scope), reduction=reduction, most_unfolded=most)

    assert (distinct, generated, depth) == (report.distinct, report.generated, report.depth)
    assert (Verdict.INCONCLUSIVE if report.not_checked else Verdict.HOLDS) is report.verdict
    assert (reduction != "none" and (model, scope) != ("2pc", "small")) == bool(report.not_checked)
    assert all(report.reached.values())


@pytest.mark.parametrize("reduction", ["symmetry", "partial-order", "symmetry+partial-order"])
def test_a_promise_that_a_reduction_leaves_out_does_not_hold(reduction: str) -> None:
    bounded = find_model("philosophers").at("small", profile="nomad-2.0")
    everything = explore(bounded, reduction=reduction, most_unfolded=0)
    few = explore(bounded, reduction=reduction, most_unfolded=10)
    unfolded = explore(bounded, reduction=reduction)
    asked = explore(bounded, reduction=reduction, properties=["hungry_philosopher_eats"])
    within = Constraint("True", lambda _: True)
    others = explore(bounded, reduction=reduction, properties=["deadlock", "somebody_eats"])

    assert ["hungry_philosopher_eats"] == list(everything.not_checked) == list(few.not_checked)
    assert (Verdict.INCONCLUSIVE, None) == (everything.verdict, everything.stopped_by)
    assert (Verdict.INCONCLUSIVE, None) == (few.verdict, few.stopped_by)
    assert (
        Verdict.INCONCLUSIVE
        is explore(bounded, reduction=reduction, constraint=within, most_unfolded=0).verdict
    )
    assert (Verdict.HOLDS, Verdict.HOLDS) == (asked.verdict, others.verdict)
    assert (Verdict.HOLDS, {}) == (unfolded.verdict, unfolded.not_checked)


@pytest.mark.deep  # eight are asked for every day: 2pc full, above
def test_fourteen_managers_are_few_orbits() -> None:
    report = explore(
        find_model("2pc").at("small", sizes={"rms": 14}, profile="nomad-2.0"), reduction="symmetry"
    )

    assert (12_323, 227_468, 44) == (report.distinct, report.generated, report.depth)
    assert ["everyone_is_told"] == list(report.not_checked)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("model", "scope", "reduction", "distinct", "generated", "depth"),
    [
        ("core", "flip", "none", 1_209_975, 3_017_107, 39),
        ("core", "flip", "symmetry", 152_064, 378_833, 39),
        ("2pc", "full", "none", 1_745_408, 18_507_778, 26),
    ],
)
def test_published_counts_of_large_scopes(
    model: str, scope: str, reduction: str, distinct: int, generated: int, depth: int
) -> None:
    report = explore(bind_as_usual(find_model(model), scope), reduction=reduction)

    assert (distinct, generated, depth) == (report.distinct, report.generated, report.depth)
    assert Verdict.HOLDS is report.verdict


@pytest.mark.parametrize("reduction", ["none", "symmetry"])
@pytest.mark.parametrize(
    ("model", "scope", "prop", "length"),
    [
        ("core", "unchecked", "no_node_is_oversubscribed", 6),
        ("core", "reused", "no_token_is_shared", 3),
        ("2pc", "hasty", "managers_agree", 5),
    ],
)
def test_shortest_stories(model: str, scope: str, prop: str, length: int, reduction: str) -> None:
    report = explore(bind_as_usual(find_model(model), scope), reduction=reduction)

    assert Verdict.VIOLATED is report.verdict
    assert "violation" == report.stopped_by
    assert (prop, length) == (report.findings[0].property, len(steps_of(report)[prop]))
    assert report.findings[0].story is not None
    assert report.findings[0].story.witnesses


def test_the_story_is_the_first_of_the_shortest_where_switches_do_not_matter() -> None:
    report = explore(UNCHECKED, tells_fewest_switches=False)
    oversubscribed = UNCHECKED.model.find_property("no_node_is_oversubscribed")
    paths = search(UNCHECKED).paths
    expected = next(path for cells, path in paths.items() if not UNCHECKED.holds(oversubscribed, cells))

    found = report.findings[0].story

    assert found is not None
    rules = [step.rule for step in found.steps]
    assert [step.partition("(")[0] for step in expected] == rules
    assert report.findings == explore(UNCHECKED, tells_fewest_switches=False).findings
    assert len(rules) == len(steps_of(explore(UNCHECKED))["no_node_is_oversubscribed"])


def test_every_property_has_its_first_violation_when_the_search_goes_on() -> None:
    report = explore(DIAL.at(), stop_at_first=False)

    assert {
        "is_low": [],
        "only_falls": ["TurnBack()"],
        "is_never_turned": ["TurnBack()"],
        "is_past_its_top": [],
    } == steps_of(report)
    assert report.findings[-1].story is None
    assert ["has_stopped", "is_past_its_top"] == list(report.reached)
    assert report.stopped_by is None


def test_the_search_goes_on_past_a_lemma_and_tells_it_last() -> None:
    report = explore(DIAL.at(), properties=["is_never_turned", "only_falls", "has_stopped"])

    assert ["only_falls", "is_never_turned"] == [finding.property for finding in report.findings]
    assert ["has_stopped", "is_never_turned", "only_falls"] == sorted(report.checked)


def test_a_lemma_alone_is_a_violation_too() -> None:
    report = explore(DIAL.at(), properties=["is_never_turned"])

    assert Verdict.VIOLATED is report.verdict
    assert report.stopped_by is None


def test_a_deadlock_is_found_and_rest_is_none() -> None:
    report = explore(FORKS.at())

    assert {DEADLOCK: ["Take(False)", "Take(True)"]} == steps_of(report)
    assert report.findings[0].kind is None


def test_deadlock_is_asked_only_when_wanted() -> None:
    assert (DEADLOCK,) == explore(FORKS.at(), properties=[DEADLOCK]).checked


def test_budgets_say_how_far_they_were_used() -> None:
    flips = explore(
        find_model("core").at("flip", sizes={"jobs": 1, "count": 1, "workers": 1}, profile="nomad-2.0")
    ).budgets
    (turned,) = explore(DIAL.at(), properties=[DEADLOCK]).budgets

    assert [("flipped", 1, 1, True)] == [
        (budget.name, budget.limit, budget.used, budget.is_touched) for budget in flips
    ]
    assert ("turned", 2, 2) == (turned.name, turned.limit, turned.used)


def test_silent_rules_are_named() -> None:
    assert ("FlipNode",) == explore(
        find_model("core").at("small", sizes={"jobs": 1}, profile="nomad-2.0")
    ).silent_rules


def test_states_bound_a_search() -> None:
    report = explore(find_model("core").at("small", profile="nomad-2.0"), max_states=1000)

    assert (Verdict.INCONCLUSIVE, "states") == (report.verdict, report.stopped_by)
    assert 1000 <= report.distinct < 1100
    assert {"evaluation_is_answered"} == set(report.not_checked)
    assert report.checkpoint is None


def test_the_world_that_fills_a_search_is_the_last_one_by_every_engine() -> None:
    bounded = find_model("core").at("small", profile="nomad-2.0")

    reports = [explore(bounded, max_states=10, engine=engine) for engine in ("interpreted", "compiled")]

    assert [11, 11] == [report.distinct for report in reports]
    assert reports[0].digest == reports[1].digest


def test_time_bounds_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count()
    monkeypatch.setattr("time.monotonic", lambda: next(ticks))

    report = explore(
        find_model("core").at("small", profile="nomad-2.0"), engine="interpreted", max_seconds=1000
    )

    assert (Verdict.INCONCLUSIVE, "time") == (report.verdict, report.stopped_by)
    assert 0 < report.distinct < 34_069


def test_what_finds_no_room_in_memory_goes_to_files() -> None:
    report = explore(find_model("core").at("small", profile="nomad-2.0"), max_memory_mib=1)

    assert (Verdict.HOLDS, None, 34_069) == (report.verdict, report.stopped_by, report.distinct)
    assert "lie in files" in report.engine_notes[-1]


@pytest.mark.parametrize("by_signal", [True, False])
def test_ctrl_c_gives_a_partial_report(by_signal: bool) -> None:
    usual = signal.getsignal(signal.SIGINT)
    progress = Impatience(3, by_signal=by_signal)

    report = explore(find_model("core").at("small", profile="nomad-2.0"), progress=progress)

    assert (Verdict.INCONCLUSIVE, "interrupt") == (report.verdict, report.stopped_by)
    assert 3 == len(progress.texts)
    assert usual is signal.getsignal(signal.SIGINT)


def test_a_search_runs_in_any_thread() -> None:
    reports: list[ExploreReport] = []
    thread = threading.Thread(target=lambda: reports.append(explore(GATE_OPEN.at(), properties=[DEADLOCK])))
    thread.start()
    thread.join()

    assert [3] == [report.distinct for report in reports]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="stops"):
        explore(DIAL.at(), properties=["stop"])
    with pytest.raises(UnknownNameError, match="symmetry"):
        explore(DIAL.at(), reduction="symetry")


@pytest.mark.parametrize(
    "options",
    [{"workers": 0}, {"max_memory_mib": -1}, {"max_states": 0}, {"max_seconds": -1}, {"properties": []}],
)
def test_what_makes_no_search_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        explore(DIAL.at(), **options)


def test_a_bare_name_is_one_property() -> None:
    assert ("stops",) == explore(DIAL.at(), properties="stops").checked


def test_a_value_outside_its_domain_is_a_violation() -> None:
    report = explore(CRAMPED.at())

    assert (Verdict.VIOLATED, "domains_are_kept") == (report.verdict, report.findings[-1].property)


def test_the_story_is_the_same_where_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    held = iter([0])
    monkeypatch.setattr(limits, "measure_memory_bytes", lambda: next(held, 1 << 40))

    report = explore(UNCHECKED, max_memory_mib=1)

    assert steps_of(explore(UNCHECKED)) == steps_of(report)
    assert steps_of(explore(UNCHECKED, tells_fewest_switches=False)) != steps_of(report)
