"""Questions as files."""

from pathlib import Path

import pytest
import z3

from nomadspec.checkers.smt.algebra import list_parts
from nomadspec.checkers.smt.emit import (
    QuestionFiles,
    Written,
    as_standard,
    compute_file_name,
    find_logic,
    list_declarations,
    write_question,
)
from nomadspec.checkers.smt.proving import prove
from nomadspec.checkers.smt.question import Answer, Asking
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import UsageError
from tests.checkers.smt.emit_status import status_of as status_asked

X, Y = z3.Ints("x y")
P, Q = z3.Bools("p q")
HEIGHT = z3.Function("height", z3.IntSort(), z3.IntSort())


def status_of(text: str) -> str:
    return text.partition(":status ")[2].partition(")")[0]


@pytest.mark.parametrize(
    ("term", "logic"),
    [
        (X + 2 * Y > 3, "QF_LIA"),
        (X * Y > 3, "QF_NIA"),
        (HEIGHT(X) > 3, "QF_UFLIA"),
        (z3.ForAll([X], X <= Y), "LIA"),
        (z3.ForAll([X], HEIGHT(X) <= Y * Y), "UFNIA"),
    ],
)
def test_the_logic_is_the_smallest_that_will_do(term: z3.ExprRef, logic: str) -> None:
    assert logic == find_logic(list(list_parts([term])))


def test_unknowns_are_declared_once_and_in_order() -> None:
    declared = list_declarations(list(list_parts([HEIGHT(X) > 0, z3.Or(P, X > Y)])))

    assert [
        "(declare-fun height (Int) Int)",
        "(declare-fun x () Int)",
        "(declare-fun p () Bool)",
        "(declare-fun y () Int)",
    ] == declared


def test_what_is_only_named_as_a_hint_is_declared_too() -> None:
    hinted = z3.ForAll([X], X <= Y, patterns=[HEIGHT(X)])
    text = write_question("hinted", [hinted], Answer.BROKEN)

    assert "(declare-fun height (Int) Int)" in list_declarations(list(list_parts([hinted])))
    assert len(z3.parse_smt2_string(text)) == 1


def test_counts_of_flags_are_said_in_words_of_the_standard() -> None:
    counted = z3.PbEq([(P, 2), (Q, 3)], 5)
    solver = z3.Solver()
    solver.add(as_standard(counted) != counted)

    assert z3.unsat == solver.check()
    assert "pbeq" not in as_standard(counted).sexpr()


def test_a_file_stands_for_itself() -> None:
    text = write_question("a | b", [X > 2, X < 3], Answer.KEPT)

    assert text.startswith("(set-info :smt-lib-version 2.6)\n(set-logic QF_LIA)\n")
    assert "|nomadspec: a / b|" in text
    assert "unsat" == status_of(text) == status_asked(text)


def test_names_of_files_are_plain_and_short() -> None:
    assert "pens-py-PENS.any-number.a_b.Take.1.smt2" == compute_file_name(
        ("pens.py:PENS", "any number", "a_b", "Take", "1")
    )
    assert 255 > len(compute_file_name(("x" * 500,)))
    assert compute_file_name(("x" * 500, "1")) != compute_file_name(("x" * 500, "2"))


def test_what_is_asked_again_takes_the_place_of_the_first(tmp_path: Path) -> None:
    files = QuestionFiles(tmp_path / "new" / "folder", "m")
    files.note(("p",), [X > 2], Answer.UNKNOWN)
    files.note(("p",), [X > 2], Answer.BROKEN)

    assert (Written("m.p.smt2", "sat"),) == files.written
    assert ["m.p.smt2"] == [path.name for path in (tmp_path / "new" / "folder").iterdir()]


@pytest.mark.parametrize(
    ("rms", "asked"),
    [
        pytest.param(2, ["managers_agree"], id="one"),
        pytest.param(3, None, id="all", marks=pytest.mark.deep),
    ],
)
def test_every_question_of_a_proof_is_answered_alike_from_its_file(
    rms: int, asked: list[str] | None, tmp_path: Path
) -> None:
    files = QuestionFiles(tmp_path, "2pc")
    hasty = find_model("2pc").at("hasty", sizes={"rms": rms})
    report = prove(hasty, properties=asked, bmc_steps=5, asking=Asking(ledgers=(files,)))
    texts = [(tmp_path / written.file).read_text() for written in files.written]
    kinds = {written.file.split(".")[1] for written in files.written}

    assert "violated" == report.verdict.value
    assert {"any-number", "scope", "search"} <= kinds
    assert all(status_of(text) in {status_asked(text), "unknown"} for text in texts)
    assert len(texts) == len(list(tmp_path.iterdir()))


@pytest.mark.deep
def test_every_question_about_the_benchmark_can_be_read_by_others(tmp_path: Path) -> None:
    files = QuestionFiles(tmp_path, "core")
    bounded = find_model("core").at("small", profile="nomad-2.0")
    prove(bounded, properties=["plan_fits_its_snapshot"], asking=Asking(ledgers=(files,)))

    assert len(files.written) > 20
    for written in files.written:
        assert z3.parse_smt2_file(str(tmp_path / written.file))


def test_a_place_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(UsageError, match=r"file cannot be written \(.*\): name another folder"):
        QuestionFiles(tmp_path / "file", "m")


def test_a_folder_that_vanishes_is_named_and_ends_no_proof(tmp_path: Path) -> None:
    files = QuestionFiles(tmp_path / "gone", "m")
    (tmp_path / "gone").rmdir()
    (tmp_path / "gone").write_text("no folder any more")

    files.note(("p",), [X > 2], Answer.BROKEN)
    (tmp_path / "gone").unlink()
    (tmp_path / "gone").mkdir()
    files.note(("p",), [X > 2], Answer.BROKEN)

    assert "gone/m.p.smt2 cannot be written" in str(files.problem)
    assert () == files.written
    assert [] == list((tmp_path / "gone").iterdir())
