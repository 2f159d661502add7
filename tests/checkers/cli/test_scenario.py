"""``nomadspec scenario``: one file with its timeline, several with one verdict, and what lines can say."""

from pathlib import Path

import pytest

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output
from tests.tidy.source import ROOT

FILE = str(ROOT / "docs/scenarios/nodes/a-node-is-lost.scenario")
FOLDER = str(ROOT / "docs/scenarios/seed")


@pytest.mark.parametrize("width", [80, 160])
def test_a_timeline_has_fixed_columns_and_fits(width: int) -> None:
    called = call("scenario", "run", FILE, "--width", str(width))
    rows = [line for line in called.out.splitlines() if line[:10].strip().endswith("s")]

    assert 0 == called.code
    assert rows
    assert all(len(line) <= width for line in called.out.splitlines() if not line.startswith("--"))
    assert {20} == {len(row) - len(row[20:]) for row in rows}
    assert all(row[10:12] == "  " and row[18:20] == "  " for row in rows)
    assert "HOLDS  7 expectations are met" in called.out


def test_a_scenario_of_the_documentation_is_found_and_called_as_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    called = call("scenario", "run", "docs/scenarios/nodes/a-node-is-lost.scenario", "--html", "lost.html")

    assert called.out.startswith("docs/scenarios/nodes/a-node-is-lost.scenario, profile nomad-2.0\n")
    assert "<title>docs/scenarios/nodes/a-node-is-lost.scenario" in Path("lost.html").read_text()


def test_an_operator_who_is_refused_is_seen_in_the_timeline(tmp_path: Path) -> None:
    file = tmp_path / "a.scenario"
    file.write_text("cluster 1 nodes\nregister web namespace nowhere\nexpect accepted\n")
    called = call("scenario", "run", str(file), "--json")
    check_output(called.data)

    assert 1 == called.code
    assert "nowhere" in called.data["events"][-1]["refused"]
    assert "refused: " in call("scenario", "run", str(file)).out


def test_a_refusal_that_no_line_expects_is_told_at_the_end(tmp_path: Path) -> None:
    file, other = tmp_path / "a.scenario", tmp_path / "b.scenario"
    file.write_text("cluster 1 nodes\ndrain node-7\n")
    other.write_text("cluster 1 nodes\ndrain node-7\nexpect refused 'not found'\n")
    told = "line 2 was refused, which no line expects: node not found"

    assert f"{told}\nHOLDS  played to its end; it expects nothing" in call("scenario", "run", str(file)).out
    assert f"  {told}" in call("scenario", "run", str(file), str(other)).out
    assert told not in call("scenario", "run", str(other)).out


def test_the_json_of_every_verb_has_the_fields_of_its_schema() -> None:
    check_output(call("scenario", "run", FILE, "--json").data)
    check_output(call("scenario", "run", FOLDER, "--json").data)
    check_output(call("scenario", "words", "--json").data)


def test_several_files_and_folders_have_one_verdict(tmp_path: Path) -> None:
    (tmp_path / "bad.scenario").write_text("cluster 1 nodes\nexpect 3 evals\n")
    called = call("scenario", "run", FILE, str(tmp_path))

    assert 1 == called.code
    assert "line 2: expected 3 evals, found 0 evals" in called.out
    assert "1 of 2 scenarios go as expected" in called.out


def test_a_scenario_that_goes_on_without_end_is_stopped_and_keeps_no_other_from_being_played(
    tmp_path: Path,
) -> None:
    endless = tmp_path / "a.scenario"
    endless.write_text(
        "cluster 2 nodes cpu 1000\nregister agent type system cpu 600\n"
        "register agent type system groups 2 canary 1,0\nwait 10m\nexpect 3 evals\n"
    )
    (tmp_path / "b.scenario").write_text("cluster 1 nodes\nexpect 0 evals\n")
    told = (
        "stopped in line 4, which has no end: worker-1 has submitted 204 plans for eval-00003, and does not"
    )
    alone, both = call("scenario", "run", str(endless)), call("scenario", "run", str(tmp_path))
    data = call("scenario", "run", str(endless), "--json").data
    check_output(data)

    assert 4 == alone.code == both.code
    assert f"INCONCLUSIVE  0 expectations are met; {told}" in alone.out
    assert told in both.out
    assert "INCONCLUSIVE  1 of 2 scenarios go as expected" in both.out
    assert ("endless", 4) == (data["stopped_by"], data["stopped_in_line"])


def test_a_file_that_cannot_be_played_keeps_no_other_from_being_played(tmp_path: Path) -> None:
    (tmp_path / "a.scenario").write_text("cluster 1 nodes\ndo 'PullAllocs(node-7)'\n")
    (tmp_path / "b.scenario").write_text("cluster 1 nodes\nexpect 0 evals\n")
    called, told = call("scenario", "run", str(tmp_path)), call("scenario", "run", str(tmp_path), "--json")

    assert 3 == called.code == told.code
    assert "a.scenario, at line 2: PullAllocs(node-7) is not possible here" in called.out
    assert "INCONCLUSIVE  1 of 2 scenarios go as expected" in called.out
    assert [f"{tmp_path}/a.scenario"] == [one["file"] for one in told.data["unreadable"]]
    check_output(told.data)


def test_rewriting_makes_a_scenario_hold(tmp_path: Path) -> None:
    file = tmp_path / "bad.scenario"
    file.write_text("cluster 1 nodes\nexpect 3 evals  # three\n")

    assert 1 == call("scenario", "run", str(file), "--rewrite").code
    assert "cluster 1 nodes\nexpect 0 evals  # three\n" == file.read_text()
    assert 0 == call("scenario", "run", str(file)).code


def test_what_cannot_be_read_is_said_with_exit_code_3(tmp_path: Path) -> None:
    file = tmp_path / "a.scenario"
    file.write_text("wait long\n")
    wrong = call("scenario", "run", str(file))

    assert 3 == wrong.code
    assert "line 1, word 2" in wrong.err
    assert 3 == call("scenario", "run", str(tmp_path / "none.scenario")).code
    file.unlink()
    assert "there is no file in it that ends in .scenario" in call("scenario", "run", str(tmp_path)).err


def test_a_chart_of_one_scenario_is_written_and_no_other(tmp_path: Path) -> None:
    chart = tmp_path / "lost.svg"
    called = call("scenario", "run", FILE, "--chart", str(chart))
    again = tmp_path / "again.svg"
    call("scenario", "run", FILE, "--chart", str(again))

    assert 0 == called.code
    assert f"wrote {chart}" in called.err
    assert chart.read_text().startswith("<svg ")
    assert chart.read_text() == again.read_text()
    assert 2 == call("scenario", "run", FOLDER, "--chart", str(again)).code
    assert 2 == call("scenario", "run", FILE, "--chart", str(again / "a.svg")).code


def test_a_timeline_is_as_wide_as_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    assert call("scenario", "run", FILE, "--width", "80").out == call("scenario", "run", FILE).out


def test_a_file_without_a_word_is_told_the_usual_one(tmp_path: Path) -> None:
    file = tmp_path / "a.scenario"
    file.write_text("")

    called = call("scenario", str(file))
    assert 2 == called.code
    assert f"Say what to do with {file}: `nomadspec scenario run {file}`, for example." in called.err
    assert f"`nomadspec vectors check {file}`" in call("vectors", str(file)).err
    assert (
        "There is no word of `nomadspec scenario` named 'runn'; did you mean run"
        in call("scenario", "runn").err
    )
