"""A start rule that fails is a violation with a story of one step, in every engine."""

import json
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.checkers.report.logs import read_log
from nomadspec.checkers.report.replaying import replay_file
from nomadspec.checkers.simulate import simulate
from nomadspec.checkers.smt import prove
from nomadspec.checkers.verdict import ProofResult, Verdict
from nomadspec.model.errors import UsageError
from nomadspec.model.language.bounded import BoundedModel
from nomadspec.model.language.domain import FLAG, Id, Map, upto
from nomadspec.model.language.logic import Value, for_all, ite, not_
from nomadspec.model.language.model import Model
from nomadspec.model.language.model_promises import DOMAINS_ARE_KEPT, QUEUES_ARE_USED_WELL
from nomadspec.model.language.property import always, eventually, sometimes
from nomadspec.model.language.rule import Rule, rule, weak
from nomadspec.model.language.world import World, field, ids, queue
from tests.checkers.cli.calling import call

TANKS = Path(__file__)


class Tanks(World):
    """Tanks that begin with some water, and pumps in a line."""

    tanks = ids("tank", 2, "the tanks")
    level = field(tanks, upto(3), init=0, about="litres")
    is_open = field(FLAG, init=False, about="the tap is open")
    line = queue(tanks, "tanks in a line")


@rule("Tanks-1", much=Map(Tanks.tanks, upto(3)))
def begin(s: Tanks, t: Tanks, much: Value) -> None:
    """Each tank begins with some water, and one litre more where the first has any."""
    for tank in s.tanks:
        t.level[tank] = much[tank] + ite(for_all(much[other] > 0 for other in s.tanks), 1, 0)


@rule("Tanks-2", much=upto(5))
def begin_alike(s: Tanks, t: Tanks, much: Value) -> None:
    """All tanks begin with as much."""
    t.level = much


@rule("Tanks-3", tank=Tanks.tanks)
def begin_in_line(s: Tanks, t: Tanks, tank: Id) -> None:
    """A tank leaves a line in which it never was."""
    t.line.pop(tank)


@rule("Tanks-4", tank=Tanks.tanks, fair=weak())
def fill(s: Tanks, t: Tanks, tank: Id) -> None:
    """A tank gets a litre."""
    t.require(s.level[tank] < 3)
    t.level[tank] = s.level[tank] + 1


@always("Tanks-1", why="an empty tank would run dry")
def none_is_empty(s: Tanks) -> Value:
    """No tank is empty: of the first values that is not so, but no world begins with them."""
    return for_all(s.level[tank] > 0 for tank in s.tanks)


@sometimes("Tanks-1", why="a tap is there to be opened")
def the_tap_is_closed(s: Tanks) -> Value:
    """The tap is closed."""
    return not_(s.is_open)


@eventually("Tanks-4", why="tanks should fill")
def all_are_full(s: Tanks) -> Value:
    """All tanks are full."""
    return for_all(s.level[tank] == 3 for tank in s.tanks)


def make(*starts: Rule) -> Model:
    return Model(
        "tanks",
        "tanks and a line",
        Tanks,
        (fill,),
        (none_is_empty, the_tap_is_closed, all_are_full),
        starts=starts,
    )


ALL = make(begin, begin_alike)
CASES = [(begin, DOMAINS_ARE_KEPT), (begin_alike, DOMAINS_ARE_KEPT), (begin_in_line, QUEUES_ARE_USED_WELL)]


@pytest.mark.parametrize(("start", "promise"), CASES)
@pytest.mark.parametrize(
    "options", [{}, {"reduction": "symmetry"}, {"engine": "compiled"}, {"stop_at_first": False}]
)
def test_a_search_ends_with_the_start_that_fails(start: Rule, promise: str, options: dict[str, Any]) -> None:
    report = explore(make(start).at(), **options)
    (finding,) = report.findings

    assert Verdict.VIOLATED is report.verdict
    assert promise == finding.property
    assert finding.story is not None
    assert [make(start).starts[0].name] == [step.rule for step in finding.story.steps]


@pytest.mark.parametrize(("start", "promise"), CASES)
def test_a_walk_ends_with_it_as_well(start: Rule, promise: str) -> None:
    report = simulate(make(start).at(), seed=1, walks=60)
    (finding,) = report.findings

    assert (Verdict.VIOLATED, promise) == (report.verdict, finding.property)
    assert finding.story is not None
    assert 1 == len(finding.story.steps)


@pytest.mark.parametrize(("start", "promise"), CASES)
@pytest.mark.parametrize("is_open", [True, False])
def test_nothing_is_proved_of_a_model_that_cannot_begin(start: Rule, promise: str, is_open: bool) -> None:
    report = prove(make(start).at(), is_open=is_open)
    results = {proof.property: proof.result for proof in report.proofs}

    assert Verdict.VIOLATED is report.verdict
    assert ProofResult.COUNTEREXAMPLE is results[promise]
    assert ProofResult.UNKNOWN is results["none_is_empty"]
    assert any("A start rule fails" in note for note in report.notes)


def test_only_the_starts_that_fail_can_happen() -> None:
    bounded: BoundedModel = ALL.at()
    happening = {(instance.rule.name, instance.arguments) for instance in bounded.instances}

    assert bounded.failing_starts == happening
    assert {("BeginAlike", (4,)), ("BeginAlike", (5,)), ("Begin", ((3, 1),))} <= happening
    assert ("Begin", ((2, 2),)) not in happening
    assert "all_are_full" in {prop.name for prop in bounded.model.properties}


def test_no_log_is_followed_from_a_start_that_fails(tmp_path: Path) -> None:
    (log := tmp_path / "log.ndjson").write_text('{"rule": "Fill"}\n')

    with pytest.raises(UsageError, match=r"The start rule Begin .* fails, so that no log can be followed"):
        read_log(log, make(begin).at())


def test_who_follows_a_log_is_told_how_the_start_fails(tmp_path: Path) -> None:
    (model := tmp_path / "tanks.py").write_text(TANKS.read_text())
    (log := tmp_path / "log.ndjson").write_text('{"rule": "Fill"}\n')
    kept = tmp_path / "story.json"

    called = call("follow", log, "--model", f"{model}:ALL", "--json", "--story-out", kept)
    told = json.loads(called.out)

    assert 1 == called.code
    assert ("violated", "domains_are_kept") == (told["verdict"], told["findings"][0]["property"])
    assert Verdict.HOLDS is replay_file(kept).verdict


def test_starts_that_do_not_fail_are_as_before() -> None:
    @rule("Tanks-5", much=upto(3))
    def begin_well(s: Tanks, t: Tanks, much: Value) -> None:
        """All tanks begin with as much."""
        t.require(much > 0)
        t.level = much

    bounded = make(begin_well).at()

    assert frozenset() == bounded.failing_starts
    assert 3 == len(bounded.initial)
    assert Verdict.HOLDS is explore(bounded, properties=["none_is_empty"]).verdict


def test_the_story_is_kept_and_replayed(tmp_path: Path) -> None:
    model = tmp_path / "tanks.py"
    model.write_text(TANKS.read_text())
    reference, kept = f"{model}:ALL", tmp_path / "story.json"

    called = call("explore", "--model", reference, "--json", "--story-out", kept)
    told = json.loads(called.out)

    assert 1 == called.code
    assert ("violated", "domains_are_kept") == (told["verdict"], told["findings"][0]["property"])
    assert Verdict.HOLDS is replay_file(kept).verdict
    assert 0 == call("story", kept).code
    assert "by definition" not in call("explore", "--model", reference).out
