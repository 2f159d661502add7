from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from nomadspec.checkers.manifest import Published
from nomadspec.checkers.mutants.difference import Effect
from nomadspec.checkers.mutants.ledger import Ledger
from nomadspec.checkers.mutants.mutant import PROOFS, Fate, Judged, Mutant, list_mutants, sample_mutants
from nomadspec.checkers.mutants.searches import list_searches
from nomadspec.checkers.mutants.trial import Trial, try_mutants
from nomadspec.checkers.progress import Silence
from nomadspec.invariants.catalogue import find_model
from tests.checkers.mutants.jar import JAR, mutant_of, search_of
from tests.checkers.mutants.till import TILL


def try_all(
    *mutants: Mutant, workers: int = 1, seconds: float | None = None, ledger: Ledger | None = None
) -> Trial:
    trial = Trial("jar", JAR, (search_of(), search_of("three")), [Judged(one) for one in mutants])
    try_mutants(trial, ledger or Ledger(None, ""), Silence(), workers=workers, seconds=seconds)
    return trial


@cache
def try_whole() -> Trial:
    return try_all(*list_mutants(JAR))


def fate_of(mutant: Mutant) -> Judged:
    return next(one for one in try_whole().judged if one.mutant.name == mutant.name)


def test_a_hole_in_the_properties_shows_as_a_survivor() -> None:
    one = fate_of(mutant_of("fill", "effect left out", "labelled"))

    assert Fate.SURVIVED is one.fate
    assert Effect.WORLDS in one.effects.values()


def test_a_mistake_that_breaks_a_property_is_killed() -> None:
    one = fate_of(mutant_of("take", "effect left out", "t.lid"))

    assert (Fate.KILLED, ("nobody_is_robbed",)) == (one.fate, one.noticed)
    assert "proofs" == one.by


def test_a_mistake_in_a_condition_by_which_a_rule_counts_is_killed() -> None:
    mutants = [one for one in list_mutants(TILL, ["Empty"]) if one.part.name == "is_full"]
    search = Published("till", "two", "nomad-2.0", "none", "holds", 0.0, "fast")
    trial = Trial("till", TILL, (search,), [Judged(one) for one in mutants])
    try_mutants(trial, Ledger(None, ""), Silence(), workers=1, seconds=None)

    assert ["comparison turned"] == [one.mutant.edit.kind for one in trial.judged]
    assert [(Fate.KILLED, ("only_full_tills_make_rounds",))] == [
        (one.fate, one.noticed) for one in trial.judged
    ]


def test_a_mistake_that_the_engine_refuses_is_killed() -> None:
    one = fate_of(mutant_of("has_sweets", "comparison turned"))

    assert Fate.KILLED is one.fate
    assert {"domain of sweets", "nobody_is_robbed"} >= set(one.noticed)


def test_a_mistake_without_any_effect_is_equivalent() -> None:
    found = try_whole().list_with(Fate.EQUIVALENT)

    assert found
    assert all(Effect.WORLDS not in one.effects.values() for one in found)
    assert {Effect.NONE.value} == {one.effects[PROOFS] for one in found}


def test_a_property_made_true_is_killed_by_what_it_overlooks() -> None:
    one = fate_of(mutant_of("nobody_is_robbed", "property made true"))

    assert Fate.KILLED is one.fate
    assert "proofs, slips, where it overlooks" == one.by


def test_a_world_that_need_not_be_reached_any_more_is_killed_by_a_rule_that_is_left_out() -> None:
    one = fate_of(mutant_of("all_are_happy", "property made true"))

    assert Fate.KILLED is one.fate
    assert one.by.endswith("rules left out, where it overlooks")


def test_a_property_that_notices_nothing_survives() -> None:
    one = fate_of(mutant_of("too_many_sweets_are_labelled", "property made true"))

    assert Fate.SURVIVED is one.fate


def test_the_score_is_that_of_mutants_that_change_anything() -> None:
    whole = try_whole()
    killed, survived = len(whole.list_with(Fate.KILLED)), len(whole.list_with(Fate.SURVIVED))

    assert killed / (killed + survived) == whole.score
    assert 0 < whole.score < 1


@pytest.mark.deep
def test_workers_find_the_same() -> None:
    found = try_all(*list_mutants(JAR), workers=2)

    assert [(one.fate, one.by, one.effects) for one in try_whole().judged] == [
        (one.fate, one.by, one.effects) for one in found.judged
    ]


def test_what_is_in_the_ledger_is_not_tried_again(tmp_path: Path) -> None:
    mutants = sample_mutants(list_mutants(JAR), 12, 1)
    ledger = Ledger(tmp_path / "ledger", "x")
    first = try_all(*mutants, ledger=ledger)
    ledger.close()
    size = (tmp_path / "ledger").stat().st_size
    again = Ledger(tmp_path / "ledger", "x")
    second = try_all(*mutants, ledger=again)
    again.close()

    assert [one.fate for one in first.judged] == [one.fate for one in second.judged]
    assert size == (tmp_path / "ledger").stat().st_size


def test_what_time_did_not_allow_is_undecided() -> None:
    found = try_all(*list_mutants(JAR), seconds=1e-9)

    assert ("time", 0) == (found.stopped_by, found.score)
    assert len(found.judged) == len(found.list_with(Fate.UNDECIDED))


@pytest.mark.parametrize(("distinct", "notes"), [(None, 0), (17, 0), (18, 1)])
def test_what_is_not_as_published_is_said(distinct: int | None, notes: int) -> None:
    search = replace(search_of(), distinct=distinct)
    trial = Trial("jar", JAR, (search,), [Judged(mutant_of("fill", "off by one"))])
    try_mutants(trial, Ledger(None, ""), Silence(), workers=1, seconds=None)

    assert notes == len(trial.notes)


class Interrupting:
    """Presses Ctrl-C after a while."""

    def update(self, _text: str, done: int, _expected: int | None = None) -> None:
        if done > 3:
            raise KeyboardInterrupt


def test_an_interrupt_leaves_what_was_found_until_then() -> None:
    trial = Trial("jar", JAR, (search_of(),), [Judged(one) for one in list_mutants(JAR)])
    try_mutants(trial, Ledger(None, ""), Interrupting(), workers=1, seconds=None)
    fates = Counter(one.fate for one in trial.judged)

    assert "interrupt" == trial.stopped_by
    assert fates[Fate.KILLED] >= 3
    assert fates[Fate.UNDECIDED] > 0


@pytest.mark.deep
@pytest.mark.parametrize("name", ["2pc", "core"])
def test_the_checks_of_the_small_models_notice_nearly_all(name: str) -> None:
    model = find_model(name)
    trial = Trial(name, model, list_searches(model), [Judged(one) for one in list_mutants(model)])
    try_mutants(trial, Ledger(None, ""), Silence(), workers=2, seconds=None)

    assert trial.score is not None
    assert trial.score >= 0.95


@pytest.mark.deep
def test_a_sample_of_the_kernel_is_tried() -> None:
    model = find_model("kernel")
    chosen = sample_mutants(list_mutants(model), 40, 1)
    trial = Trial("kernel", model, list_searches(model), [Judged(one) for one in chosen])
    try_mutants(trial, Ledger(None, ""), Silence(), workers=2, seconds=120)

    assert trial.list_with(Fate.KILLED)
