"""The means of ``prove``."""

from pathlib import Path

import pytest

from nomadspec.checkers.cli import proving
from nomadspec.checkers.cli.choice import Choice
from nomadspec.checkers.cli.proving import Means, compute_picture, describe_check, draw_first, find_format
from nomadspec.checkers.progress import Silence
from nomadspec.checkers.report.proving import Proved
from nomadspec.checkers.smt import second_solver
from nomadspec.checkers.smt.question import Answer
from nomadspec.checkers.verdict import ProveReport, Verdict
from nomadspec.model.errors import UsageError

HASTY = Choice("2pc", "hasty")


def prove(bmc: int, **others: object) -> Proved:
    means = Means(
        bmc=bmc,
        time=None,
        bounded_only=True,
        seed=1,
        emit_smt2=None,
        cross_check=bool(others.get("check")),
        faults=False,
    )
    return means.prove(HASTY, "managers_agree", Silence())


def test_questions_are_written_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    means = Means(
        bmc=2,
        time=None,
        bounded_only=False,
        seed=3,
        emit_smt2=tmp_path / "q",
        cross_check=False,
        faults=False,
    )
    means.prove(Choice("2pc"), "decision_is_final", Silence())
    means.tell_files()

    assert len(means.written) == len(list((tmp_path / "q").iterdir()))
    told = capsys.readouterr().err
    assert f"wrote {len(means.written)} questions to {tmp_path / 'q'}: " in told
    others = sum(not one.is_obligation for one in means.written)
    assert 0 < others < len(means.written)
    assert others == sum("is-possible" in one.file for one in means.written)
    assert f" unsat; {others} that no proof needs ask whether a rule is possible: {others} unknown\n" in told
    assert {"file", "status"} == set(means.list_questions()[0])


def test_an_interrupt_leaves_the_models_behind_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(self: Means, choice: Choice, _wanted: str | None, _progress: Silence) -> Proved:
        del self
        report = ProveReport(Verdict.INCONCLUSIVE, (), 0.0, is_interrupted=choice.model == "core")
        return Proved(report, None, choice.model)

    monkeypatch.setattr(Means, "prove", cut)
    means = Means(
        bmc=0, time=None, bounded_only=False, seed=1, emit_smt2=None, cross_check=False, faults=False
    )
    proved = means.prove_all([Choice("2pc"), Choice("core"), Choice("kernel")], None, Silence())

    assert ["2pc", "core"] == [one.reference for one in proved]


def test_what_the_second_solver_said_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_solver, "is_there", lambda: True)
    monkeypatch.setattr(second_solver, "ask_second", lambda _text: Answer.UNKNOWN)
    (note,) = prove(0, check=True).report.notes

    assert "it gives the same answer to 0, and" in note


def test_agreement_is_told_in_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    said = iter([Answer.KEPT] * 7 + [Answer.UNKNOWN] * 2)
    monkeypatch.setattr(second_solver, "is_there", lambda: True)
    monkeypatch.setattr(second_solver, "ask_second", lambda _text: next(said))
    check = second_solver.CrossCheck("m")
    for number in range(9):
        check.note((str(number),), [], Answer.KEPT)

    assert "asked the same 9 questions: it gives the same answer to 7, and 2 are left" in describe_check(
        check
    )


@pytest.mark.deep
def test_stories_are_drawn_before_gaps() -> None:
    violated, gap = prove(6), prove(0)

    assert b"ObeyCommit" in (compute_picture([gap, violated], "mermaid") or b"")
    assert b"which perhaps nothing leads to" in (compute_picture([gap], "mermaid") or b"")


def test_where_all_is_proved_nothing_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draw_first([], tmp_path / "x.svg", "svg")

    assert "there is nothing to draw" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_name_says_how_it_is_drawn(tmp_path: Path) -> None:
    assert "mermaid" == find_format(tmp_path / "a.mmd")
    assert "" == find_format(None)
    with pytest.raises(UsageError, match=r"must end in \.svg, \.png, \.mmd"):
        find_format(tmp_path / "a.txt")


def test_without_a_file_nothing_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[object] = []
    monkeypatch.setattr(proving, "compute_picture", lambda *arguments: drawn.append(arguments))
    draw_first([], None, "svg")

    assert not drawn
