"""What a search found, in words."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click import unstyle

from nomadspec.checkers.attribution import Owned
from nomadspec.checkers.explore import explore
from nomadspec.checkers.explore.bounds import Constraint
from nomadspec.checkers.report.exploring import Explored
from nomadspec.checkers.requested_properties import IDLE_LEMMA
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.language.logic import Value, all_of, count
from nomadspec.model.language.model import Model
from nomadspec.model.language.property import always
from tests.checkers.findings import KNOWN
from tests.checkers.jar import Jar, put_in


def few_are_prepared(s: Any) -> Value:
    return count(s.prepared_sent[rm] for rm in s.rms) <= 1


def explored(scope: str = "small", rms: int = 2, **options: object) -> Explored:
    bounded = bind_as_usual(find_model("2pc"), scope, sizes={"rms": rms})
    return Explored(explore(bounded, **options), bounded, "2pc", "nomadspec explore --model 2pc")  # type: ignore[arg-type]  # options are explore's own


def text_of(found: Explored) -> str:
    return " ".join(unstyle(found.render()).split())


def test_a_complete_search_says_so() -> None:
    text = text_of(explored())

    assert "2pc, scope small (rms=2), profile nomad-2.0 HOLDS exhaustive: all 56 reachable worlds" in text
    assert "managers_agree always holds in every world" in text
    assert "decision_is_final step holds in every step" in text
    assert "all_commit sometimes is reached in 7 steps" in text
    assert "everyone_is_told eventually comes true on every fair path" in text
    assert "deadlock no world is stuck" in text
    assert "reproduce nomadspec explore --model 2pc" in text


def test_of_many_properties_those_that_are_alike_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nomadspec.checkers.report.exploring._MOST_ROWS", 5)
    text = text_of(explored())

    assert "5 properties always, lemma holds in every world" in text
    assert "2 properties sometimes is reached" in text
    assert "counted_was_sent" not in text
    assert "counted_was_sent" in explored().render(with_engine=True)
    assert "managers_agree always violated after 5 steps" in text_of(explored("hasty", 3))


def test_lemmas_that_are_not_asked_are_counted_and_named_in_the_data() -> None:
    found = explored("hasty", properties=None, stop_at_first=False)
    idle = [prop.name for prop in found.bounded.model.properties if prop.is_lemma]
    told = found.data()["not_checked"]

    assert "not asked 5 lemmas, which quirks of the profile may break (--property NAME asks" in text_of(found)
    assert isinstance(told, dict)
    assert dict.fromkeys(idle, IDLE_LEMMA) == told
    assert "not asked" not in text_of(explored("hasty", properties=["commit_counts_everyone"]))


def test_orbits_are_not_called_worlds() -> None:
    text = text_of(explored(reduction="symmetry", most_unfolded=0))

    assert "reachable orbits" in text
    assert "symmetry reduction" in text
    assert "everyone_is_told eventually liveness not checked under symmetry:" in text
    assert "INCONCLUSIVE exhaustive: all 34 reachable orbits; but everyone_is_told was not checked" in text


@pytest.mark.parametrize(
    ("bound", "said"),
    [
        ({"max_depth": 5}, "depth 5"),
        ({"constraint": Constraint("few", few_are_prepared)}, "'few'"),
    ],
)
def test_a_violation_within_bounds_does_not_hold_there(bound: dict[str, object], said: str) -> None:
    text = text_of(explored("hasty", 3, stop_at_first=False, **bound))

    assert "VIOLATED searched within" in text
    assert f"{said}, beyond which there is more:" in text


def test_a_search_that_was_cut_promises_nothing(tmp_path: Path) -> None:
    text = text_of(explored(max_states=3, checkpoint=tmp_path / "c"))

    assert "INCONCLUSIVE not exhaustive, it had stored as many worlds as it was allowed to" in text
    assert "managers_agree always not refuted so far" in text
    assert "all_commit sometimes not reached so far" in text
    assert "deadlock not refuted so far" in text
    assert f"--resume {tmp_path / 'c'}" in text


def test_a_checkpoint_that_could_not_be_written_is_told() -> None:
    cut = explored(max_states=3)
    for path, told in (
        (None, "checkpoint it could not be written"),
        ("c.bin", "checkpoint c.bin: it could not"),
    ):
        report = replace(cut.report, checkpoint=path, checkpoint_problem="it could not be written at the end")
        assert told in text_of(replace(cut, report=report))


def test_an_audit_that_is_cut_does_not_undo_what_was_searched() -> None:
    text = text_of(explored(reduction="symmetry", audit=True, max_states=40))

    assert "INCONCLUSIVE exhaustive: all 34 reachable orbits; but it had stored as many" in text
    assert "worlds as it was allowed to before every property was checked" in text
    assert "managers_agree always holds in every world" in text
    assert "deadlock no world is stuck" in text
    assert "not finished (it had stored as many worlds as it was allowed to): nothing was compared" in text


def test_a_single_world_is_the_only_one() -> None:
    one = explored()
    for reduction, told in (
        ("none", "exhaustive: the only reachable world ("),
        ("symmetry", "exhaustive: the only reachable orbit ("),
        ("partial-order", "exhaustive: the only needed world ("),
    ):
        assert told in text_of(replace(one, report=replace(one.report, distinct=1, reduction=reduction)))


def test_a_violation_is_told() -> None:
    found = explored("hasty", rms=3)
    text = text_of(found)

    assert "VIOLATED stopped at a violation after" in text
    assert "managers_agree always violated after 5 steps" in text
    assert "keep it nomadspec explore --model 2pc --story-out story.json" in text
    story = found.story()
    assert story is not None
    assert "managers_agree" == story.property


def test_the_story_of_what_was_reached_is_kept_where_nothing_is_wrong() -> None:
    story = explored(properties=["all_commit"]).story()

    assert story is not None
    assert "all_commit" == story.property


def test_what_is_never_reached_has_no_story() -> None:
    found = explored("small", rms=0)

    assert "is never reached" in text_of(found)


@always("Jar-1", why="as far as the scope counts it is so by definition")
def coins_are_few(s: Jar) -> Value:
    return s.coins <= 2


def test_what_a_step_leaves_behind_is_not_true_by_definition() -> None:
    bounded = Model("jar", "a jar", Jar, (put_in,), (coins_are_few,)).at()
    text = text_of(Explored(explore(bounded), bounded, "jar", "nomadspec explore"))

    assert "coins_are_few always not refuted so far" in text
    assert "counters_fit_the_scope promise violated after 3 steps" in text


@always("JAR-2", why="it asks a list for what is not there")
def jar_has_a_label(s: Jar) -> Value:
    labels: list[int] = []
    return all_of(s.coins >= 0, labels[0] == 1)


def test_what_has_no_answer_is_not_true_by_definition() -> None:
    bounded = Model("jar", "a jar", Jar, (put_in,), (jar_has_a_label,)).at()
    text = text_of(Explored(explore(bounded), bounded, "jar", "nomadspec explore"))

    assert "jar_has_a_label always not refuted so far" in text
    assert "texts_have_answers always violated after 0 steps" in text


def test_the_known_finding_that_a_story_shows_is_named() -> None:
    found = explored("hasty", 2)
    (shown,) = found.report.findings
    known = {shown.property: Owned((KNOWN,), is_mended=True)}
    new = {shown.property: Owned((), is_mended=False)}

    assert f"known as {KNOWN.id}: {KNOWN.title}; nomadspec findings {KNOWN.id}" in text_of(
        replace(found, owners=known)
    )
    assert "no known finding about managers_agree explains these steps; mending all keeps it" in text_of(
        replace(found, owners=new)
    )
    assert "known as" not in text_of(found)
    for owners, data in ((known, [{"id": KNOWN.id, "title": KNOWN.title}]), (new, []), ({}, None)):
        findings: Any = replace(found, owners=owners).data()["findings"]
        assert [data] == [one["known"] for one in findings]
