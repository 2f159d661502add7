from functools import cache

import pytest
from click import unstyle

from nomadspec.checkers.mutants.ledger import Ledger
from nomadspec.checkers.mutants.mutant import Fate, Judged, list_mutants
from nomadspec.checkers.mutants.trial import Trial, try_mutants
from nomadspec.checkers.progress import Silence
from nomadspec.checkers.report.mutants import (
    data_of,
    describe_trial_of,
    judge_trial,
    render_trials,
    show_file,
)
from nomadspec.checkers.verdict import Verdict
from tests.checkers.cli.schemas import check_output
from tests.checkers.mutants.jar import JAR, mutant_of, search_of


@cache
def whole() -> Trial:
    trial = Trial("jar", JAR, (search_of(),), [Judged(one) for one in list_mutants(JAR)])
    try_mutants(trial, Ledger(None, ""), Silence(), workers=1, seconds=None)
    return trial


def trial_of(
    killed: int, survived: int, drawn_from: int | None = None, stopped_by: str | None = None
) -> Trial:
    mutant = mutant_of("fill", "off by one")
    fates = [Fate.KILLED] * killed + [Fate.SURVIVED] * survived
    judged = [Judged(mutant, fate) for fate in fates]
    return Trial("jar", JAR, (), judged, drawn_from=drawn_from, stopped_by=stopped_by)


def text_of(trial: Trial, *, in_full: bool = False) -> str:
    return unstyle(render_trials([trial], 95.0, in_full=in_full))


@pytest.mark.parametrize(
    ("trial", "verdict"),
    [
        (trial_of(95, 5), Verdict.HOLDS),
        (trial_of(94, 6), Verdict.VIOLATED),
        (trial_of(95, 5, drawn_from=300), Verdict.NOT_REFUTED),
        (trial_of(95, 5, stopped_by="time"), Verdict.INCONCLUSIVE),
        (trial_of(0, 0), Verdict.INCONCLUSIVE),
    ],
)
def test_the_verdict_says_whether_enough_was_noticed(trial: Trial, verdict: Verdict) -> None:
    assert verdict is judge_trial(trial, 95.0)


def test_every_survivor_is_shown_with_its_place() -> None:
    text = text_of(whole())
    survivor = mutant_of("fill", "effect left out", "labelled")

    assert f"jar.py:{survivor.edit.line}: effect left out in fill" in text
    assert "before  full.labelled = True" in text
    assert "tried   1 search: 1 other worlds, nothing amiss" in text
    assert "VIOLATED" in text


def test_what_noticed_the_others_is_shown_in_full() -> None:
    assert "noticed  proofs: nobody_is_robbed" in text_of(whole(), in_full=True)
    assert "noticed  proofs: nobody_is_robbed" not in text_of(whole())


def test_a_sample_says_that_it_is_one() -> None:
    assert "drawn from 300 with the seed 0" in text_of(trial_of(95, 5, drawn_from=300))


def test_of_a_run_that_was_cut_the_least_that_it_can_come_to_is_told() -> None:
    trial = trial_of(95, 1, stopped_by="time")
    trial.judged += [Judged(mutant_of("fill", "off by one")) for _ in range(4)]

    assert "at least 95.0 % were noticed" in " ".join(text_of(trial).split())
    assert 0.95 == trial.score
    assert "at least" not in text_of(trial_of(95, 5))


def test_the_data_fit_their_schema() -> None:
    data = {"schema": "nomadspec/mutants/1", **data_of([whole()], 95.0, Verdict.VIOLATED)}

    check_output(data)


def test_data_and_text_count_the_same() -> None:
    data = data_of([whole()], 95.0, Verdict.VIOLATED)
    killed, survived = len(whole().list_with(Fate.KILLED)), len(whole().list_with(Fate.SURVIVED))

    assert f"'killed': {killed}, 'survived': {survived}" in str(data["results"])
    assert f"{killed} killed, {survived} survived" in " ".join(text_of(whole()).split())


def test_a_killed_mutant_is_told_by_its_killer() -> None:
    one = Judged(mutant_of("fill", "off by one"), Fate.KILLED, "jar two", ("a", "b"))

    assert "jar two: a, b" == describe_trial_of(one)


def test_files_of_the_project_are_named_from_its_folder() -> None:
    assert "tests/checkers/mutants/jar.py" == show_file(mutant_of("fill", "off by one").part.file)
    assert "/elsewhere/a.py" == show_file("/elsewhere/a.py")
